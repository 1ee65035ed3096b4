using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>Source: Part 14 §7.2.5.5.4.</summary>
public sealed record ReceivedEndpoints : ReceivedMessage
{
    public DateTime? Timestamp { get; init; }

    public required IReadOnlyList<EndpointDescription> Endpoints { get; init; }
}
