using Gateway.Store;

namespace Gateway.PubSub.States;

/// <summary>One connection, for people.</summary>
/// <param name="Name">Of the configuration.</param>
/// <param name="Address">Without a user.</param>
/// <param name="State">Operational, or Error while there is no connection to the broker.</param>
/// <param name="Detail">The cause in words; empty where there is none.</param>
/// <param name="Groups">Its WriterGroups.</param>
/// <param name="Discarded">Messages that the broker does not take.</param>
/// <param name="Store">The messages that wait for the broker; null: nothing is stored.</param>
/// <param name="Gaps">The losses that are not reported to the broker yet, and the last ones that are; only where they
/// were asked for.</param>
public sealed record ConnectionReport(
    string Name, string Address, Codec.Structures.PubSubState State, string Detail,
    IReadOnlyList<GroupReport> Groups, long Discarded, StoreState? Store, IReadOnlyList<GapReport> Gaps)
{
    /// <summary>How often the broker has taken the connection; null: there is none to take.</summary>
    public long? Connects { get; init; }

    /// <summary>Probes of subscribers that were answered.</summary>
    public long Probes { get; init; }

    /// <summary>Probes that were not.</summary>
    public long RefusedProbes { get; init; }
}
