using System.Globalization;
using Gateway.Admission.Door;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit;
using Gateway.Server.Dispatch;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;

namespace Gateway.Server.Management;

/// <summary>For operators: the connections that there are at each listener, page by page, and the end of one. Threads:
/// any.</summary>
public sealed class ConnectionDirectory(UaTcpConnectionHandler uaTcp, TransportContext transport, OperationAudit audit)
{
    private readonly HttpDoor _http = transport.Admission.Http;

    public int ReadUaTcp(int from, int count, List<ConnectionReport> into) => uaTcp.Read(from, count, into);

    public int ReadHttp(int from, int count, List<HttpPlace> into) => _http.Pages.Read(from, count, into);

    public ConnectionReport? FindUaTcp(ConnectionId id) => uaTcp.Find(id.Serial, id.Place);

    public HttpPlace? FindHttp(ConnectionId id) => _http.Find(id.Serial, id.Place);

    public TimeSpan Since(long timestamp) => transport.Time.GetElapsedTime(timestamp);

    /// <summary>Sessions that are bound to the channel.</summary>
    public static int SessionsOf(SecureChannel? channel) => (channel?.Owner as ChannelState)?.SessionCount ?? 0;

    /// <summary>UA-TCP: ERR Bad_SecureChannelClosed, and closed; its sessions wait for their client until their
    /// time-out. HTTP: closed, whatever is under way. False: there is none.</summary>
    /// <param name="id">Of the connection.</param>
    /// <param name="caller">Checked for <see cref="GatewayPermission.EndClients"/>.</param>
    public bool End(ConnectionId id, Caller caller)
    {
        string from;
        if (id.IsHttp)
        {
            if (_http.Find(id.Serial, id.Place) is not { } place || !_http.EndNow(id.Serial, id.Place))
                return false;
            from = place.Address.ToString();
        }
        else
        {
            if (uaTcp.Find(id.Serial, id.Place) is not { } connection ||
                !uaTcp.End(id.Serial, id.Place, "ended " + AuditLog.NameOf(caller)))
                return false;
            from = string.Create(
                CultureInfo.InvariantCulture,
                $"{connection.RemoteEndPoint}{(connection.Channel is { } open ? " channel " + open.ChannelId : "")}");
        }

        audit.Managed(AuditEvent.ConnectionEnded, caller, StatusCode.Good, $"connection {id} from {from}");
        return true;
    }
}
