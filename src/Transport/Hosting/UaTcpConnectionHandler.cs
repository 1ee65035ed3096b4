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

    /// <summary>The next page of the connections.</summary>
    /// <param name="from">0, or the result of the page before.</param>
    /// <param name="count">Connections at most.</param>
    /// <param name="into">They are added to it.</param>
    /// <returns>Where the next page begins; -1: this was the last.</returns>
    public int Read(int from, int count, List<ConnectionReport> into)
    {
        var page = new List<ServerRole>(Math.Min(count, ConnectionCount));
        var next = _endpoint.Registry.Pages.Read(from, count, page);
        foreach (var connection in page)
        {
            if (connection.Report() is { } report)
                into.Add(report);
        }

        return next;
    }

    /// <summary>Null: it has ended.</summary>
    /// <param name="serial">Of a <see cref="ConnectionReport"/>.</param>
    /// <param name="place">Of the same one.</param>
    public ConnectionReport? Find(long serial, int place) => Of(serial, place)?.Report();

    /// <summary>For an operator: ERR Bad_SecureChannelClosed, and closed. False: it has ended already.</summary>
    /// <param name="serial">Of a <see cref="ConnectionReport"/>.</param>
    /// <param name="place">Of the same one.</param>
    /// <param name="detail">For the log.</param>
    public bool End(long serial, int place, string detail) => Of(serial, place)?.EndByOperator(detail) == true;

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

    /// <summary>A place has another connection after one that ended: the number tells them apart.</summary>
    private ServerRole? Of(long serial, int place) =>
        _endpoint.Registry.Pages.At(place) is { } connection && connection.Serial == serial ? connection : null;
}
