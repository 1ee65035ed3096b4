using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;

namespace Gateway.Server.Diagnostics;

/// <summary>ServerDiagnosticsSummary and its children, from counters that are kept anyway. Source: Part 5 §12.9.
/// </summary>
internal sealed class SummaryDiagnostics(ServerCounters counters, PublishEngine publishing)
{
    private const uint Summary = 2275;

    private static readonly (uint NodeId, Func<SummaryDiagnostics, uint> Count)[] Fields =
    [
        (2276, static _ => 0),
        (2277, static summary => summary.CurrentSessions),
        (2278, static summary => summary.CumulatedSessions),
        (2279, static summary => summary.Since(Counted.SecurityRejectedSessions)),
        (3705, static summary => summary.Since(Counted.RejectedSessions)),
        (2281, static summary => summary.Since(Counted.TimedOutSessions)),
        (2282, static summary => summary.Since(Counted.AbortedSessions)),
        (2284, static summary => summary.PublishingIntervals),
        (2285, static summary => summary.CurrentSubscriptions),
        (2286, static summary => summary.Since(Counted.CreatedSubscriptions)),
        (2287, static summary => summary.Since(Counted.SecurityRejectedRequests)),
        (2288, static summary => summary.Since(Counted.RejectedRequests)),
    ];

    private volatile long[] _before = new long[(int)Counted.RejectedRequests + 1];

    private enum Counted
    {
        CreatedSessions,
        SecurityRejectedSessions,
        RejectedSessions,
        TimedOutSessions,
        AbortedSessions,
        CreatedSubscriptions,
        SecurityRejectedRequests,
        RejectedRequests,
    }

    private uint CurrentSessions => (uint)counters.ActivatedSessions;

    private uint CumulatedSessions => Since(Counted.CreatedSessions);

    private uint CurrentSubscriptions => (uint)publishing.Counters.Subscriptions;

    private uint PublishingIntervals => (uint)publishing.CountPublishingIntervals();

    /// <summary>The nodes, each with what computes its value.</summary>
    public IEnumerable<(uint NodeId, Func<Variant> Value)> Nodes()
    {
        yield return (Summary, () => Variant.FromStructure(Make()));
        foreach (var (nodeId, count) in Fields)
            yield return (nodeId, () => new Variant(count(this)));
    }

    /// <summary>What is counted from now on; what there is now stays counted.</summary>
    public void Reset()
    {
        var before = new long[_before.Length];
        for (var i = 0; i < before.Length; i++)
            before[i] = Read((Counted)i);
        before[(int)Counted.CreatedSessions] -= CurrentSessions;
        before[(int)Counted.CreatedSubscriptions] -= CurrentSubscriptions;
        _before = before;
    }

    private ServerDiagnosticsSummaryDataType Make() => new()
    {
        CurrentSessionCount = CurrentSessions,
        CumulatedSessionCount = CumulatedSessions,
        SecurityRejectedSessionCount = Since(Counted.SecurityRejectedSessions),
        RejectedSessionCount = Since(Counted.RejectedSessions),
        SessionTimeoutCount = Since(Counted.TimedOutSessions),
        SessionAbortCount = Since(Counted.AbortedSessions),
        CurrentSubscriptionCount = CurrentSubscriptions,
        CumulatedSubscriptionCount = Since(Counted.CreatedSubscriptions),
        PublishingIntervalCount = PublishingIntervals,
        SecurityRejectedRequestsCount = Since(Counted.SecurityRejectedRequests),
        RejectedRequestsCount = Since(Counted.RejectedRequests),
    };

    private uint Since(Counted what) => (uint)(Read(what) - _before[(int)what]);

    private long Read(Counted what) => what switch
    {
        Counted.CreatedSessions => counters.SessionsCreated,
        Counted.SecurityRejectedSessions => counters.SessionRequestsSecurityRejected,
        Counted.RejectedSessions => counters.SessionRequestsRejected,
        Counted.TimedOutSessions => counters.SessionsTimedOut,
        Counted.AbortedSessions => counters.SessionsAborted,
        Counted.CreatedSubscriptions => publishing.Counters.CreatedSubscriptions,
        Counted.SecurityRejectedRequests => counters.SecurityFaults,
        _ => counters.Faults + publishing.Counters.Faults,
    };
}
