using Gateway.Transport.Conversation;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Hosting;

/// <summary>Kestrel's door to the server role: one call a connection, for its whole life.</summary>
public sealed class UaTcpConnectionHandler(
    TransportContext context, UaTcpServerOptions options, IChannelHandler handler) : ConnectionHandler
{
    private readonly ServerEndpoint _endpoint = new(context, options);

    /// <summary>Connections now, with and without a channel.</summary>
    public int ConnectionCount => _endpoint.Registry.Count;

    public override Task OnConnectedAsync(ConnectionContext connection) =>
        new ServerRole(
            context, _endpoint, connection,
            connection.Features.Get<IConnectionDoor>() ?? new AwaitedDoor(connection, context.Admission.Door),
            handler).RunAsync();

    /// <summary>Ends all connections in order, at shutdown: ERR Bad_Shutdown; sent messages leave first.</summary>
    public void CloseAll()
    {
        context.Admission.Door.Close();
        foreach (var connection in _endpoint.Registry.Snapshot())
            connection.ShutDown();
    }

    /// <summary>Ends the channels that a check no longer lets pass: a trust list has changed (R31).</summary>
    /// <param name="stays">By the peer's certificate (DER leaf).</param>
    /// <returns>How many were ended.</returns>
    public int Recheck(Func<SecureChannel, bool> stays)
    {
        var ended = 0;
        foreach (var connection in _endpoint.Registry.Snapshot())
        {
            if (connection.EndUnless(stays))
                ended++;
        }

        return ended;
    }
}
