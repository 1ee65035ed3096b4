namespace Gateway.Transport.Conversation;

/// <summary>Where a connection stands: which messages may come and which deadline runs.</summary>
internal enum ConnectionPhase
{
    /// <summary>HEL (or its ACK) has not come.</summary>
    Hello,

    /// <summary>The first OPN is not finished.</summary>
    Opening,

    Open,

    /// <summary>Nothing is read any more.</summary>
    Closed,
}
