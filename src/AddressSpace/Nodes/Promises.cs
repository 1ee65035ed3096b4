using Gateway.Codec.Structures;

namespace Gateway.AddressSpace.Nodes;

/// <summary>Features that models, the standard's and upstreams' among them, promise and no service here provides:
/// history and events. No node advertises them, whichever part adds it. This class goes when those services
/// exist.</summary>
internal static class Promises
{
    private const AccessLevelExType History = AccessLevelExType.HistoryRead | AccessLevelExType.HistoryWrite;

    public static VariableFacts Kept(in VariableFacts facts) => facts.Historizing || (facts.AccessLevel & History) != 0
        ? facts with { Historizing = false, AccessLevel = facts.AccessLevel & ~History }
        : facts;

    /// <summary>Every bit is about events or their history.</summary>
    public static EventNotifierType Kept(EventNotifierType given) =>
        given & ~(EventNotifierType.SubscribeToEvents | EventNotifierType.HistoryRead | EventNotifierType.HistoryWrite);
}
