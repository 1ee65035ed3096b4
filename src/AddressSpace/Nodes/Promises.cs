using Gateway.Codec.Structures;

namespace Gateway.AddressSpace.Nodes;

/// <summary>Features that models, the standard's and upstreams' among them, promise and no service here provides:
/// history, and events other than the gateway's own. No node advertises them, whichever part adds it. This class goes
/// when those services exist.</summary>
internal static class Promises
{
    private const AccessLevelExType History = AccessLevelExType.HistoryRead | AccessLevelExType.HistoryWrite;

    public static VariableFacts Kept(in VariableFacts facts) => facts.Historizing || (facts.AccessLevel & History) != 0
        ? facts with { Historizing = false, AccessLevel = facts.AccessLevel & ~History }
        : facts;

    /// <summary>Every bit is about events or their history.</summary>
    /// <param name="given">By the node's model.</param>
    /// <param name="hasOwnEvents">As <see cref="NodeDefinition.HasOwnEvents"/>.</param>
    public static EventNotifierType Kept(EventNotifierType given, bool hasOwnEvents)
    {
        var kept = given & ~(EventNotifierType.HistoryRead | EventNotifierType.HistoryWrite);
        return hasOwnEvents ? kept : kept & ~EventNotifierType.SubscribeToEvents;
    }
}
