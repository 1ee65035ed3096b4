using System.Diagnostics;
using Gateway.Admission;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Transport.Hosting;
using Gateway.Transport.Timing;

namespace Gateway.Transport.Security;

/// <summary>
/// The bounded lane for all private-key work: its own threads, a fair queue with classes in front of them, a deadline.
/// Work is refused when the queue is full and no entry gives way, taken out when its peer has gone, and dropped when it
/// has waited past the deadline, so that in a storm the keys work for clients that still wait. The workers use the
/// share of their time that the plant's data leaves them (<see cref="LanePace"/>). An idle worker sleeps at once:
/// spinning for work that is a millisecond away costs more than the wake-up. Owner: the host; any thread may submit.
/// </summary>
public sealed class PrivateKeyLane : IDisposable
{
    private static readonly TimeSpan Forever = Timeout.InfiniteTimeSpan;

    private readonly Lock _lock = new();
    private readonly Stack<AutoResetEvent> _idle = new();
    private readonly FairQueue<PrivateKeyWork> _queue;
    private readonly AdmissionControl _admission;
    private readonly TimeProvider _time;
    private readonly TransportCounters _counters;
    private readonly PlantLateness _lateness;
    private readonly LanePace _pace;
    private readonly LaneWatch? _watch;

    /// <summary>The one worker that wakes when the rest is over; the others are woken by it.</summary>
    private AutoResetEvent? _keeper;
    private int _woken;
    private bool _closed;

    /// <param name="limits">No workers: nothing runs but by <see cref="Pump"/>.</param>
    /// <param name="time">Of deadlines and pace.</param>
    /// <param name="counters">Counts the refusals.</param>
    /// <param name="admission">Holds the handshake window and the lane's share.</param>
    /// <param name="lateness">Asked only while work waits.</param>
    public PrivateKeyLane(
        TransportLimits limits, TimeProvider time, TransportCounters counters, AdmissionControl admission,
        PlantLateness lateness)
    {
        (_time, _counters, _admission, _lateness) = (time, counters, admission, lateness);
        _queue = new FairQueue<PrivateKeyWork>(
            limits.MaxPrivateKeyQueueLength, limits.PrivateKeyDeadline, time);
        Workers = limits.PrivateKeyWorkers;
        _pace = new LanePace(() => _admission.Concurrency.Share, time, Math.Max(1, Workers));
        if (Workers == 0)
            return;
        _watch = new LaneWatch(Look, Forget);
        for (var i = 0; i < Workers; i++)
            new Thread(Run) { IsBackground = true, Name = "private-key " + i }.Start();
    }

    public int Workers { get; }

    /// <summary>Work that waits now.</summary>
    public int QueueLength => _queue.Count;

    public int WaitingIn(LaneClass lane) => _queue.WaitingIn(lane);

    /// <summary>False when the queue is full: the caller answers Bad_TcpServerTooBusy or Bad_ServerTooBusy.</summary>
    /// <param name="work">New.</param>
    /// <param name="lane">The purpose of the work.</param>
    /// <param name="first">The first share that the work is charged to.</param>
    /// <param name="second">The second share.</param>
    public bool TryRun(
        PrivateKeyWork work, LaneClass lane = LaneClass.Stranger, FairShare? first = null, FairShare? second = null)
    {
        if (!_admission.IsEnabled)
            (lane, first, second) = (LaneClass.Stranger, null, null);
        PrivateKeyWork? displaced = null;
        AutoResetEvent? woken;
        lock (_lock)
        {
            if (_closed || !_queue.TryEnqueue(work, lane, first, second, out displaced))
            {
                _counters.PrivateKeyRefused();
                return false;
            }

            woken = WakeUnderLock(lane);
        }

        if (woken is null)
            _watch?.Begin();
        else
            woken.Set();
        if (displaced is null)
            return true;
        DropDisplaced(displaced);
        return true;
    }

    /// <summary>Its peer has gone. False: it does not wait (any more).</summary>
    public bool Remove(PrivateKeyWork work) => _queue.Remove(work);

    /// <summary>The result is produced on the lane; awaiting it resumes off the lane. Errors: false when the queue is
    /// full; a task that faults with <see cref="PrivateKeyLaneBusyException"/> when it was dropped.</summary>
    public bool TryRunAsync<T>(
        Func<T> function, out ValueTask<T> result, LaneClass lane = LaneClass.Stranger, FairShare? first = null,
        FairShare? second = null)
    {
        var work = new FunctionWork<T>(function);
        var accepted = TryRun(work, lane, first, second);
        result = accepted ? new ValueTask<T>(work.Task) : default;
        return accepted;
    }

    /// <summary>Errors: <see cref="PrivateKeyLaneBusyException"/> when the queue is full or the work was dropped.
    /// </summary>
    public ValueTask<T> RunAsync<T>(Func<T> function, LaneClass lane = LaneClass.Stranger) =>
        TryRunAsync(function, out var result, lane)
            ? result
            : ValueTask.FromException<T>(new PrivateKeyLaneBusyException());

    public void Dispose()
    {
        AutoResetEvent[] asleep;
        lock (_lock)
        {
            _closed = true;
            asleep = _keeper is null ? [.. _idle] : [.. _idle, _keeper];
            _idle.Clear();
            _keeper = null;
            _woken += asleep.Length;
        }

        _watch?.Dispose();
        foreach (var worker in asleep)
            worker.Set();
        while (Workers == 0 && Pump())
        {
        }
    }

    /// <summary>A worker's turn between two sleeps; for tests, and for a lane without workers.</summary>
    /// <returns>False: nothing may run now.</returns>
    internal bool Pump()
    {
        if (Take(null, out _, out var reason) is not { } work)
            return false;
        Serve(work, reason);
        return true;
    }

    /// <summary>One turn of the watch.</summary>
    /// <param name="late">How late a ready thread got a processor.</param>
    /// <returns>False: nothing waits, and nothing rests.</returns>
    internal bool Look(TimeSpan late)
    {
        try
        {
            return LookAtTheQueue(late);
        }
#pragma warning disable CA1031 // It would end the watch's thread, and the process with it (R40): the next look goes on.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Contain(error);
            return true;
        }
    }

    private bool LookAtTheQueue(TimeSpan late)
    {
        while (_queue.TakeExpired() is { } expired)
        {
            _counters.PrivateKeyExpired();
            Drop(expired, RefusalReason.WaitedTooLong);
        }

        if (!_admission.IsEnabled)
            return _queue.Count > 0;
        var lateness = _lateness.TakeWorst();
        _admission.Concurrency.Observe(lateness > late ? lateness : late);
        return _queue.Count > 0 || _admission.Concurrency.Share < 1;
    }

    /// <summary>Handshakes did not cause lateness that was measured while no work waited.</summary>
    private void Forget() => _lateness.TakeWorst();

    private void Run()
    {
        WorkerPriority.Lower();
        using var wake = new AutoResetEvent(false);
        while (true)
        {
            if (Take(wake, out var rest, out var reason) is { } work)
                Serve(work, reason);
            else if (rest == TimeSpan.Zero)
                return;
            else
                Sleep(wake, rest);
        }
    }

    /// <summary>Null: nothing may run now, and the worker is noted as asleep for <paramref name="rest"/>; zero: the
    /// lane has ended.</summary>
    private PrivateKeyWork? Take(AutoResetEvent? worker, out TimeSpan rest, out RefusalReason reason)
    {
        PrivateKeyWork? work;
        AutoResetEvent? woken = null;
        lock (_lock)
        {
            rest = IsPaced ? _pace.Rest() : TimeSpan.Zero;
            reason = _closed ? RefusalReason.ShuttingDown : RefusalReason.None;
            work = _queue.TryDequeue(rest > TimeSpan.Zero ? LaneClass.Live : LaneClass.Stranger);
            if (work is null && (work = _queue.TakeExpired()) is not null)
                reason = RefusalReason.WaitedTooLong;
            if (work is not null)
            {
                if (reason == RefusalReason.None)
                    _pace.Began();
                if (_queue.Count > _woken && _keeper is null)
                    woken = PopUnderLock();
            }
            else if (!_closed && worker is not null)
            {
                rest = NoteAsleepUnderLock(worker, rest);
            }
        }

        woken?.Set();
        if (reason == RefusalReason.WaitedTooLong)
            _counters.PrivateKeyExpired();
        return work;
    }

    private bool IsPaced => _admission.IsEnabled && !_closed;

    private void Serve(PrivateKeyWork work, RefusalReason reason)
    {
        if (reason != RefusalReason.None)
        {
            Drop(work, reason);
            return;
        }

        var start = _time.GetTimestamp();
        try
        {
            work.Execute();
        }
#pragma warning disable CA1031 // A failed allocation, or our own bug: it ends this work, not the process (R40).
        catch (Exception error)
#pragma warning restore CA1031
        {
            Contain(error);
        }

        lock (_lock)
            _pace.Ended(_time.GetElapsedTime(start));
    }

    /// <summary>Of many, one that waited too long gives its place first.</summary>
    private void DropDisplaced(PrivateKeyWork work)
    {
        var isExpired = _time.GetElapsedTime(work.EnqueuedAt) > _queue.Patience;
        if (isExpired)
            _counters.PrivateKeyExpired();
        else
            _counters.PrivateKeyRefused();
        Drop(work, isExpired ? RefusalReason.WaitedTooLong : RefusalReason.Displaced);
    }

    private void Drop(PrivateKeyWork work, RefusalReason reason)
    {
        try
        {
            work.Drop(reason);
        }
#pragma warning disable CA1031 // As above.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Contain(error);
        }
    }

    private void Contain(Exception error)
    {
        _counters.FaultContained(error);
        Debug.Assert(error.GetBaseException() is OutOfMemoryException, error.ToString());
    }

    private TimeSpan NoteAsleepUnderLock(AutoResetEvent worker, TimeSpan rest)
    {
        if (rest > TimeSpan.Zero && _queue.Count > 0 && _keeper is null)
        {
            _keeper = worker;
            return rest;
        }

        _idle.Push(worker);
        return Forever;
    }

    /// <summary>Null: all work, or the new work has to wait for the end of the rest.</summary>
    private AutoResetEvent? WakeUnderLock(LaneClass lane)
    {
        if (_keeper is not null && lane != LaneClass.Live)
            return null;
        if (PopUnderLock() is { } idle)
            return idle;
        var keeper = _keeper;
        _keeper = null;
        if (keeper is not null)
            _woken++;
        return keeper;
    }

    private AutoResetEvent? PopUnderLock()
    {
        if (!_idle.TryPop(out var worker))
            return null;
        _woken++;
        return worker;
    }

    private void Sleep(AutoResetEvent wake, TimeSpan rest)
    {
        var isWoken = rest == Forever ? wake.WaitOne() : wake.WaitOne(Math.Max(1, (int)rest.TotalMilliseconds));
        lock (_lock)
        {
            if (!isWoken && _keeper == wake)
            {
                _keeper = null;
                return;
            }

            _woken--;
        }

        // A submitter took it for awake just as its rest ended: the signal is on its way.
        if (!isWoken)
            wake.WaitOne();
    }
}
