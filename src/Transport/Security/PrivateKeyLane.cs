using System.Diagnostics;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Security;

/// <summary>
/// The bounded lane for all private-key work: its own threads, one short queue per priority, a deadline. Work is
/// refused when the queue is full and dropped unserved when it has waited past the deadline, so that in a storm the
/// keys work for clients that still wait. An idle worker sleeps at once: spinning for work that is a millisecond away
/// costs more than the wake-up. Owner: the host; any thread may submit.
/// </summary>
public sealed class PrivateKeyLane : IDisposable
{
    private readonly Lock _lock = new();
    private readonly Queue<Entry>[] _queues = [new(), new(), new()];
    private readonly Semaphore _available = new(0, int.MaxValue);
    private readonly TimeProvider _time;
    private readonly int _capacity;
    private readonly TimeSpan _deadline;
    private readonly TransportCounters? _counters;
    private int _count;
    private int _idleWorkers;
    private bool _closed;

    public PrivateKeyLane(TransportLimits limits, TimeProvider time, TransportCounters? counters = null)
    {
        _time = time;
        _capacity = limits.MaxPrivateKeyQueueLength;
        _deadline = limits.PrivateKeyDeadline;
        _counters = counters;
        for (var i = 0; i < limits.PrivateKeyWorkers; i++)
            new Thread(Work) { IsBackground = true, Name = "private-key " + i }.Start();
    }

    /// <summary>Work that waits now.</summary>
    public int QueueLength
    {
        get
        {
            lock (_lock)
                return _count;
        }
    }

    /// <summary>False when the queue is full: the caller answers Bad_TcpServerTooBusy or Bad_ServerTooBusy.</summary>
    public bool TryRun(IPrivateKeyWork work, PrivateKeyPriority priority = PrivateKeyPriority.Stranger)
    {
        bool wake;
        lock (_lock)
        {
            if (_closed || _count >= _capacity)
            {
                _counters?.PrivateKeyRefused();
                return false;
            }

            _queues[(int)priority].Enqueue(new Entry(work, _time.GetTimestamp()));
            _count++;
            wake = _idleWorkers > 0;
            if (wake)
                _idleWorkers--;
        }

        if (wake)
            _available.Release();
        return true;
    }

    /// <summary>The result is produced on the lane; awaiting it resumes off the lane. Errors: false when the queue is
    /// full; a task that faults with <see cref="PrivateKeyLaneBusyException"/> when it waited past the deadline.
    /// </summary>
    public bool TryRunAsync<T>(
        Func<T> function, out ValueTask<T> result, PrivateKeyPriority priority = PrivateKeyPriority.Stranger)
    {
        var work = new FunctionWork<T>(function);
        var accepted = TryRun(work, priority);
        result = accepted ? new ValueTask<T>(work.Task) : default;
        return accepted;
    }

    /// <summary>Errors: <see cref="PrivateKeyLaneBusyException"/> when the queue is full or the deadline passed.
    /// </summary>
    public ValueTask<T> RunAsync<T>(Func<T> function, PrivateKeyPriority priority = PrivateKeyPriority.Stranger) =>
        TryRunAsync(function, out var result, priority)
            ? result
            : ValueTask.FromException<T>(new PrivateKeyLaneBusyException());

    public void Dispose()
    {
        int asleep;
        lock (_lock)
        {
            _closed = true;
            asleep = _idleWorkers;
            _idleWorkers = 0;
        }

        if (asleep > 0)
            _available.Release(asleep);
    }

    private void Work()
    {
        while (true)
        {
            if (!TryTake(out var entry, out var ended))
            {
                if (ended)
                    return;
                _available.WaitOne();
                continue;
            }

            if (_time.GetElapsedTime(entry.Enqueued) > _deadline || IsClosed())
            {
                _counters?.PrivateKeyExpired();
                entry.Work.Expire();
            }
            else
            {
                Execute(entry.Work);
            }
        }
    }

    private static void Execute(IPrivateKeyWork work)
    {
        try
        {
            work.Execute();
        }
        catch (Exception e) when (e is not OutOfMemoryException)
        {
            // Work must not throw: our own bug, kept from ending the process (R40).
            Debug.Fail(e.ToString());
        }
    }

    private bool IsClosed()
    {
        lock (_lock)
            return _closed;
    }

    /// <summary>False: nothing is there; unless the lane has ended, the caller is now counted as asleep.</summary>
    private bool TryTake(out Entry entry, out bool ended)
    {
        lock (_lock)
        {
            ended = _closed;
            foreach (var queue in _queues)
            {
                if (queue.TryDequeue(out entry))
                {
                    _count--;
                    return true;
                }
            }

            if (!ended)
                _idleWorkers++;
        }

        entry = default;
        return false;
    }

    private readonly record struct Entry(IPrivateKeyWork Work, long Enqueued);

    private sealed class FunctionWork<T>(Func<T> function) : IPrivateKeyWork
    {
        private readonly TaskCompletionSource<T> _source = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public Task<T> Task => _source.Task;

        public void Execute()
        {
            try
            {
                _source.SetResult(function());
            }
            catch (Exception e) when (e is not OutOfMemoryException)
            {
                _source.SetException(e);
            }
        }

        public void Expire() => _source.SetException(new PrivateKeyLaneBusyException());
    }
}
