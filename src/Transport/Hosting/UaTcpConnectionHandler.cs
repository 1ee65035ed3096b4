using Gateway.Transport.Conversation;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Hosting;

/// <summary>Kestrel's door to the server role: one call a connection, for its whole life.</summary>
public sealed class UaTcpConnectionHandler(
    TransportContext context, UaTcpServerOptions options, IChannelHandler handler) : ConnectionHandler
{
    public override Task OnConnectedAsync(ConnectionContext connection)
    {
        _ = (context, options, handler);
        connection.Abort();
        return Task.CompletedTask;
    }
}
