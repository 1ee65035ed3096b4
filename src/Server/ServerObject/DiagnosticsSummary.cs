using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.ServerObject;

/// <summary>ServerDiagnosticsSummary and its children, from the counters; what is not counted here is 0.
/// Source: Part 5 §12.9.</summary>
internal static class DiagnosticsSummary
{
    private const uint Summary = 2275;
    private const uint CurrentSessionCount = 2277;
    private const uint CumulatedSessionCount = 2278;
    private const uint SecurityRejectedSessionCount = 2279;
    private const uint SessionTimeoutCount = 2281;
    private const uint SecurityRejectedRequestsCount = 2287;
    private const uint RejectedRequestsCount = 2288;
    private const uint RejectedSessionCount = 3705;

    public static (uint NodeId, Func<Variant> Value)[] Of(ServerCounters counters) =>
    [
        (Summary, () => Variant.FromStructure(Make(counters))),
        (CurrentSessionCount, () => new Variant(Make(counters).CurrentSessionCount)),
        (CumulatedSessionCount, () => new Variant(Make(counters).CumulatedSessionCount)),
        (SecurityRejectedSessionCount, () => new Variant(Make(counters).SecurityRejectedSessionCount)),
        (RejectedSessionCount, () => new Variant(Make(counters).RejectedSessionCount)),
        (SessionTimeoutCount, () => new Variant(Make(counters).SessionTimeoutCount)),
        (SecurityRejectedRequestsCount, () => new Variant(Make(counters).SecurityRejectedRequestsCount)),
        (RejectedRequestsCount, () => new Variant(Make(counters).RejectedRequestsCount)),
    ];

    private static ServerDiagnosticsSummaryDataType Make(ServerCounters counters) => new()
    {
        CurrentSessionCount = (uint)counters.ActivatedSessions,
        CumulatedSessionCount = (uint)counters.SessionsCreated,
        SecurityRejectedSessionCount = (uint)counters.FaultsOf(StatusCodes.BadSecurityChecksFailed),
        RejectedSessionCount = (uint)counters.SessionsRefused,
        SessionTimeoutCount = (uint)counters.SessionsTimedOut,
        SecurityRejectedRequestsCount = (uint)counters.FaultsOf(StatusCodes.BadSecureChannelIdInvalid),
        RejectedRequestsCount = (uint)counters.Faults,
    };
}
