using Gateway.Codec.Types;

namespace Gateway.Transport.Conversation;

/// <summary>A client's channel was not opened.</summary>
public sealed class ChannelConnectException(StatusCode status, string message, Exception? inner = null)
    : Exception(message, inner)
{
    /// <summary>Bad_ConnectionRejected, Bad_Timeout, Bad_SecurityChecksFailed, or what the server's ERR said.</summary>
    public StatusCode Status { get; } = status;
}
