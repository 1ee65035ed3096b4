namespace Gateway.Transport.Sockets;

internal enum IntakeResult
{
    /// <summary>The backlog is empty, or the listener is closed.</summary>
    Nothing,
    Accepted,

    /// <summary>Accepted with the spare descriptor: refuse it, and give the descriptor back.</summary>
    LastDescriptor,

    /// <summary>No descriptor, or no memory: later.</summary>
    Exhausted,
}
