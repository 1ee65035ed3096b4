using Gateway.AddressSpace.Sources;
using Gateway.Client;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Drift;
using Gateway.Sources.OpcUa.Events;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Sessions;
using Microsoft.Extensions.Logging;
using Polly;

namespace Gateway.Sources.OpcUa;

/// <summary>One upstream: connects, maps its namespaces, takes its nodes over, follows downstream's wishes, and begins
/// again when the connection ends. After a loss it goes on with the session or the subscription of before, where the
/// upstream has them still. One loop; it owns the link that the source uses. Shape: connect → browse → serve → away →
/// resume or connect → …</summary>
internal sealed partial class UpstreamConnector : IAsyncDisposable
{
    // Of these the loop reads; they change while there is none.
    private UpstreamOptions _options;
    private IUpstreamConnection _connection;
    private CancellationTokenSource _stop = new();
    private ResiliencePipeline _connect;
    private readonly UpstreamContext _context;
    private readonly UpstreamMetrics _metrics;
    private readonly UpstreamHealth _health;
    private readonly UpstreamLoad _load;
    private readonly FailureTeller _failures;
    private readonly ILogger _log;
    private Task _loop = Task.CompletedTask;
    private readonly ModelFollower _model;
    private readonly DriftGuard _drift;
    internal HotStandby Standby { get; }
    private UpstreamLoss? _loss;
    private ConnectionStays _stays;

    /// <summary>Another server takes over from one that is in bad order: the values keep their status.</summary>
    private bool _isHandover;
    private int _disposed;

    public UpstreamConnector(
        UpstreamOptions options, IUpstreamConnection connection, UpstreamContext context, NodeId root,
        Task earlierClaimed)
    {
        (_options, _connection, _context) = (options, connection, context);
        _log = context.Loggers.CreateLogger<UpstreamConnector>();
        _stays = new ConnectionStays(context.Time);
        _metrics = new UpstreamMetrics(options.Name, options.InsecureReason is not null, context.Time);
        _load = new UpstreamLoad(options, context.Limits, context.Time, context.Loggers.CreateLogger<UpstreamLoad>());
        _health = new UpstreamHealth(options, _metrics, _load, context.Time);
        _failures = new FailureTeller(_metrics, _health, context.Own, _log);
        _connect = UpstreamPipelines.Connect(
            context.Time, failure => UpstreamLoss.DelayOf(_loss, failure), OnConnectFailed);
        Source = new UpstreamSource(
            context.Nodes, context.Values, context.Time, _metrics, context.Limits, options.PublishingIntervalMs,
            UpstreamPipelines.Requests(context.Time, OnCircuitBroke));
        Source.Follower.Load = _load;
        Source.Follower.OnShortQueue = (asked, granted) => ShortQueue(_options.Name, granted, asked);
        _metrics.Watch(() => Source.Items.ActiveCount, () => Source.Items.CyclicCount, _load);
        Events = context.Conditions is null ? null : new UpstreamEvents(options.Name, root, context, Source, _metrics);
        var merger = new SpaceMerger(
            root, Source, new StoreSource(context.Values, context.Time), context.Nodes, context.Values, context.Shared,
            options.MaxNodes);
        _drift = new DriftGuard(options.Name, context.Drift, context.Time, _log);
        _model = new ModelFollower(options, context, merger, _drift, _metrics, _health, earlierClaimed, _log);
        Standby = new HotStandby(context, Source, _model, _load, _metrics, _log) { Events = Events };
        if (options.DriftGuard)
            _drift.Restore();
        _metrics.WatchDrift(() => _drift.Report);
        _metrics.WatchRedundancy(() => _connection.Redundancy);
        _model.OnSynchronized = () => Events?.OnModelChanged();
        if (Events is not null)
            Events.OnModelChangeTold = _model.BrowseSoon;
        Configure(options);
    }

    public UpstreamSource Source { get; }

    /// <summary>Null: no events are followed.</summary>
    public UpstreamEvents? Events { get; }

    public Upstreams.UpstreamReport Report => _health.Report with
    {
        Drift = _options.DriftGuard ? _drift.Report : null,
        Redundancy = _connection.Redundancy,
        Certificates = _connection.Certificates,
    };

    /// <summary>See <see cref="DriftGuard.Accept"/>.</summary>
    public DriftAcceptance AcceptDrift() => _options.DriftGuard ? _drift.Accept() : DriftAcceptance.Unchanged;

    /// <summary>Ends when its namespaces are claimed.</summary>
    public Task Claimed => _model.Claimed;

    public string Name => _options.Name;

    public bool IsConfiguredAs(UpstreamOptions options) => _options.IsSame(options);

    /// <summary>Other options for the same name: ends the connection. Until the next one the nodes stay and have no
    /// communication; then those stay that are there, too. To be started again.</summary>
    public async Task ReconfigureAsync(UpstreamOptions options, IUpstreamConnection connection)
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
        (_options, _connection, _stop) = (options, connection, new CancellationTokenSource());
        _failures.Reset();
        _stays = new ConnectionStays(_context.Time);
        _connect = UpstreamPipelines.Connect(
            _context.Time, failure => UpstreamLoss.DelayOf(_loss, failure), OnConnectFailed);
        _metrics.IsInsecure = options.InsecureReason is not null;
        _health.Configure(options);
        _load.Configure(options);
        Configure(options);
        Source.Follow(options.PublishingIntervalMs, UpstreamPipelines.Requests(_context.Time, OnCircuitBroke));
    }

    private void Configure(UpstreamOptions options)
    {
        _model.Configure(options);
        (Source.Items.Bridge, Source.Items.MaxReadsPerSecond) = (options.Bridge, options.Budget.MaxReadsPerSecond);
        Events?.Configure(options);
    }

    /// <summary>Of one that has ended and does not come back: all its nodes, and its root.</summary>
    public void RemoveNodes() => _model.RemoveAll();

    public void Start() => _loop = Task.Run(RunAsync);

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(false);
        Events?.Dispose();
        Standby.Dispose();
        _metrics.Dispose();
        _load.Dispose();
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                var served = await _connect.ExecuteAsync(EstablishAsync, _stop.Token).ConfigureAwait(false);
                _stays.Begin();
                var metBound = await ServeAsync(served).ConfigureAwait(false);
                if (_stays.End() is { } inVain)
                    await GiveUpAsync(inVain).ConfigureAwait(false);
                var pause = metBound ? _context.Limits.UpstreamFaultPause : _stays.Pause(_loss is not null);
                await Task.Delay(pause, _context.Time, _stop.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // Stopped.
        }
        finally
        {
            await GiveUpAsync().ConfigureAwait(false);
            await _connection.CloseAsync().ConfigureAwait(false);
            EndHandover(isAdopted: false);
            // Values may have used more since the browse.
            _context.Claims.Save();
            _model.GiveUpClaim();
        }
    }

    private async ValueTask<ServedLink> EstablishAsync(CancellationToken cancellation)
    {
        if (_loss is { } loss)
            return await ResumeAsync(loss, cancellation).ConfigureAwait(false);
        IUpstreamSession? session = null;
        ServedLink? adopted = null;
        try
        {
            session = await _connection.ConnectAsync(cancellation).ConfigureAwait(false);
            if (_isHandover)
                adopted = await Standby.AdoptAsync(session, Budgeted(session), null, cancellation)
                    .ConfigureAwait(false);
            EndHandover(isAdopted: adopted is not null);
            var served = adopted ?? await SubscribeAsync(session, cancellation).ConfigureAwait(false);
            _metrics.SessionMade();
            return served;
        }
        catch (Exception failure)
        {
            EndHandover(isAdopted: false);
            if (session is null)
                throw;
            _connection.TellUnusable(failure);
            // Closed, not only left: each attempt would leave one more at a controller that has few.
            await session.DisposeAsync().ConfigureAwait(false);
            throw;
        }
    }

    private void EndHandover(bool isAdopted)
    {
        if (_isHandover && !isAdopted)
            OnGone();
        _isHandover = false;
    }

    /// <summary>Goes on where the connection was lost; where the upstream has no subscription of ours any more, or
    /// nobody knows what is in it, everything is made anew.</summary>
    private async ValueTask<ServedLink> ResumeAsync(UpstreamLoss loss, CancellationToken cancellation)
    {
        var (session, kind) = await _connection.ResumeAsync(loss.Served.Session, cancellation).ConfigureAwait(false);
        if (kind != ResumeKind.SameSession)
            _metrics.SessionMade();
        // The next attempt, if this one fails, goes on with this session.
        loss.Served = loss.Served with { Session = session };
        try
        {
            var link = loss.Served.Link with { Session = Budgeted(session) };
            // A new session may be at another server. It has none of ours, and where there are none all of them.
            var isKept = kind != ResumeKind.New && loss.Served.Subscriptions.AreIn(session);
            if (isKept && !Source.Follower.IsInDoubt &&
                await _model.HasSameNamespacesAsync(link, cancellation).ConfigureAwait(false))
            {
                Source.Intake.OnConnecting();
                Source.Items.OnResumed(link);
                Events?.OnResuming(session);
                var messages = await session.RecoverAsync(cancellation).ConfigureAwait(false);
                EndLoss();
                _metrics.Resumed(kind, messages);
                Resumed(_options.Name, loss.Lasted.TotalSeconds, kind, messages);
                return loss.Served with { Link = link };
            }

            if (await Standby.AdoptAsync(session, Budgeted(session), loss, cancellation).ConfigureAwait(false)
                is { } adopted)
            {
                EndLoss();
                return adopted;
            }

            if (Events is { } events)
                await events.LeaveAsync(session, cancellation).ConfigureAwait(false);
            OnGone();
            await loss.Served.Subscriptions.DeleteAsync(session, cancellation).ConfigureAwait(false);
            var served = await SubscribeAsync(session, cancellation).ConfigureAwait(false);
            EndLoss();
            _metrics.ResumedWithGap(kind);
            SubscriptionGone(_options.Name, loss.Lasted.TotalSeconds, kind);
            return served;
        }
        catch (Exception failure)
        {
            var isOver = Source.Items.Bound is not null || loss.IsInVain(failure);
            if (!isOver)
                await session.EndAsync().ConfigureAwait(false);
            Source.Items.OnInterrupted(isBefore: true);
            if (loss.IsBridgeOver)
                OnBridgeOver();
            if (isOver)
                await GiveUpAsync(failure).ConfigureAwait(false);
            if (Source.Items.Bound is { } bound)
                throw bound;
            throw;
        }
    }

    private async ValueTask<ServedLink> SubscribeAsync(IUpstreamSession made, CancellationToken cancellation)
    {
        var session = Budgeted(made);
        _model.BrowseAnew();
        _load.OnSession();
        var namespaces = await _model.MapNamespacesAsync(session, cancellation).ConfigureAwait(false);
        var sizes = await OperationSizes
            .ReadAsync(session, _context.Limits.MaxUpstreamAnswerBytes, cancellation).ConfigureAwait(false);
        // A request that is more than a second may bring would come all at once.
        sizes = sizes with { NodesPerRead = Math.Min(sizes.NodesPerRead, _options.Budget.MaxReadsPerSecond) };
        Source.Intake.OnConnecting();
        var subscriptions = UpstreamSubscriptions.Within(
            sizes, hasEvents: _options.Events && Events is not null,
            UpstreamSubscriptions.Settings(_options.PublishingIntervalMs, _context.Limits.MaxUpstreamNotifications),
            Source.Intake);
        if (await subscriptions.AddFirstAsync(session, cancellation).ConfigureAwait(false) is { } refused)
            NoSubscription(_options.Name, PeerText.Escape(refused.Message), _options.Budget.MaxReadsPerSecond / 2);
        var interval = subscriptions.First?.PublishingIntervalMs ?? _options.PublishingIntervalMs;
        Connected(_options.Name, _connection.Address ?? _options.EndpointUrl, interval);
        var slowest = interval > _options.PublishingIntervalMs ? interval : _options.PublishingIntervalMs;
        return new ServedLink(new UpstreamLink(session, namespaces, sizes, slowest), subscriptions, made);
    }

    private BudgetedSession Budgeted(IUpstreamSession session) =>
        _load.Budgeted(new MeasuredSession(session, _context.Time, _metrics.Answered));

    /// <summary>Until the connection ends, or one of the jobs on it fails.</summary>
    /// <returns>Whether the upstream's answers met a bound.</returns>
    private async ValueTask<bool> ServeAsync(ServedLink served)
    {
        var link = served.Link;
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        Source.Link = link;
        if (!Source.Items.IsFollowing(link))
            Source.Items.OnConnected(link, served.Subscriptions.Count == 0);
        _metrics.Connected();
        _health.Connected(link.Session.Endpoint, !_model.IsDue);
        Exception? why = null;
        var jobs = new[]
        {
            Events?.FollowAsync(link, _model.Browsed, ended.Token) ?? Task.CompletedTask,
            _model.FollowAsync(link, ended.Token),
            Source.Follower.FollowAsync(link, served.Subscriptions, ended.Token),
            Source.Cycles.RunAsync(link, ended.Token),
            LatencyProbe.RunAsync(link.Session, _context.Time, ended.Token),
            _connection.WatchAsync(link.Session, ended.Token),
            Standby.RunAsync(_options, _connection, ended.Token),
        };
        try
        {
            await Task.WhenAny(link.Session.Closed, LinkJobs.WhenFailedAsync(jobs), Task.Delay(-1, ended.Token))
                .ConfigureAwait(false);
        }
        finally
        {
            Source.Items.OnInterrupted();
            Source.Link = null;
            _load.OnDisconnected();
            _metrics.Disconnected();
            var isClosed = link.Session.Closed.IsCompleted;
            await ended.CancelAsync().ConfigureAwait(false);
            (why, var isLost) = await LinkJobs.DrainAsync(jobs, link.Session.Closed).ConfigureAwait(false);
            why = Source.Items.Bound ?? why;
            isLost = ((isClosed || isLost) && why is null) ||
                why is ServiceException { Status.CodeBits: StatusCodes.BadTimeout };
            if (isLost)
                await link.Session.EndAsync().ConfigureAwait(false);
            _isHandover = !isLost && !isClosed && Standby.IsReady && !_stop.IsCancellationRequested &&
                why is ServiceException { Status.CodeBits: StatusCodes.BadOutOfService };
            if (isLost && !_stop.IsCancellationRequested)
                _loss = new UpstreamLoss(served, _options.Bridge, _context.Time, OnBridgeOver);
            else if (!_isHandover)
                OnGone();
            if (!_stop.IsCancellationRequested)
                _failures.Disconnected(_options.Name, why, _loss?.Bridge ?? TimeSpan.Zero);
            if (_isHandover)
                await _connection.EndBesideAsync(link.Session).ConfigureAwait(false);
            else if (_loss is null)
                await link.Session.DisposeAsync().ConfigureAwait(false);
        }

        return why is UpstreamBoundException;
    }

    private void EndLoss()
    {
        _loss?.Dispose();
        _loss = null;
    }

    /// <summary>Nothing goes on with what the last connection left, and it is not to stay at the upstream.</summary>
    private async ValueTask GiveUpAsync(Exception? why = null)
    {
        if (_loss is not { } loss)
            return;
        await loss.LeaveAsync(_connection).ConfigureAwait(false);
        EndLoss();
        OnGone();
        if (why is not null)
            _connection.TellUnusable(why);
    }

    private void OnBridgeOver()
    {
        Source.Items.OnBridgeOver();
        if (Source.Link is null)
            Events?.OnAway();
    }

    /// <summary>Items and events are made anew at the next connection.</summary>
    private void OnGone()
    {
        Source.Items.OnDisconnected();
        Events?.OnGone();
        if (Volatile.Read(ref _disposed) == 0)
            Events?.OnAway();
    }

    private void OnConnectFailed(int attempt, TimeSpan delay, Exception exception) =>
        _failures.ConnectFailed(_options, attempt, delay, exception);

    private void OnCircuitBroke(TimeSpan duration)
    {
        Source.OnCircuitBroke();
        _metrics.CircuitBroke();
        CircuitBroke(_options.Name, duration.TotalSeconds);
    }
}
