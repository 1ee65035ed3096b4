namespace Gateway.Transport.Security;

/// <summary>
/// While work waits on the lane: a check every <see cref="Period"/> for work that waited too long, and the lateness of
/// that check, which is how late a thread that is ready gets a processor. Asleep otherwise. Owner: the lane. Threads:
/// <see cref="Begin"/> and <see cref="Dispose"/> from any.
/// </summary>
internal sealed class LaneWatch : IDisposable
{
    public static readonly TimeSpan Period = TimeSpan.FromMilliseconds(10);

    private readonly AutoResetEvent _wake = new(false);
    private readonly Func<TimeSpan, bool> _look;
    private readonly Action _begun;
    private int _isAwake;
    private volatile bool _closed;

    /// <param name="look">Given how late it is; false: nothing waits any more.</param>
    /// <param name="begun">Before the first look of a series.</param>
    public LaneWatch(Func<TimeSpan, bool> look, Action begun)
    {
        (_look, _begun) = (look, begun);
        new Thread(Run) { IsBackground = true, Name = "private-key watch" }.Start();
    }

    public void Begin()
    {
        if (Volatile.Read(ref _isAwake) == 0 && Interlocked.Exchange(ref _isAwake, 1) == 0)
            _wake.Set();
    }

    public void Dispose()
    {
        _closed = true;
        _wake.Set();
    }

    private void Run()
    {
        while (!_closed)
        {
            _wake.WaitOne();
            _begun();
            while (!_closed && LookAfterAPause())
            {
            }

            // Work that came between the last look and this is seen by one more, as Begin did nothing for it.
            Interlocked.Exchange(ref _isAwake, 0);
            if (!_closed && _look(TimeSpan.Zero))
                Begin();
        }
    }

    private bool LookAfterAPause()
    {
        // Real time, whatever the gateway's clock is: this waits for a processor.
        var from = TimeProvider.System.GetTimestamp();
        _wake.WaitOne(Period);
        var late = TimeProvider.System.GetElapsedTime(from) - Period;
        return _look(late > TimeSpan.Zero ? late : TimeSpan.Zero);
    }
}
