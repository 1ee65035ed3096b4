using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Sessions;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Events;

/// <summary>
/// The events and conditions of one upstream: one subscription with one item on its Server object, however many clients
/// there are here, and whether one watches or not: the conditions have to be known to a client that comes later. It is
/// made once the upstream has been browsed, so that each event finds its source, and it goes on over a lost connection
/// like that of the values. Threads: <see cref="FollowAsync"/> is a job of the connector; calls from any. Source:
/// Part 9 §4.5, §5.5.7; Part 4 §5.13.1.
/// </summary>
internal sealed partial class UpstreamEvents : IDisposable
{
    private const uint ItemHandle = 1;
    private const int NotificationsPerPublish = 1_000;

    /// <summary>Conditions told at once when the upstream is away.</summary>
    private const int AwaySlice = 64;

    /// <summary>Before a subscription that the upstream has ended is made anew.</summary>
    private static readonly TimeSpan EndPause = TimeSpan.FromSeconds(5);

    private readonly string _name;
    private UpstreamOptions _options = new();
    private readonly NodeId _root;
    private readonly UpstreamContext _context;
    private readonly UpstreamMetrics _metrics;
    private readonly ILogger _log;
    private readonly ConditionMirror _mirror;
    private EventLayouts? _layouts;
    private EventSelection? _selection;
    private EventService? _service;
    private CancellationTokenSource? _telling;
    private Task _told = Task.CompletedTask;
    private bool _wasAway;
    private volatile bool _isModelChanged;

    public UpstreamEvents(
        string name, NodeId root, UpstreamContext context, IConditionForwarder forwarder, UpstreamMetrics metrics)
    {
        (_name, _root, _context, _metrics) = (name, root, context, metrics);
        _log = context.Loggers.CreateLogger<UpstreamEvents>();
        var limits = context.Limits;
        _mirror = context.Conditions!.Open(root, forwarder, new MirrorLimits(
            () => limits.MaxUpstreamConditions, () => limits.MaxUpstreamConditionBytes));
        metrics.WatchConditions(_mirror);
    }

    /// <summary>While there is no connection.</summary>
    public void Configure(UpstreamOptions options) => _options = options;

    /// <summary>The upstream's nodes are others: its types of events may have other fields.</summary>
    public void OnModelChanged()
    {
        _isModelChanged = true;
        Volatile.Read(ref _service)?.Intake.Wake();
    }

    /// <summary>Called where the upstream says that its nodes have changed.</summary>
    public Action? OnModelChangeTold { get; set; }

    /// <summary>The subscription is about to go on upon another connection.</summary>
    /// <param name="session">Upon it.</param>
    public void OnResuming(IUpstreamSession session)
    {
        if (_service is { } service && session.Has(service.Subscription))
            service.Intake.OnResuming();
        else
            OnGone();
    }

    /// <summary>The session goes on, and the subscription in it does not: it would stay there.</summary>
    public async ValueTask LeaveAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        if (_service is { } service && session.Has(service.Subscription))
            await UnsubscribeAsync(session, service.Subscription, cancellation).ConfigureAwait(false);
    }

    /// <summary>Nothing goes on: the subscription is made anew.</summary>
    public void OnGone() => Volatile.Write(ref _service, null);

    /// <summary>The upstream is away, for longer than the bridge lasts: all retained conditions are told so.</summary>
    public void OnAway()
    {
        if (_mirror.Count == 0 || !_told.IsCompleted)
            return;
        _wasAway = true;
        _telling = new CancellationTokenSource();
        _told = TellAwayAsync(_telling.Token);
    }

    /// <summary>Until the connection ends. Errors: <c>ServiceException</c> where it is lost.</summary>
    /// <param name="link">The connection.</param>
    /// <param name="browsed">Ends when the upstream's nodes are there.</param>
    /// <param name="cancellation">The end.</param>
    public async Task FollowAsync(UpstreamLink link, Task browsed, CancellationToken cancellation)
    {
        // Nothing is told as away any more: the upstream says how it is.
        if (_telling is { } telling)
            await telling.CancelAsync().ConfigureAwait(false);
        await _told.ConfigureAwait(false);
        await browsed.WaitAsync(cancellation).ConfigureAwait(false);
        while (_options.Events)
        {
            if (_service is null && !await TrySubscribeAsync(link, cancellation).ConfigureAwait(false))
                return;
            var service = _service!;
            service.Follow(link, _wasAway);
            _wasAway = false;
            await ServeAsync(service, cancellation).ConfigureAwait(false);
            OnGone();
            await UnsubscribeAsync(link.Session, service.Subscription, cancellation).ConfigureAwait(false);
            if (service.Intake.Flood is { } bound)
            {
                _metrics.Met(bound);
                Flooded(_name, bound.ToString(), _context.Limits.UpstreamFaultPause.TotalSeconds);
                await Task.Delay(_context.Limits.UpstreamFaultPause, _context.Time, cancellation)
                    .ConfigureAwait(false);
            }
            else if (service.Intake.HasEnded)
            {
                await Task.Delay(EndPause, _context.Time, cancellation).ConfigureAwait(false);
            }
        }
    }

    public void Dispose()
    {
        _telling?.Cancel();
        _mirror.Dispose();
    }

    /// <summary>Until the subscription has ended, met a bound, or has to ask for other fields.</summary>
    private async Task ServeAsync(EventService service, CancellationToken cancellation)
    {
        while (!service.Intake.HasEnded && service.Intake.Flood is null)
        {
            service.TakeAll();
            if (service.Look(cancellation) is { } failure)
                RefreshFailed(_name, failure);
            if (_isModelChanged && !IsSelectionSame(service.Link))
                return;
            await service.Intake.WaitAsync(service.Due, cancellation).ConfigureAwait(false);
        }
    }

    private bool IsSelectionSame(UpstreamLink link)
    {
        _isModelChanged = false;
        return _selection is not { } before || Select(link).IsSame(before);
    }

    private EventSelection Select(UpstreamLink link)
    {
        var selection = EventSelection.Of(
            _context.Nodes, link.Namespaces, _context.Limits.MaxUpstreamEventFields, out var isCut);
        if (isCut)
            _metrics.Met(UpstreamBound.MaxUpstreamEventFields);
        return selection;
    }

    /// <summary>False: the upstream has no events for us.</summary>
    private async ValueTask<bool> TrySubscribeAsync(UpstreamLink link, CancellationToken cancellation)
    {
        _isModelChanged = false;
        var selection = Select(link);
        if (_selection is not { } before || !selection.IsSame(before))
            _layouts = null;
        _selection = selection;
        var intake = new EventIntake(_context.Limits, _metrics, _context.Time, _options.PublishingIntervalMs)
        {
            OnModelChange = OnModelChangeTold,
        };
        GrantedSubscription subscription;
        try
        {
            subscription = await link.Session.SubscribeAsync(
                UpstreamSubscriptions.Settings(_options.PublishingIntervalMs, NotificationsPerPublish), intake,
                cancellation).ConfigureAwait(false);
        }
        catch (ServiceException refused) when (!refused.IsConnectionLost)
        {
            NoEvents(_name, refused.Status);
            return false;
        }

        var asked = selection;
        var status = await CreateItemAsync(link, subscription, asked, cancellation).ConfigureAwait(false);
        if (status.IsBad)
            status = await CreateItemAsync(link, subscription, asked = selection.Least, cancellation)
                .ConfigureAwait(false);
        if (status.IsBad)
        {
            NoEvents(_name, status);
            await UnsubscribeAsync(link.Session, subscription, cancellation).ConfigureAwait(false);
            return false;
        }

        if (_layouts?.Fields.Length != asked.Fields.Length)
            _layouts = new EventLayouts(_context.Nodes, asked.Fields);
        Subscribed(_name, asked.Fields.Length);
        Volatile.Write(ref _service, new EventService(
            subscription, intake, _layouts, _mirror, _root, _context, _metrics));
        return true;
    }

    private async ValueTask<StatusCode> CreateItemAsync(
        UpstreamLink link, GrantedSubscription subscription, EventSelection selection, CancellationToken cancellation)
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
                        QueueSize = (uint)_context.Limits.MaxUpstreamPendingEvents,
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

    private static async ValueTask UnsubscribeAsync(
        IUpstreamSession session, GrantedSubscription subscription, CancellationToken cancellation)
    {
        try
        {
            await session.UnsubscribeAsync(subscription, cancellation).ConfigureAwait(false);
        }
        catch (ServiceException refused) when (!refused.IsConnectionLost)
        {
            // The upstream has none of that number any more.
        }
    }

    private async Task TellAwayAsync(CancellationToken cancellation)
    {
        await Task.Yield();
        while (!cancellation.IsCancellationRequested && _mirror.TellAway(AwaySlice))
            await Task.Yield();
    }

    [LoggerMessage(5080, LogLevel.Information,
        "Upstream {Upstream}: the gateway follows its events, {Fields} fields each")]
    private partial void Subscribed(string upstream, int fields);

    [LoggerMessage(5081, LogLevel.Information,
        "Upstream {Upstream} gives no events to the gateway ({Status}): its alarms are not seen here")]
    private partial void NoEvents(string upstream, StatusCode status);

    [LoggerMessage(5082, LogLevel.Warning,
        "Upstream {Upstream} sends more events than it may ({Bound}): the gateway takes none for {Seconds:0} s, then "
            + "it refreshes the conditions")]
    private partial void Flooded(string upstream, string bound, double seconds);

    [LoggerMessage(5083, LogLevel.Warning,
        "Upstream {Upstream}: the refresh of its conditions failed ({Status}); how its alarms of before are shows only "
            + "with their next events")]
    private partial void RefreshFailed(string upstream, StatusCode status);
}
