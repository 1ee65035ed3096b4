namespace Gateway.Transport.Conversation;

/// <summary>Waits for something else than the peer and wants to know when the peer has gone.</summary>
public interface IHangUpWatcher
{
    /// <summary>On the transport's thread, or at once on the caller's; perhaps more than once, and perhaps after the
    /// watch was ended. Must not block.</summary>
    void OnHungUp();
}
