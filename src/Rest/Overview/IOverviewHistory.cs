namespace Gateway.Rest.Overview;

/// <summary>The last minutes of the gateway, sampled once for all who look. Threads: any.</summary>
public interface IOverviewHistory
{
    /// <summary>Between two samples.</summary>
    TimeSpan Interval { get; }

    /// <summary>The samples behind a sequence number, the oldest first; a number that is not kept any more, or not
    /// reached yet, is answered with all of them.</summary>
    /// <param name="after">0: all.</param>
    IReadOnlyList<OverviewSample> Read(long after);
}
