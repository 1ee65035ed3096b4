using System.Diagnostics;

namespace Gateway.Transport.Hosting;

/// <summary>
/// Answers to failed certificate and token checks leave a whole number of steps after their work began, so that the
/// time of an answer does not tell which check failed (R13): every failure takes less than a step where nothing waits,
/// and the queue causes any longer time. The moment counts from each work's own beginning, not from a common tick: from
/// that a peer could average the difference out. One timer for all, whose period of a millisecond asks the host for
/// precision: a timer that counts whole ticks from its arming would show how long the check took. Bounded: of more than
/// the limit the rest is answered at once, and counted. Threads: any; its lock is a leaf.
/// </summary>
public sealed class FailureAnswers : IDisposable
{
    /// <summary>Made when a test asks: its counters have the names of the gateway's, and a reader of metrics takes the
    /// last one of a name.</summary>
    private static readonly Lazy<FailureAnswers> OfTests = new(static () => new(
        TimeProvider.System, new TransportLimits { FailureAnswerStep = TimeSpan.Zero },
        new TransportCounters(new MemoryBudget(0), static _ => { })));

    private static readonly TimeSpan Precision = TimeSpan.FromMilliseconds(1);

    private readonly Lock _lock = new();
    private readonly PriorityQueue<Action, long> _held = new();
    private readonly TimeProvider _time;
    private readonly long _step;
    private readonly int _maxHeld;
    private readonly TransportCounters _counters;
    private readonly ITimer _timer;
    private long _armedFor = long.MaxValue;

    public FailureAnswers(TimeProvider time, TransportLimits limits, TransportCounters counters)
    {
        (_time, _counters, _maxHeld) = (time, counters, limits.MaxHeldFailures);
        _step = (long)(limits.FailureAnswerStep.TotalSeconds * time.TimestampFrequency);
        _timer = time.CreateTimer(
            static self => ((FailureAnswers)self!).Release(), this, Timeout.InfiniteTimeSpan, Precision);
    }

    /// <summary>Holds nothing: for parts that are put together without a transport.</summary>
    public static FailureAnswers AtOnce => OfTests.Value;

    public int Held
    {
        get
        {
            lock (_lock)
                return _held.Count;
        }
    }

    /// <summary>When work begins that may fail.</summary>
    public long Begin() => Math.Max(1, _time.GetTimestamp());

    /// <param name="since">Monotonic timestamp at which the work began that failed.</param>
    /// <param name="answer">Sends it, on the timer's thread, which all answers share: must neither block nor throw, and
    /// continuations run elsewhere. A peer that fails on and on is stopped before: no more than a few of its answers
    /// are held at a time (R46).</param>
    public void Hold(long since, Action answer)
    {
        if (_step > 0)
        {
            lock (_lock)
            {
                if (_held.Count < _maxHeld)
                {
                    var now = _time.GetTimestamp();
                    _held.Enqueue(answer, since + ((((now - since) / _step) + 1) * _step));
                    ArmUnderLock(now);
                    return;
                }
            }

            _counters.FailureNotHeld();
        }

        answer();
    }

    public ValueTask WaitAsync(long since)
    {
        if (_step <= 0)
            return default;
        var done = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Hold(since, done.SetResult);
        return new ValueTask(done.Task);
    }

    public void Dispose() => _timer.Dispose();

    private void Release()
    {
        while (TryTakeDue() is { } answer)
        {
            try
            {
                answer();
            }
#pragma warning disable CA1031 // It must not keep the others' answers back, nor end the process (R40).
            catch (Exception error)
#pragma warning restore CA1031
            {
                _counters.FaultContained(error);
                Debug.Assert(error.GetBaseException() is OutOfMemoryException, error.ToString());
            }
        }
    }

    private Action? TryTakeDue()
    {
        lock (_lock)
        {
            var now = _time.GetTimestamp();
            if (_held.TryPeek(out _, out var due) && due <= now)
                return _held.Dequeue();
            ArmUnderLock(now);
            return null;
        }
    }

    /// <summary>Looks again each millisecond from then on: the runtime's own timers come up to one too early.</summary>
    private void ArmUnderLock(long now)
    {
        var next = _held.TryPeek(out _, out var due) ? due : long.MaxValue;
        if (next == _armedFor)
            return;
        _armedFor = next;
        if (next == long.MaxValue)
            _timer.Change(Timeout.InfiniteTimeSpan, Precision);
        else
            _timer.Change(_time.GetElapsedTime(Math.Min(now, next), next), Precision);
    }
}
