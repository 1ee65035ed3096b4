namespace Gateway.Sources.Simulator;

/// <summary>Steps at a steady rate. The time since the start decides which are due, so that nothing drifts; where the
/// machine stood still for more than a second the missed ones are left out rather than made at once. Owner: one timer,
/// a call at a time. Allocates nothing.</summary>
internal sealed class SteadyPace(double perSecond, TimeProvider time)
{
    private static readonly TimeSpan ShortestPeriod = TimeSpan.FromMilliseconds(10);
    private static readonly TimeSpan LongestPeriod = TimeSpan.FromSeconds(1);

    private long _start;
    private long _done;
    private long _leftOut;

    /// <summary>Of the timer: ten milliseconds, longer where steps are rarer.</summary>
    public TimeSpan Period
    {
        get
        {
            var between = perSecond > 1 ? TimeSpan.FromSeconds(1 / perSecond) : LongestPeriod;
            return between < ShortestPeriod ? ShortestPeriod : between;
        }
    }

    public void Begin() => _start = time.GetTimestamp();

    /// <summary>Those that are due since the last call.</summary>
    public long Take()
    {
        var due = (long)(time.GetElapsedTime(_start).TotalSeconds * perSecond) - _leftOut;
        var most = (long)Math.Max(1, perSecond);
        if (due - _done > most)
        {
            _leftOut += due - _done - most;
            due = _done + most;
        }

        var taken = Math.Max(0, due - _done);
        _done += taken;
        return taken;
    }
}
