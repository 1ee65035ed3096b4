namespace Gateway.Transport.Conversation;

/// <summary>The three letters of a MessageType. Source: Part 6 §6.7.2.2, §7.1.2.2.</summary>
internal enum MessageKind
{
    Unknown,
    Hello,
    Acknowledge,
    Error,
    ReverseHello,
    OpenSecureChannel,
    Message,
    CloseSecureChannel,
}
