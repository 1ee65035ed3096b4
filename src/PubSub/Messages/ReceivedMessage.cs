namespace Gateway.PubSub.Messages;

/// <summary>A NetworkMessage as a subscriber sees it, whatever its mapping. Immutable.</summary>
public abstract record ReceivedMessage
{
    /// <summary>Null: the mapping or the layout has none.</summary>
    public string? MessageId { get; init; }

    /// <summary>Null: the message does not say it.</summary>
    public string? PublisherId { get; init; }
}
