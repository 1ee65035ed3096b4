using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>Source: Part 14 §7.2.5.5.3.</summary>
public sealed record ReceivedApplication : ReceivedMessage
{
    public DateTime? Timestamp { get; init; }

    public required ApplicationDescription Description { get; init; }

    public required IReadOnlyList<string?> ServerCapabilities { get; init; }
}
