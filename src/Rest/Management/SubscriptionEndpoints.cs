using System.Globalization;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Rest.Answers;
using Gateway.Rest.Lists;
using Gateway.Rest.Routing;
using Microsoft.AspNetCore.Http;
using StatusCodes = Gateway.Codec.Types.StatusCodes;

namespace Gateway.Rest.Management;

/// <summary><c>GET /subscriptions</c>, those of sessions and the streams of HTTP; <c>GET /subscriptions/{id}</c>, of
/// sessions. Thread-safe.</summary>
internal sealed class SubscriptionEndpoints(PublishEngine publishing, ManagementRequests requests)
{
    private static readonly Columns<SubscriptionReport> Columns = new(
        Columns<SubscriptionReport>.Number("id", static one => one.Diagnostics.SubscriptionId),
        Columns<SubscriptionReport>.Text("kind", static one => one.IsStream ? "stream" : "session"),
        Columns<SubscriptionReport>.Text("state", StateOf),
        Columns<SubscriptionReport>.Text("sessionId", SessionOf),
        Columns<SubscriptionReport>.Text("user", UserOf, GatewayPermission.ReadIdentities),
        Columns<SubscriptionReport>.Text(
            "certificate", static one => one.Owner.Certificate, GatewayPermission.ReadIdentities),
        Columns<SubscriptionReport>.Text("address", static one => one.Owner.Address),
        Columns<SubscriptionReport>.Text("applicationUri", static one => one.Owner.ApplicationUri),
        Columns<SubscriptionReport>.Real("publishingIntervalMs", static one => one.Diagnostics.PublishingInterval),
        Columns<SubscriptionReport>.Flag("publishingEnabled", static one => one.Diagnostics.PublishingEnabled),
        Columns<SubscriptionReport>.Number("priority", static one => one.Diagnostics.Priority),
        Columns<SubscriptionReport>.Number("maxKeepAliveCount", static one => one.Diagnostics.MaxKeepAliveCount),
        Columns<SubscriptionReport>.Number("maxLifetimeCount", static one => one.Diagnostics.MaxLifetimeCount),
        Columns<SubscriptionReport>.Number("monitoredItems", static one => one.Diagnostics.MonitoredItemCount),
        Columns<SubscriptionReport>.Number("queueCapacity", static one => one.QueueCapacity),
        Columns<SubscriptionReport>.Number(
            "queueOverflows", static one => one.Diagnostics.MonitoringQueueOverflowCount),
        Columns<SubscriptionReport>.Number("discarded", static one => one.Discarded),
        Columns<SubscriptionReport>.Number("notifications", static one => one.Diagnostics.NotificationsCount),
        Columns<SubscriptionReport>.Number("lateCycles", static one => one.Diagnostics.LatePublishRequestCount),
        Columns<SubscriptionReport>.Number(
            "unacknowledged", static one => one.Diagnostics.UnacknowledgedMessageCount),
        Columns<SubscriptionReport>.Flag("durable", static one => one.IsDurable));

    public IEnumerable<RestRoute> Routes =>
    [
        new("GET", "/subscriptions", ListAsync) { Operations = [SubscriptionsApi.List] },
        new("GET", "/subscriptions/{id}", GetAsync) { Operations = [SubscriptionsApi.Get] },
    ];

    private Task ListAsync(HttpContext context) => requests.ListAsync(
        context, GatewayPermission.ReadClients, "subscriptions", Columns, ReadPage);

    private Task GetAsync(HttpContext context) => requests.FindAsync(
        context, GatewayPermission.ReadClients, Columns,
        () => uint.TryParse(
            (string?)context.Request.RouteValues["id"], NumberStyles.None, CultureInfo.InvariantCulture, out var id)
            ? publishing.ReadSubscription(id)
            : null,
        () => Problem.WriteAsync(
            context, Microsoft.AspNetCore.Http.StatusCodes.Status404NotFound, "There is no such subscription",
            StatusCodes.BadSubscriptionIdInvalid));

    private (IReadOnlyList<SubscriptionReport>? Entries, string? Next) ReadPage(PageQuery page)
    {
        if (!SessionEndpoints.TryReadPlace(page.Cursor, out var from))
            return default;
        var entries = new List<SubscriptionReport>();
        var next = publishing.ReadSubscriptions(from, page.Limit, entries);
        return (entries, next < 0 ? null : next.ToString(CultureInfo.InvariantCulture));
    }

    private static string StateOf(SubscriptionReport one) =>
        one.IsDetached ? "waiting" : one.IsLate ? "late" : "active";

    private static string? SessionOf(SubscriptionReport one) =>
        one.Diagnostics.SessionId is { IdType: IdType.Guid } id ? id.Guid.ToString() : null;

    /// <summary>The key begins with how the user proved who he is.</summary>
    private static string UserOf(SubscriptionReport one)
    {
        var key = one.Owner.UserKey;
        return one.Owner.IsAnonymous ? "anonymous" : key[(key.IndexOf(':', StringComparison.Ordinal) + 1)..];
    }
}
