using System.Globalization;
using System.Net;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Lists;
using Gateway.Rest.Management;
using Gateway.Rest.Routing;
using Gateway.Server.Management;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Clients;

/// <summary><c>GET /clients?by=…</c>: the sessions put together by user, address, application or certificate.
/// Thread-safe.</summary>
internal sealed class ClientEndpoints(SessionDirectory sessions, ManagementRequests requests, TimeProvider time)
{
    public const string ByUser = "user";
    public const string ByAddress = "address";
    public const string ByApplication = "application";
    public const string ByCertificate = "certificate";

    private const string ExpectedBy = "by: expected user, address, application or certificate";

    private static readonly Columns<SessionGroup> Columns = new(
        Columns<SessionGroup>.Text("key", static one => one.Key),
        Columns<SessionGroup>.Text("subject", static one => one.Subject),
        Columns<SessionGroup>.Number("sessions", static one => one.Sessions),
        Columns<SessionGroup>.Number("waiting", static one => one.Waiting),
        Columns<SessionGroup>.Number("subscriptions", static one => one.Subscriptions),
        Columns<SessionGroup>.Number("monitoredItems", static one => one.MonitoredItems),
        Columns<SessionGroup>.Number("queueCapacity", static one => one.QueueCapacity),
        Columns<SessionGroup>.Number("queueOverflows", static one => one.QueueOverflows),
        Columns<SessionGroup>.Number("notifications", static one => one.Notifications),
        new Column<SessionGroup>("notificationsPerSecond", static (json, one) =>
        {
            if (one.NotificationsPerSecond is { } rate)
                json.WriteNumber("notificationsPerSecond", Math.Round(rate, 2));
        }),
        Columns<SessionGroup>.Number("lateSubscriptions", static one => one.LateSubscriptions),
        Columns<SessionGroup>.Number("lateCycles", static one => one.LateCycles),
        Columns<SessionGroup>.Time("since", static one => one.Since));

    private readonly Dictionary<string, (GatewayPermission Needed, SessionGroups Groups)> _by = new()
    {
        [ByUser] = (GatewayPermission.ReadIdentities, new(static one => one.User, NoSubject, sessions.Read, time)),
        [ByAddress] = (GatewayPermission.ReadClients, new(AddressOf, NoSubject, sessions.Read, time)),
        [ByApplication] = (GatewayPermission.ReadClients, new(ApplicationOf, NoSubject, sessions.Read, time)),
        [ByCertificate] = (
            GatewayPermission.ReadIdentities,
            new(static one => one.Certificate, static one => one.CertificateSubject, sessions.Read, time)),
    };

    public IEnumerable<RestRoute> Routes => [new("GET", "/clients", ListAsync) { Operations = [ClientsApi.List] }];

    private Task ListAsync(HttpContext context) =>
        _by.TryGetValue(context.Request.Query["by"].ToString(), out var by)
            ? requests.ListAsync(context, by.Needed, "clients", Columns, page => ReadPageAsync(by.Groups, page))
            : Problem.WriteAsync(context, StatusCodes.BadInvalidArgument, ExpectedBy);

    /// <summary>The cursor is the index to go on at. Groups that have moved meanwhile may come twice, or not.</summary>
    private static async Task<(IReadOnlyList<SessionGroup>? Entries, string? Next)> ReadPageAsync(
        SessionGroups groups, PageQuery page)
    {
        if (!SessionEndpoints.TryReadPlace(page.Cursor, out var from))
            return default;
        var all = await groups.ReadAsync().ConfigureAwait(false);
        var next = (long)from + page.Limit;
        return (
            [.. all.Skip(from).Take(page.Limit)],
            next < all.Count ? next.ToString(CultureInfo.InvariantCulture) : null);
    }

    private static string? AddressOf(SessionReport one) =>
        one.RemoteEndPoint is IPEndPoint { Address: var address } ? address.ToString() : one.RemoteEndPoint?.ToString();

    private static string? ApplicationOf(SessionReport one) =>
        one.ApplicationUri.Length > 0 ? one.ApplicationUri : one.ApplicationName;

    private static string? NoSubject(SessionReport one) => null;
}
