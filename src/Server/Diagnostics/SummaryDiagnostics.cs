using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using static Gateway.Codec.Types.StandardIds.Variables;

namespace Gateway.Server.Diagnostics;

/// <summary>ServerDiagnosticsSummary and its children, from counters that their owners keep anyway. Source: Part 5
/// §12.9.</summary>
internal sealed class SummaryDiagnostics(ServerCounters counters, PublishEngine publishing)
{
    private static readonly (uint NodeId, Func<SummaryDiagnostics, uint> Count)[] Fields =
    [
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_ServerViewCount,
            static _ => 0),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_CurrentSessionCount,
            static summary => summary.CurrentSessions),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_CumulatedSessionCount,
            static summary => summary.CumulatedSessions),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_SecurityRejectedSessionCount,
            static summary => summary.Since(Counted.SecurityRejectedSessions)),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_RejectedSessionCount,
            static summary => summary.Since(Counted.RejectedSessions)),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_SessionTimeoutCount,
            static summary => summary.Since(Counted.TimedOutSessions)),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_SessionAbortCount,
            static summary => summary.Since(Counted.AbortedSessions)),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_PublishingIntervalCount,
            static summary => summary.PublishingIntervals),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_CurrentSubscriptionCount,
            static summary => summary.CurrentSubscriptions),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_CumulatedSubscriptionCount,
            static summary => summary.Since(Counted.CreatedSubscriptions)),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_SecurityRejectedRequestsCount,
            static summary => summary.Since(Counted.SecurityRejectedRequests)),
        (Server_ServerDiagnostics_ServerDiagnosticsSummary_RejectedRequestsCount,
            static summary => summary.Since(Counted.RejectedRequests)),
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

    /// <summary>Without the streams: SubscriptionDiagnosticsArray does not list them either.</summary>
    private uint CurrentSubscriptions =>
        (uint)Math.Max(0, publishing.Counters.Subscriptions - publishing.Counters.Streams);

    private uint PublishingIntervals => (uint)publishing.CountPublishingIntervals();

    /// <summary>The nodes, each with the function that computes its value.</summary>
    public IEnumerable<(uint NodeId, Func<Variant> Value)> Nodes()
    {
        yield return (Server_ServerDiagnostics_ServerDiagnosticsSummary, () => Variant.FromStructure(Make()));
        foreach (var (nodeId, count) in Fields)
            yield return (nodeId, () => new Variant(count(this)));
    }

    /// <summary>Restarts the cumulated counts. Present sessions and subscriptions stay counted.</summary>
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
