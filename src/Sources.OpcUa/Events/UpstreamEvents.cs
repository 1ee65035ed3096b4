using Gateway.Client;
using Gateway.Client.Subscriptions;
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
    private readonly EventSubscriber _subscriber;
    private ToldEvents? _last;
    private EventService? _service;

    /// <summary>Of the subscription that was made last.</summary>
    private EventIntake? _made;
    private int _modelVersion = 1;
    private CancellationTokenSource? _telling;
    private Task _told = Task.CompletedTask;
    private bool _wasAway;
    private volatile bool _isModelChanged;

    public UpstreamEvents(
        string name, NodeId root, UpstreamContext context, IConditionForwarder forwarder, UpstreamMetrics metrics)
    {
        (_name, _root, _context, _metrics) = (name, root, context, metrics);
        _log = context.Loggers.CreateLogger<UpstreamEvents>();
        _subscriber = new EventSubscriber(context, metrics);
        var limits = context.Limits;
        _mirror = context.Conditions!.Open(root, forwarder, new MirrorLimits(
            () => limits.MaxUpstreamConditions, () => limits.MaxUpstreamConditionBytes));
        metrics.WatchConditions(_mirror);
    }

    /// <summary>While there is no connection.</summary>
    public void Configure(UpstreamOptions options)
    {
        _options = options;
        _last = options.BackupUrls.Length > 0
            ? _last ?? new ToldEvents(_context.Time, () => _context.Limits.MaxUpstreamPendingEvents)
            : null;
    }

    /// <summary>The upstream's nodes are others: its types of events may have other fields.</summary>
    public void OnModelChanged()
    {
        _isModelChanged = true;
        Interlocked.Increment(ref _modelVersion);
        Volatile.Read(ref _service)?.Intake.Wake();
    }

    /// <summary>Called where the upstream says that its nodes have changed.</summary>
    public Action? OnModelChangeTold { get; set; }

    /// <summary>Changes where a subscription that stands by may have to ask for other fields.</summary>
    public int ModelVersion => Volatile.Read(ref _modelVersion);

    /// <summary>Subscribes at a server that stands by. Its events come when it takes over: <see cref="OnAdopted"/>.
    /// Errors: <see cref="ServiceException"/> where the connection is lost. Thread: any.</summary>
    /// <param name="link">To that server.</param>
    /// <param name="handlerOf">The way to the intake.</param>
    /// <param name="cancellation">Ends it.</param>
    /// <returns>Null: they are asked for when it takes over.</returns>
    public async ValueTask<EventFeed?> TryStandByAsync(
        UpstreamLink link, Func<EventIntake, ISubscriptionHandler> handlerOf, CancellationToken cancellation)
    {
        if (!_options.Events)
            return null;
        var intake = NewIntake();
        var settings = EventSubscriber.Settings(_options.PublishingIntervalMs) with { PublishingEnabled = false };
        var (feed, status) = await _subscriber.SubscribeAsync(
            link, intake, handlerOf(intake), settings, _context.Limits.MaxUpstreamPendingEvents, cancellation)
            .ConfigureAwait(false);
        if (feed is null)
            NoStandby(_name, status);
        return feed;
    }

    /// <summary>The same fields are wanted still.</summary>
    public bool IsSame(EventFeed feed, UpstreamLink link) => _subscriber.Select(link).IsSame(feed.Selection);

    /// <summary>The server that stood by has taken over: its queue is about to come. The conditions are refreshed at
    /// once.</summary>
    /// <param name="feed">Null: there is none.</param>
    public void OnAdopted(EventFeed? feed)
    {
        OnGone();
        if (feed is null)
            return;
        _last?.Begin();
        Serve(feed);
    }

    /// <summary>The subscription is about to go on upon another connection.</summary>
    /// <param name="session">Upon it.</param>
    public void OnResuming(IUpstreamSession session)
    {
        if (_service is { } service && session.Has(service.Feed.Subscription))
            service.Intake.OnResuming();
        else
            OnGone();
    }

    /// <summary>The session goes on, and the subscription in it does not: it would stay there.</summary>
    public async ValueTask LeaveAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        if (_service is { } service && session.Has(service.Feed.Subscription))
            await session.UnsubscribeAsync(service.Feed.Subscription, cancellation)
                .ConfigureAwait(false);
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
        // With a server that stood by the subscription has come, and the nodes are known.
        if (_service is null)
            await browsed.WaitAsync(cancellation).ConfigureAwait(false);
        while (_options.Events)
        {
            if (_service is null && !await TrySubscribeAsync(link, cancellation).ConfigureAwait(false))
                return;
            var service = _service!;
            service.Follow(link, _wasAway);
            _wasAway = false;
            await ServeAsync(service, cancellation).ConfigureAwait(false);
            // The connection has ended, and not the subscription: it goes on upon the next one.
            if (service.Intake.HasEnded && link.Session.Has(service.Feed.Subscription))
                return;
            OnGone();
            await EventSubscriber.LeaveAsync(link.Session, service.Feed.Subscription, cancellation)
                .ConfigureAwait(false);
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
            if (_isModelChanged && !IsSelectionSame(service))
                return;
            await service.Intake.WaitAsync(service.Due, cancellation).ConfigureAwait(false);
        }
    }

    private bool IsSelectionSame(EventService service)
    {
        _isModelChanged = false;
        return IsSame(service.Feed, service.Link);
    }

    /// <summary>False: the upstream has no events for us.</summary>
    private async ValueTask<bool> TrySubscribeAsync(UpstreamLink link, CancellationToken cancellation)
    {
        // The last connection ended before it had an item, or before it was deleted, and it has come along.
        if (_made?.Subscription is { } stray && link.Session.Has(stray))
            await EventSubscriber.LeaveAsync(link.Session, stray, cancellation).ConfigureAwait(false);
        _isModelChanged = false;
        var intake = _made = NewIntake();
        var (feed, status) = await _subscriber.SubscribeAsync(
            link, intake, intake, EventSubscriber.Settings(_options.PublishingIntervalMs),
            _context.Limits.MaxUpstreamPendingEvents, cancellation).ConfigureAwait(false);
        if (feed is null)
        {
            NoEvents(_name, status);
            return false;
        }

        Subscribed(_name, feed.Layouts.Fields.Length);
        Serve(feed);
        return true;
    }

    private void Serve(EventFeed feed)
    {
        _made = feed.Intake;
        Volatile.Write(ref _service, new EventService(feed, _mirror, _root, _context, _metrics, _last));
    }

    private EventIntake NewIntake() => new(_context.Limits, _metrics, _context.Time, _options.PublishingIntervalMs)
    {
        OnModelChange = OnModelChangeTold,
    };

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

    [LoggerMessage(5084, LogLevel.Information,
        "Upstream {Upstream}: the server that stands by gives no events to the gateway ({Status}): behind a failover "
            + "to it they are asked for anew")]
    private partial void NoStandby(string upstream, StatusCode status);

    [LoggerMessage(5082, LogLevel.Warning,
        "Upstream {Upstream} sends more events than it may ({Bound}): the gateway takes none for {Seconds:0} s, then "
            + "it refreshes the conditions")]
    private partial void Flooded(string upstream, string bound, double seconds);

    [LoggerMessage(5083, LogLevel.Warning,
        "Upstream {Upstream}: the refresh of its conditions failed ({Status}); how its alarms of before are shows only "
            + "with their next events")]
    private partial void RefreshFailed(string upstream, StatusCode status);
}
