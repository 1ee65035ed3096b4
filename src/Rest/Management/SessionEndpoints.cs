using System.Globalization;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Lists;
using Gateway.Rest.Routing;
using Gateway.Server.Management;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary><c>GET /sessions</c>, <c>GET /sessions/{id}</c>, <c>DELETE /sessions/{id}</c>. Thread-safe.</summary>
internal sealed class SessionEndpoints(SessionDirectory sessions, ManagementRequests requests)
{
    /// <summary>How audit lines and clients write the id.</summary>
    private const string Prefix = "ns=1;g=";

    private static readonly Columns<SessionReport> Columns = new(
        Columns<SessionReport>.Text("id", static one => one.Id.ToString()),
        Columns<SessionReport>.Text("name", static one => one.Name),
        Columns<SessionReport>.Text("applicationName", static one => one.ApplicationName),
        Columns<SessionReport>.Text("applicationUri", static one => one.ApplicationUri),
        Columns<SessionReport>.Text("state", static one => one.State.ToString().ToLowerInvariant()),
        Columns<SessionReport>.Text("user", static one => one.User, GatewayPermission.ReadIdentities),
        Columns<SessionReport>.Text("certificate", static one => one.Certificate, GatewayPermission.ReadIdentities),
        Columns<SessionReport>.Text(
            "subject", static one => one.CertificateSubject, GatewayPermission.ReadIdentities),
        Columns<SessionReport>.Text("door", static one => one.Door),
        Columns<SessionReport>.Text("address", static one => one.RemoteEndPoint?.ToString()),
        Columns<SessionReport>.NumberIfAny("channelId", static one => one.ChannelId == 0 ? null : one.ChannelId),
        Columns<SessionReport>.Text("securityPolicy", static one => one.SecurityPolicy),
        Columns<SessionReport>.Text("securityMode", static one => one.SecurityMode.ToString()),
        Columns<SessionReport>.Time("since", static one => one.Since),
        Columns<SessionReport>.Time("lastActivity", static one => one.LastActivity),
        Columns<SessionReport>.Real("timeoutMs", static one => one.Timeout.TotalMilliseconds),
        Columns<SessionReport>.Number("subscriptions", static one => one.Subscriptions),
        Columns<SessionReport>.Number("monitoredItems", static one => one.MonitoredItems),
        Columns<SessionReport>.Number("queueCapacity", static one => one.Totals.QueueCapacity),
        Columns<SessionReport>.Number("queueOverflows", static one => one.Totals.QueueOverflows),
        Columns<SessionReport>.Number("publishRequests", static one => one.PublishRequests),
        Columns<SessionReport>.Number("pendingRequests", static one => one.PendingRequests),
        Columns<SessionReport>.Number("requests", static one => one.Requests),
        Columns<SessionReport>.Number("failedRequests", static one => one.FailedRequests),
        Columns<SessionReport>.Number("notifications", static one => one.Totals.Notifications),
        Columns<SessionReport>.Number("lateSubscriptions", static one => one.Totals.LateSubscriptions),
        Columns<SessionReport>.Number("lateCycles", static one => one.Totals.LateCycles),
        Columns<SessionReport>.Texts("why", WhyOf));

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/sessions", ListAsync) { Operations = [SessionsApi.List] },
        new("GET", "/sessions/{id}", GetAsync) { Operations = [SessionsApi.Get] },
        new("DELETE", "/sessions/{id}", EndAsync) { Operations = [SessionsApi.Delete] },
    ];

    private Task ListAsync(HttpContext context) => requests.ListAsync(
        context, GatewayPermission.ReadClients, "sessions", Columns, ReadPage);

    private Task GetAsync(HttpContext context) => requests.FindAsync(
        context, GatewayPermission.ReadClients, Columns,
        () => TryParse(context, out var id) ? sessions.Find(id) : null, () => MissingAsync(context));

    private Task EndAsync(HttpContext context) => requests.RunAsync(context, GatewayPermission.EndClients, caller =>
    {
        if (!TryParse(context, out var id) || !sessions.End(id, caller))
            return MissingAsync(context);
        context.Response.StatusCode = Microsoft.AspNetCore.Http.StatusCodes.Status204NoContent;
        return Task.CompletedTask;
    });

    private (IReadOnlyList<SessionReport>? Entries, string? Next) ReadPage(PageQuery page)
    {
        if (!TryReadPlace(page.Cursor, out var from))
            return default;
        var entries = new List<SessionReport>();
        var next = sessions.Read(from, page.Limit, entries);
        return (entries, next < 0 ? null : next.ToString(CultureInfo.InvariantCulture));
    }

    /// <summary>The cursor is the place to go on at: the gateway keeps nothing between pages.</summary>
    internal static bool TryReadPlace(string cursor, out int place)
    {
        place = 0;
        return cursor.Length == 0 ||
            int.TryParse(cursor, NumberStyles.None, CultureInfo.InvariantCulture, out place);
    }

    /// <summary>Why it is slow, or was refused something, as far as that shows.</summary>
    private static List<string> WhyOf(SessionReport session)
    {
        var why = new List<string>();
        if (session.State == SessionPhase.Waiting)
            why.Add("its connection is gone: it waits for its client until its time-out");
        if (session.Totals.LateSubscriptions > 0)
            why.Add("its client sends too few Publish requests: subscriptions are late");
        if (session.Totals.QueueOverflows > 0)
            why.Add("queues were full and dropped values: its client is too slow, or its queues are too short");
        if (session.RefusedPublishRequests > 0)
            why.Add(string.Create(
                CultureInfo.InvariantCulture, $"{session.RefusedPublishRequests} held Publish requests were refused"));
        if (session.UnauthorizedRequests > 0)
            why.Add(string.Create(
                CultureInfo.InvariantCulture, $"{session.UnauthorizedRequests} requests were refused for its rights"));
        if (session.Refusals > 0)
            why.Add(string.Create(
                CultureInfo.InvariantCulture,
                $"its client was refused {session.Refusals} times: see /admission/decisions"));
        return why;
    }

    private static bool TryParse(HttpContext context, out Guid id)
    {
        var text = (string?)context.Request.RouteValues["id"] ?? "";
        return Guid.TryParseExact(
            text.StartsWith(Prefix, StringComparison.Ordinal) ? text[Prefix.Length..] : text, "D", out id);
    }

    private static Task MissingAsync(HttpContext context) => Problem.WriteAsync(
        context, Microsoft.AspNetCore.Http.StatusCodes.Status404NotFound, "There is no such session",
        StatusCodes.BadSessionIdInvalid);
}
