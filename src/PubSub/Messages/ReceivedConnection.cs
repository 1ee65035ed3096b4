using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>The configuration of a publisher. Source: Part 14 §7.2.5.5.6.</summary>
public sealed record ReceivedConnection : ReceivedMessage
{
    public DateTime? Timestamp { get; init; }

    public required PubSubConnectionDataType Connection { get; init; }
}
