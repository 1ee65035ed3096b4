using Gateway.Codec.Structures;

namespace Gateway.PubSub.States;

/// <summary>Where the messages of readers come from, for people.</summary>
/// <param name="Name">Of the configuration.</param>
/// <param name="Address">Without a user.</param>
/// <param name="State">Operational, or Error while nothing can come.</param>
/// <param name="Detail">The cause in words; empty where there is none.</param>
/// <param name="Messages">All that came.</param>
/// <param name="Strangers">Those of publishers that no reader takes.</param>
/// <param name="ChunkTimeouts">Payloads given up because chunks did not come.</param>
public sealed record ReaderConnectionReport(
    string Name, string Address, PubSubState State, string Detail, long Messages, long Strangers, long ChunkTimeouts)
{
    /// <summary>How often the broker has taken the connection; null: there is none to take.</summary>
    public long? Connects { get; init; }

    /// <summary>Questions for metadata.</summary>
    public long Probes { get; init; }
}
