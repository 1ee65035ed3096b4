using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>The parts that all connections of one server share. Owner: the connection handler.</summary>
internal sealed class ServerEndpoint(TransportContext context, UaTcpServerOptions options)
{
    public UaTcpServerOptions Options { get; } = options;

    public ConnectionRegistry Registry => context.Registry;
}
