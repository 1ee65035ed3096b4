using Gateway.Codec.Types;

namespace Gateway.Transport.Conversation;

/// <summary>Handles the messages of a role's channels. Members are called on the connection's thread, one at a time for
/// one channel, and must not block. An exception from a member ends that channel with Bad_TcpInternalError.</summary>
public interface IChannelHandler
{
    /// <summary>The first security token is issued. Once for each channel.</summary>
    void OnOpened(SecureChannel channel);

    /// <summary>An OPN, or a renewal, was refused for what the peer sent. In the server role; the connection has ended.
    /// </summary>
    void OnOpenRefused(OpenRefusal refusal)
    {
    }

    /// <summary>The client has shown its certificate again and has a new token.</summary>
    void OnRenewed(SecureChannel channel)
    {
    }

    /// <param name="channel">Where it came and where the answer goes.</param>
    /// <param name="requestId">The answer carries the same.</param>
    /// <param name="message">TypeId and structure, decrypted and whole; valid during the call.</param>
    void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message);

    /// <summary>The peer gave up a message half-way (an abort chunk). A server has nothing to do; a client fails the
    /// request.</summary>
    void OnMessageAborted(SecureChannel channel, uint requestId, StatusCode error)
    {
    }

    /// <summary>Exactly once for each <see cref="OnOpened"/>, after the last message.</summary>
    /// <param name="channel">Closed: sends on it do nothing.</param>
    /// <param name="reason">Good when it was closed in order, by either side.</param>
    void OnClosed(SecureChannel channel, StatusCode reason);
}
