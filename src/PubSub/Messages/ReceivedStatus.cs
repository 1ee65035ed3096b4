using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>The state of a publisher. Source: Part 14 §7.2.5.5.5.</summary>
public sealed record ReceivedStatus : ReceivedMessage
{
    public required PubSubState Status { get; init; }

    public bool IsCyclic { get; init; }

    public DateTime? Timestamp { get; init; }

    /// <summary>If it is cyclic: from then on the state is Error.</summary>
    public DateTime? NextReportTime { get; init; }
}
