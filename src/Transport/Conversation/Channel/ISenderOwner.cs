using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>The calls of a sender to its connection. Called under the sender's lock or beside it; must not block or
/// call back.
/// </summary>
internal interface ISenderOwner
{
    /// <summary>The peer does not take the messages, or is gone: end the connection without an answer.</summary>
    void OnSendFailed(ChannelCloseReason reason);

    /// <summary>Waiting output grew or shrank by so many bytes (R04).</summary>
    void AddHeldBytes(long delta);
}
