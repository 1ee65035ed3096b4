using System.Globalization;
using Gateway.Admission.Door;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Lists;
using Gateway.Rest.Routing;
using Gateway.Server.Management;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary><c>GET /connections</c>, <c>GET /connections/{id}</c>, <c>DELETE /connections/{id}</c>: those of UA-TCP
/// first, then those of HTTP. Thread-safe.</summary>
internal sealed class ConnectionEndpoints(
    ConnectionDirectory connections, ManagementRequests requests, TimeProvider time)
{
    private const string UaTcp = "tcp-";
    private const string Http = "http-";

    private static readonly Columns<ConnectionEntry> Columns = new(
        Columns<ConnectionEntry>.Text("id", static one => one.Id.ToString()),
        Columns<ConnectionEntry>.Text("door", static one => one.Http is null ? "opc.tcp" : "http"),
        Columns<ConnectionEntry>.Text("address", AddressOf),
        Columns<ConnectionEntry>.Text("state", StateOf),
        Columns<ConnectionEntry>.Time("since", static one => one.Now - one.Age),
        Columns<ConnectionEntry>.Time("lastActivity", static one => one.Now - one.Idle),
        Columns<ConnectionEntry>.NumberIfAny("channelId", static one => one.UaTcp?.Channel?.ChannelId),
        Columns<ConnectionEntry>.Text("securityPolicy", static one => one.UaTcp?.Channel?.Policy.Name),
        Columns<ConnectionEntry>.Text("securityMode", static one => one.UaTcp?.Channel?.SecurityMode.ToString()),
        Columns<ConnectionEntry>.Text(
            "certificate", static one => one.UaTcp?.Channel?.PeerThumbprint, GatewayPermission.ReadIdentities),
        Columns<ConnectionEntry>.Text(
            "subject", static one => one.UaTcp?.Client.Certificate?.Subject, GatewayPermission.ReadIdentities),
        Columns<ConnectionEntry>.Text("endpointUrl", static one => one.UaTcp?.EndpointUrl),
        Columns<ConnectionEntry>.NumberIfAny("sessions", static one => one.UaTcp is { } connection
            ? ConnectionDirectory.SessionsOf(connection.Channel)
            : null),
        Columns<ConnectionEntry>.NumberIfAny("heldBytes", static one => one.UaTcp?.HeldBytes),
        Columns<ConnectionEntry>.Texts("why", WhyOf));

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/connections", ListAsync) { Operations = [ConnectionsApi.List] },
        new("GET", "/connections/{id}", GetAsync) { Operations = [ConnectionsApi.Get] },
        new("DELETE", "/connections/{id}", EndAsync) { Operations = [ConnectionsApi.Delete] },
    ];

    private Task ListAsync(HttpContext context) => requests.ListAsync(
        context, GatewayPermission.ReadClients, "connections", Columns, ReadPage);

    private Task GetAsync(HttpContext context) => requests.FindAsync(
        context, GatewayPermission.ReadClients, Columns, () => Find(context), () => MissingAsync(context));

    private Task EndAsync(HttpContext context) => requests.RunAsync(context, GatewayPermission.EndClients, caller =>
    {
        if (!ConnectionId.TryParse(IdOf(context), out var id) || !connections.End(id, caller))
            return MissingAsync(context);
        context.Response.StatusCode = Microsoft.AspNetCore.Http.StatusCodes.Status204NoContent;
        return Task.CompletedTask;
    });

    private (IReadOnlyList<ConnectionEntry>? Entries, string? Next) ReadPage(PageQuery page)
    {
        if (!TryReadCursor(page.Cursor, out var isHttp, out var from))
            return default;
        var entries = new List<ConnectionEntry>();
        if (!isHttp)
        {
            var found = new List<ConnectionReport>();
            var next = connections.ReadUaTcp(from, page.Limit, found);
            entries.AddRange(found.Select(EntryOf));
            if (next >= 0)
                return (entries, string.Create(CultureInfo.InvariantCulture, $"{UaTcp}{next}"));
            from = 0;
        }

        var places = new List<HttpPlace>();
        var rest = connections.ReadHttp(from, page.Limit - entries.Count, places);
        entries.AddRange(places.Select(EntryOf));
        return (entries, rest < 0 ? null : string.Create(CultureInfo.InvariantCulture, $"{Http}{rest}"));
    }

    private static bool TryReadCursor(string cursor, out bool isHttp, out int from)
    {
        isHttp = cursor.StartsWith(Http, StringComparison.Ordinal);
        from = 0;
        if (cursor.Length == 0)
            return true;
        var prefix = isHttp ? Http : UaTcp;
        return cursor.StartsWith(prefix, StringComparison.Ordinal) && cursor.Length > prefix.Length &&
            SessionEndpoints.TryReadPlace(cursor[prefix.Length..], out from);
    }

    private ConnectionEntry? Find(HttpContext context)
    {
        if (!ConnectionId.TryParse(IdOf(context), out var id))
            return null;
        if (id.IsHttp)
            return connections.FindHttp(id) is { } place ? EntryOf(place) : null;
        return connections.FindUaTcp(id) is { } report ? EntryOf(report) : null;
    }

    private ConnectionEntry EntryOf(ConnectionReport one) => new(
        new ConnectionId(false, one.Serial, one.Place), one, null, time.GetUtcNow().UtcDateTime, one.Age, one.Idle);

    private ConnectionEntry EntryOf(HttpPlace one) => new(
        new ConnectionId(true, one.Serial, one.Number), null, one, time.GetUtcNow().UtcDateTime,
        connections.Since(one.Since), one.IdleSince is var idle and not 0 ? connections.Since(idle) : TimeSpan.Zero);

    private static string? AddressOf(ConnectionEntry one) =>
        one.Http?.Address.ToString() ?? one.UaTcp?.RemoteEndPoint?.ToString();

    private static string StateOf(ConnectionEntry one) => one.Http is { } http
        ? http.IdleSince == 0 ? "busy" : "idle"
        : one.UaTcp!.State.ToString().ToLowerInvariant();

    private static List<string> WhyOf(ConnectionEntry one)
    {
        var why = new List<string>();
        if (one.UaTcp is not { } connection)
            return why;
        if (connection.State is ConnectionState.Hello or ConnectionState.Opening)
            why.Add("it has no SecureChannel yet: its client, its certificate or a handshake's turn is awaited");
        if (connection.Stalled is { } stalled)
            why.Add(string.Create(
                CultureInfo.InvariantCulture, $"its client has taken nothing for {stalled.TotalSeconds:0.0} s"));
        if ((connection.Client.Certificate ?? connection.Client.Address).Refusals is > 0 and var refusals)
            why.Add(string.Create(
                CultureInfo.InvariantCulture, $"its client was refused {refusals} times: see /admission/decisions"));
        return why;
    }

    private static string IdOf(HttpContext context) => (string?)context.Request.RouteValues["id"] ?? "";

    private static Task MissingAsync(HttpContext context) => Problem.WriteAsync(
        context, Microsoft.AspNetCore.Http.StatusCodes.Status404NotFound, "There is no such connection",
        StatusCodes.BadSecureChannelIdInvalid);
}
