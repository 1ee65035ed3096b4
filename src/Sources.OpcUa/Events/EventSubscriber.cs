using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>Makes the subscription to the events of a server, with one item on its Server object. Threads: any. Source:
/// Part 4 §5.13.1.</summary>
internal sealed class EventSubscriber(UpstreamContext context, UpstreamMetrics metrics)
{
    private const uint ItemHandle = 1;
    private const int NotificationsPerPublish = 1_000;

    private readonly Lock _lock = new();
    private EventLayouts? _layouts;

    /// <summary>The fields that are wanted now.</summary>
    public EventSelection Select(UpstreamLink link)
    {
        var selection = EventSelection.Of(
            context.Nodes, link.Namespaces, context.Limits.MaxUpstreamEventFields, out var isCut);
        if (isCut)
            metrics.Met(UpstreamBound.MaxUpstreamEventFields);
        return selection;
    }

    /// <summary>Errors: <see cref="ServiceException"/> where the connection is lost.</summary>
    /// <param name="link">To the server.</param>
    /// <param name="intake">Of the events.</param>
    /// <param name="handler">That hands them to the intake.</param>
    /// <param name="settings">Of the subscription.</param>
    /// <param name="queueSize">Of the item.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>No feed: the server has no events for us, and why.</returns>
    public async ValueTask<(EventFeed? Feed, StatusCode Status)> SubscribeAsync(
        UpstreamLink link, EventIntake intake, ISubscriptionHandler handler, SubscriptionSettings settings,
        int queueSize, CancellationToken cancellation)
    {
        var selection = Select(link);
        GrantedSubscription subscription;
        try
        {
            subscription = await link.Session.SubscribeAsync(settings, handler, cancellation).ConfigureAwait(false);
            intake.Subscription = subscription;
        }
        catch (ServiceException refused) when (!refused.IsConnectionLost)
        {
            return (null, refused.Status);
        }

        var asked = selection;
        var status = await CreateItemAsync(link, subscription, asked, queueSize, cancellation).ConfigureAwait(false);
        if (status.IsBad)
            status = await CreateItemAsync(link, subscription, asked = selection.Least, queueSize, cancellation)
                .ConfigureAwait(false);
        if (!status.IsBad)
            return (new EventFeed(subscription, intake, LayoutsOf(asked.Fields), selection), status);
        await LeaveAsync(link.Session, subscription, cancellation).ConfigureAwait(false);
        return (null, status);
    }

    /// <summary>One that the server does not delete is left: it has no item, or brings nothing any more, and is not
    /// worth the connection of the values.</summary>
    public static async ValueTask LeaveAsync(
        IUpstreamSession session, GrantedSubscription subscription, CancellationToken cancellation)
    {
        try
        {
            await session.UnsubscribeAsync(subscription, cancellation).ConfigureAwait(false);
        }
        catch (ServiceException refused) when (!refused.IsConnectionLost)
        {
            // As above.
        }
    }

    public static SubscriptionSettings Settings(double publishingIntervalMs) =>
        UpstreamSubscriptions.Settings(publishingIntervalMs, NotificationsPerPublish);

    /// <summary>One for the same fields, whatever the server: filters keep a plan for each of its layouts.</summary>
    private EventLayouts LayoutsOf(EventField[] fields)
    {
        lock (_lock)
        {
            if (_layouts is not { } before || !EventSelection.AreSame(before.Fields, fields))
                _layouts = new EventLayouts(context.Nodes, fields);
            return _layouts;
        }
    }

    private static async ValueTask<StatusCode> CreateItemAsync(
        UpstreamLink link, GrantedSubscription subscription, EventSelection selection, int queueSize,
        CancellationToken cancellation)
    {
        var request = new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription.Id,
            TimestampsToReturn = TimestampsToReturn.Neither,
            ItemsToCreate =
            [
                new MonitoredItemCreateRequest
                {
                    ItemToMonitor = new ReadValueId
                    {
                        NodeId = new NodeId(StandardIds.Objects.Server),
                        AttributeId = (uint)AttributeId.EventNotifier,
                    },
                    MonitoringMode = MonitoringMode.Reporting,
                    RequestedParameters = new MonitoringParameters
                    {
                        ClientHandle = ItemHandle,
                        QueueSize = (uint)queueSize,
                        DiscardOldest = true,
                        Filter = new ExtensionObject(new EventFilter { SelectClauses = selection.Clauses }),
                    },
                },
            ],
        };
        try
        {
            var response = await link.Session
                .InvokeAsync<CreateMonitoredItemsRequest, CreateMonitoredItemsResponse>(request, cancellation)
                .ConfigureAwait(false);
            return UpstreamRequests.Matching(response.Results, 1)[0].StatusCode;
        }
        catch (ServiceException refused) when (!refused.IsConnectionLost)
        {
            return refused.Status;
        }
    }
}
