using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Publish;

namespace Gateway.Rest.Tracing;

/// <summary>The part of a value's way behind the store, in words.</summary>
internal static class WatchHops
{
    /// <summary>An operator sees it in a plot.</summary>
    private static readonly TimeSpan Late = TimeSpan.FromMilliseconds(100);

    private static readonly TimeSpan VeryLate = TimeSpan.FromSeconds(2);

    private const string PubSubUser = "UserName:pubsub";

    /// <param name="watch">Of the node.</param>
    /// <param name="parked">Streams whose client is away: their queues are full, and nobody misses a value.</param>
    public static TraceHop Items(WatchReport watch, HashSet<uint> parked)
    {
        const string Title = "Monitored items";
        if (watch.Items == 0)
            return watch.Orphans > 0
                ? new("items", Title, HopState.Fault, "Items wait for this NodeId: the node was gone when they looked.")
                {
                    Remedy = "They go on by themselves when the node comes back.",
                    Facts = [("waiting", watch.Orphans)],
                }
                : new("items", Title, HopState.None, "No client watches this node.");
        var isSilent = watch.Silent == watch.Items;
        var isFull = watch.QueueCapacity > 0 && watch.Queued >= watch.QueueCapacity && LateOf(watch, parked) > 0;
        return new TraceHop("items", Title,
            isSilent ? HopState.Fault : isFull || watch.Silent > 0 ? HopState.Warning : HopState.Ok,
            isSilent ? "No item reports: their monitoring mode is Disabled or Sampling."
            : isFull ? "The queues are full: newer values replace older ones."
            : $"{watch.Items} items of {watch.Subscriptions} subscriptions watch it.")
        {
            Remedy = isSilent ? "Set the monitoring mode of the client's items to Reporting."
                : isFull ? "The clients take too little: they need more Publish requests, or a longer queue." : null,
            Facts =
            [
                ("items", watch.Items), ("notReporting", watch.Silent), ("waitingForNode", watch.Orphans),
                ("fastestSamplingMs", watch.FastestSamplingMs), ("slowestSamplingMs", watch.SlowestSamplingMs),
                ("queued", watch.Queued), ("queueCapacity", watch.QueueCapacity),
            ],
        };
    }

    public static TraceHop Sweep(WatchReport watch)
    {
        const string Title = "Sweep";
        if (watch.Items == 0)
            return new("sweep", Title, HopState.None, "No subscription has to be served for it.");
        var state = watch.Lateness >= VeryLate ? HopState.Fault
            : watch.Lateness >= Late ? HopState.Warning : HopState.Ok;
        return new TraceHop("sweep", Title, state, state == HopState.Ok
            ? "Subscriptions are served in time."
            : "Subscriptions are served late: the gateway has too little processor time.")
        {
            Remedy = state == HopState.Ok
                ? null
                : "Look at the processor on the overview. Give the gateway more cores, or let clients ask for less.",
            Facts = [("latenessMs", watch.Lateness.TotalMilliseconds), ("pendingChanges", watch.PendingChanges)],
        };
    }

    /// <param name="watch">Of the node.</param>
    /// <param name="parked">Streams whose client is away.</param>
    /// <param name="isNamed">The caller may see who they are.</param>
    public static IEnumerable<TraceHop> Consumers(WatchReport watch, HashSet<uint> parked, bool isNamed)
    {
        if (watch.Subscriptions == 0)
            return [new("sessions", "Sessions", HopState.None, "No session gets its values.")];
        if (isNamed)
            return watch.Watchers.Select(one => One(one, parked.Contains(one.SubscriptionId)));
        var late = LateOf(watch, parked);
        return
        [
            new("sessions", "Sessions and streams", late > 0 ? HopState.Warning : HopState.Ok,
                $"{watch.Subscriptions} get its values, {late} of them are late."),
        ];
    }

    private static int LateOf(WatchReport watch, HashSet<uint> parked) =>
        watch.Late - watch.Watchers.Count(one => one.IsLate && parked.Contains(one.SubscriptionId));

    private static TraceHop One(WatcherReport one, bool isParked)
    {
        var (state, words, remedy) = StateOf(one, isParked);
        var isPubSub = one.IsStream && one.Owner.UserKey == PubSubUser;
        return new TraceHop(
            one.IsStream ? "streams" : "sessions",
            isPubSub ? "WriterGroup of PubSub" : one.IsStream ? "Stream of HTTP" : "Session", state, words)
        {
            Remedy = remedy,
            Facts =
            [
                ("subscriptionId", one.SubscriptionId), ("sessionId", SessionOf(one)),
                ("applicationUri", PeerText.EscapeLine(one.Owner.ApplicationUri)),
                ("address", one.Owner.Address), ("publishingIntervalMs", one.PublishingIntervalMs),
                ("items", one.Items), ("queued", one.Queued), ("notifications", one.Notifications),
                ("discarded", one.Discarded),
            ],
        };
    }

    private static (HopState State, string Words, string? Remedy) StateOf(WatcherReport one, bool isParked)
    {
        if (isParked)
            return (HopState.None, "Its client has gone; the gateway keeps the stream for a while.", null);
        if (one.IsDetached)
            return (HopState.Fault, "Its session has ended; the subscription waits for another one to take it over.",
                "The client has to reconnect and transfer its subscription, or make a new one.");
        if (!one.IsPublishing)
            return (HopState.Fault, "The client has switched publishing off.",
                "The client has to call SetPublishingMode with true.");
        if (one.IsLate && one.IsStream)
            return (HopState.Warning, "The client takes its values more slowly than they come.",
                "Ask for a longer interval or fewer nodes, or look at the connection to the client.");
        if (one.IsLate)
            return (HopState.Fault, "It has values to send, and the client has no Publish request waiting.",
                "The client has to send more Publish requests, or its connection is too slow.");
        return (HopState.Ok, one.Notifications == 0 ? "It is served; nothing has been sent yet." : "It is served.",
            null);
    }

    private static string? SessionOf(WatcherReport one) =>
        !one.IsDetached && one.Owner.SessionId is { IdType: IdType.Guid } id ? id.Guid.ToString() : null;
}
