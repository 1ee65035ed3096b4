namespace Gateway.Transport.Sockets;

/// <summary>Whoever waits for something else than the peer, and wants to know that it has gone.</summary>
internal interface IHangUpWatcher
{
    /// <summary>On the event loop's thread, or at once on the caller's; perhaps more than once. Must not block.
    /// </summary>
    void OnHungUp();
}
