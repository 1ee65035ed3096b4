using Gateway.Codec.Structures;

namespace Gateway.PubSub.States;

/// <summary>One DataSetReader, for people.</summary>
/// <param name="Connection">Its connection.</param>
/// <param name="Group">Its ReaderGroup.</param>
/// <param name="Name">Of the configuration.</param>
/// <param name="PublisherId">Of its messages.</param>
/// <param name="DataSetWriterId">Of its messages.</param>
/// <param name="State">PreOperational until the first data, Error while they are stale.</param>
/// <param name="LastMessageAt">UTC; null: none yet.</param>
/// <param name="Fields">Nodes that it serves.</param>
/// <param name="Messages">DataSetMessages that it took.</param>
/// <param name="Values">Fields of these.</param>
/// <param name="Repeats">Messages that had come before.</param>
/// <param name="Gaps">Messages that are missing by their numbers.</param>
/// <param name="Problems">Messages and fields that it did not use, by the cause.</param>
public sealed record ReaderReport(
    string Connection, string Group, string Name, string PublisherId, int DataSetWriterId, PubSubState State,
    DateTime? LastMessageAt, int Fields, long Messages, long Values, long Repeats, long Gaps,
    IReadOnlyDictionary<string, long> Problems)
{
    public double MessageReceiveTimeoutMs { get; init; }

    /// <summary>How often its values became stale.</summary>
    public long Errors { get; init; }

    /// <summary>How often messages came again after that.</summary>
    public long Returns { get; init; }
}
