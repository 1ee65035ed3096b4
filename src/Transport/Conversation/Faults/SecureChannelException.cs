using Gateway.Codec.Types;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>Ends a channel: thrown only by <see cref="ConversationFault"/>, caught once in the connection loop,
/// answered with ERR where that makes sense, and counted by reason.</summary>
internal sealed class SecureChannelException(
    StatusCode status, ChannelCloseReason reason, string detail, string publicReason, bool answer) : Exception(detail)
{
    public StatusCode Status { get; } = status;

    public ChannelCloseReason CloseReason { get; } = reason;

    /// <summary>The text that the peer may read.</summary>
    public string PublicReason { get; } = publicReason;

    /// <summary>False: the peer is gone, or said ERR itself.</summary>
    public bool Answer { get; } = answer;
}
