namespace Gateway.PubSub.Messages;

/// <summary>A message of a type that this subscriber does not use: of Actions, or of a later edition. Source: Part 14
/// §5.4.2.1.</summary>
public sealed record ReceivedOther : ReceivedMessage
{
    public required string MessageType { get; init; }
}
