namespace Gateway.Transport.Sockets;

/// <summary>
/// As few of the loops serve as keep up: what many connections send now and then costs least where one thread finds
/// several of them each time it wakes. A busy loop shares with the next one, and gets its connections back when both
/// have little to do. A connection changes over behind its next event, so that its events are never on two threads.
/// Threads: each loop calls it between two waits. Owner: <see cref="SocketListenerFactory"/>. It owns the loops.
/// </summary>
internal sealed class LoopSpread : IDisposable
{
    private static readonly TimeSpan Period = TimeSpan.FromMilliseconds(100);

    private readonly TimeProvider _time;
    private readonly EventLoop[] _loops;
    private long _since;
    private long _busyBefore;
    private int _isJudging;
    private volatile int _active = 1;

    /// <param name="count">Loops; one a core.</param>
    /// <param name="time">By which they are judged.</param>
    public LoopSpread(int count, TimeProvider time)
    {
        (_time, _since) = (time, time.GetTimestamp());
        _loops = [.. Enumerable.Range(0, count).Select(index => new EventLoop(index, this))];
        foreach (var loop in _loops)
            loop.Start();
    }

    /// <summary>Loops that connections are on or change over to.</summary>
    public int Active
    {
        get => _active;
        internal set => _active = value;
    }

    public long Now => _time.GetTimestamp();

    public void Dispose()
    {
        foreach (var loop in _loops)
            loop.Dispose();
    }

    public EventLoop LoopOf(SocketLink link) => _loops[link.Number % (uint)_active];

    /// <summary>Looks, some times a second, at how much of its time each loop was at work.</summary>
    public void Note(long now)
    {
        if (_time.GetElapsedTime(Volatile.Read(ref _since), now) < Period ||
            Interlocked.Exchange(ref _isJudging, 1) != 0)
            return;
        var busy = 0L;
        foreach (var loop in _loops)
            busy += loop.BusyTicks;
        var elapsed = now - _since;
        if (elapsed > 0)
            _active = Next(_active, _loops.Length, (busy - _busyBefore) / (double)elapsed);
        _busyBefore = busy;
        Volatile.Write(ref _since, now);
        Volatile.Write(ref _isJudging, 0);
    }

    /// <param name="active">Loops that serve.</param>
    /// <param name="count">Loops that there are.</param>
    /// <param name="load">What they did together, 1 for all the time of one loop.</param>
    internal static int Next(int active, int count, double load)
    {
        if (load > 0.75 * active)
            return Math.Min(active + 1, count);
        return active > 1 && load < 0.5 * (active - 1) ? active - 1 : active;
    }
}
