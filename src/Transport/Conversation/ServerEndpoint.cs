using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>What all connections of one server share. Owner: the connection handler.</summary>
internal sealed class ServerEndpoint(TransportContext context, UaTcpServerOptions options)
{
    public UaTcpServerOptions Options { get; } = options;

    public IChannelGate? Gate { get; } = options.Gate;

    public ChannelRegistry Registry { get; } = new(context.Limits);
}
