using Gateway.AddressSpace.Sources;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;
using Microsoft.Extensions.Logging;
using Polly;

namespace Gateway.Sources.OpcUa;

/// <summary>One upstream: connects, maps its namespaces, takes its nodes over, follows downstream's wishes, and begins
/// again when the connection ends. One loop; it owns the link that the source uses. Shape: connect → browse → serve →
/// away → …</summary>
internal sealed partial class UpstreamConnector : IAsyncDisposable
{
    /// <summary>A connection that ends sooner is not followed by the next at once.</summary>
    private static readonly TimeSpan MinimumStay = TimeSpan.FromSeconds(5);

    /// <summary>How long the earlier upstreams of the configuration may take to claim their namespaces first: at the
    /// first start the first of them to connect gets a URI. Later starts go by <see cref="NamespaceRecords"/>.
    /// </summary>
    private static readonly TimeSpan ClaimPatience = TimeSpan.FromSeconds(10);

    /// <summary>Renamed namespaces that the log names.</summary>
    private const int MaxRenamedTold = 20;

    /// <summary>Attempts to connect that the log names at first; then each of so many. All are counted.</summary>
    private const int FirstAttempts = 3;
    private const int AttemptsALine = 30;

    // Of these the loop reads; they change while there is none.
    private UpstreamOptions _options;
    private IUpstreamConnection _connection;
    private CancellationTokenSource _stop = new();
    private ResiliencePipeline _connect;
    private readonly UpstreamContext _context;
    private readonly Task _earlierClaimed;
    private readonly TaskCompletionSource _claimed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly UpstreamMetrics _metrics;
    private readonly SpaceMerger _merger;
    private readonly UpstreamHealth _health;
    private readonly ILogger _log;
    private Task _loop = Task.CompletedTask;
    private readonly HashSet<string> _renamed = new(StringComparer.Ordinal);
    private string _toldRemedy = "";
    private int _disposed;

    public UpstreamConnector(
        UpstreamOptions options,
        IUpstreamConnection connection,
        UpstreamContext context,
        NodeId root,
        Task earlierClaimed)
    {
        _options = options;
        _connection = connection;
        _context = context;
        _earlierClaimed = earlierClaimed;
        _log = context.Loggers.CreateLogger<UpstreamConnector>();
        _metrics = new UpstreamMetrics(options.Name, options.InsecureReason is not null, context.Time);
        _health = new UpstreamHealth(options, _metrics, context.Time);
        _connect = UpstreamPipelines.Connect(context.Time, OnConnectFailed);
        Source = new UpstreamSource(
            context.Nodes,
            context.Values,
            context.Time,
            _metrics,
            context.Limits,
            options.PublishingIntervalMs,
            UpstreamPipelines.Requests(context.Time, OnCircuitBroke));
        _metrics.Watch(() => Source.Items.ActiveCount);
        _merger = new SpaceMerger(
            root, Source, new StoreSource(context.Values, context.Time), context.Nodes, context.Values, context.Shared,
            options.MaxNodes);
    }

    public UpstreamSource Source { get; }

    public Upstreams.UpstreamReport Report => _health.Report;

    /// <summary>Ends when its namespaces are claimed.</summary>
    public Task Claimed => _claimed.Task;

    public string Name => _options.Name;

    public bool IsConfiguredAs(UpstreamOptions options) => _options.IsSame(options);

    /// <summary>Other options for the same name: ends the connection. Until the next one the nodes stay and have no
    /// communication; then those stay that are there, too. To be started again.</summary>
    public async Task ReconfigureAsync(UpstreamOptions options, IUpstreamConnection connection)
    {
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _stop.Dispose();
        (_options, _connection, _stop, _toldRemedy) = (options, connection, new CancellationTokenSource(), "");
        _connect = UpstreamPipelines.Connect(_context.Time, OnConnectFailed);
        _metrics.IsInsecure = options.InsecureReason is not null;
        _health.Configure(options);
        _merger.MaxNodes = options.MaxNodes;
        Source.Follow(options.PublishingIntervalMs, UpstreamPipelines.Requests(_context.Time, OnCircuitBroke));
    }

    /// <summary>Of one that has ended and does not come back: all its nodes, and its root.</summary>
    public void RemoveNodes() => _merger.RemoveAll();

    public void Start() => _loop = Task.Run(RunAsync);

    public async ValueTask DisposeAsync()
    {
        if (Interlocked.Exchange(ref _disposed, 1) != 0)
            return;
        await _stop.CancelAsync().ConfigureAwait(false);
        await _loop.ConfigureAwait(false);
        _metrics.Dispose();
        _stop.Dispose();
    }

    private async Task RunAsync()
    {
        try
        {
            while (true)
            {
                var (link, subscriptionId) = await _connect.ExecuteAsync(EstablishAsync, _stop.Token)
                    .ConfigureAwait(false);
                var since = _context.Time.GetTimestamp();
                var metBound = await ServeAsync(link, subscriptionId).ConfigureAwait(false);
                if (metBound)
                    await Task.Delay(_context.Limits.UpstreamFaultPause, _context.Time, _stop.Token)
                        .ConfigureAwait(false);
                else if (_context.Time.GetElapsedTime(since) < MinimumStay)
                    await Task.Delay(MinimumStay, _context.Time, _stop.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // Stopped.
        }
        finally
        {
            // Values may have used more since the browse.
            _context.Claims.Save();
            _claimed.TrySetResult();
        }
    }

    private async ValueTask<(UpstreamLink Link, uint SubscriptionId)> EstablishAsync(CancellationToken cancellation)
    {
        var session = new MeasuredSession(
            await _connection.ConnectAsync(cancellation).ConfigureAwait(false), _context.Time, _metrics.Answered);
        try
        {
            var namespaces = await MapNamespacesAsync(session, cancellation).ConfigureAwait(false);
            var sizes = await OperationSizes
                .ReadAsync(session, _context.Limits.MaxUpstreamAnswerBytes, cancellation).ConfigureAwait(false);
            Source.Intake.OnConnecting();
            var (id, interval) = await session.SubscribeAsync(
                new SubscriptionSettings
                {
                    PublishingIntervalMs = _options.PublishingIntervalMs,
                    LifetimeCount = 600,
                    MaxNotificationsPerPublish = (uint)_context.Limits.MaxUpstreamNotifications,
                },
                Source.Intake,
                cancellation).ConfigureAwait(false);
            Connected(_options.Name, _options.EndpointUrl, interval);
            var slowest = interval > _options.PublishingIntervalMs ? interval : _options.PublishingIntervalMs;
            return (new UpstreamLink(session, namespaces, sizes, slowest), id);
        }
        catch
        {
            session.Abort();
            throw;
        }
    }

    /// <summary>Until the connection ends, or one of the jobs on it fails.</summary>
    /// <returns>Whether the upstream's answers met a bound.</returns>
    private async ValueTask<bool> ServeAsync(UpstreamLink link, uint subscriptionId)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        Source.Link = link;
        Source.Items.OnConnected(link);
        _metrics.Connected();
        _health.Connected(link.Session.Endpoint);
        Exception? why = null;
        var jobs = new[]
        {
            FollowModelAsync(link, ended.Token),
            Source.Follower.FollowAsync(link, subscriptionId, ended.Token),
            LatencyProbe.RunAsync(link.Session, _context.Time, ended.Token),
        };
        try
        {
            await Task.WhenAny(link.Session.Closed, WhenFailedAsync(jobs), Task.Delay(-1, ended.Token))
                .ConfigureAwait(false);
        }
        finally
        {
            Source.Items.OnDisconnected();
            Source.Link = null;
            _metrics.Disconnected();
            await ended.CancelAsync().ConfigureAwait(false);
            why = await DrainAsync(jobs).ConfigureAwait(false);
            why = Source.Items.Bound ?? why;
            if (!_stop.IsCancellationRequested)
                OnDisconnected(why);
            await link.Session.DisposeAsync().ConfigureAwait(false);
        }

        return why is UpstreamBoundException;
    }

    /// <summary>Browses, and again at each interval: what changes at the upstream is followed without a reconnect.
    /// </summary>
    private async Task FollowModelAsync(UpstreamLink link, CancellationToken cancellation)
    {
        var interval = _options.BrowseInterval > TimeSpan.Zero ? _options.BrowseInterval : Timeout.InfiniteTimeSpan;
        using var timer = new PeriodicTimer(interval, _context.Time);
        await SynchronizeAsync(link, cancellation).ConfigureAwait(false);
        while (await timer.WaitForNextTickAsync(cancellation).ConfigureAwait(false))
        {
            var uris = await ReadVariableAsync(link.Session, StandardIds.Variables.Server_NamespaceArray, cancellation)
                .ConfigureAwait(false);
            if (uris.AsArray<string>() is { } now && !_context.Claims.TryGrow(link.Namespaces, _options.Name, now))
            {
                // Each index may mean another URI now.
                NamespacesChanged(_options.Name);
                link.Session.Abort();
                return;
            }

            await SynchronizeAsync(link, cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>All of the browse or nothing: a bound that ends it leaves the nodes served before.</summary>
    private async Task SynchronizeAsync(UpstreamLink link, CancellationToken cancellation)
    {
        var since = _context.Time.GetTimestamp();
        var space = await SpaceLoader.LoadAsync(link, _context, Roots(link), _options.MaxNodes, cancellation)
            .ConfigureAwait(false);
        var merged = _merger.Merge(space, link.Namespaces);
        space.Unmapped += merged.Unmapped;
        _context.Claims.Save();
        Synchronized(
            _options.Name, space.Nodes.Count, merged.Added, merged.Removed,
            _context.Time.GetElapsedTime(since).TotalSeconds);
        var isLimited = TellBounds(space, link.Namespaces);
        _health.Loaded(_merger.Count, link.Namespaces.Used, isLimited);
        TellRenamed(link.Namespaces);
        if (merged.Differing > 0)
            TypesDiffer(_options.Name, merged.Differing, PeerText.Escape(merged.FirstDiffering.ToString()));
    }

    /// <returns>Whether anything was left out.</returns>
    private bool TellBounds(BrowsedSpace space, NamespaceMap namespaces)
    {
        var before = _metrics.BoundsMet();
        Count(UpstreamBound.MaxNodes, space.Skipped);
        Count(UpstreamBound.MaxUpstreamNamespaces, namespaces.Refused + space.Unmapped);
        Count(UpstreamBound.MaxUpstreamTextLength, space.Overlong);
        Count(UpstreamBound.MaxUpstreamDataTypes, space.UnresolvedTypes);
        Count(UpstreamBound.MaxUpstreamArgumentBytes, space.LargeArguments);
        if (space.Unbrowsed > 0)
            NodesNotBrowsed(
                _options.Name, space.Unbrowsed, PeerText.Escape(space.FirstUnbrowsed.Node.ToString()),
                space.FirstUnbrowsed.Status);
        if (space.Skipped > 0)
            NodesSkipped(_options.Name, space.Skipped, _options.MaxNodes);
        if (namespaces.Refused + space.Unmapped > 0)
            NamespacesRefused(
                _options.Name, namespaces.Refused, space.Unmapped, _context.Limits.MaxUpstreamNamespaces);
        if (space.Overlong + space.UnresolvedTypes + space.LargeArguments > 0)
            PartsLeftOut(_options.Name, space.Overlong, space.UnresolvedTypes, space.LargeArguments);
        return space.Unbrowsed > 0 || !_metrics.BoundsMet().SequenceEqual(before);
    }

    private void Count(UpstreamBound bound, int leftOut)
    {
        if (leftOut > 0)
            _metrics.Met(bound);
    }

    private void TellRenamed(NamespaceMap namespaces)
    {
        foreach (var claim in namespaces.Renamed)
        {
            if (_renamed.Count < MaxRenamedTold && _renamed.Add(claim.Uri))
                NamespaceRenamed(_options.Name, PeerText.Escape(claim.Uri), PeerText.Escape(claim.LocalUri));
        }
    }

    private async ValueTask<NamespaceMap> MapNamespacesAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        var uris = await ReadVariableAsync(session, StandardIds.Variables.Server_NamespaceArray, cancellation)
            .ConfigureAwait(false);
        if (!_claimed.Task.IsCompleted)
            await _earlierClaimed.WaitAsync(ClaimPatience, _context.Time, cancellation)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellation.ThrowIfCancellationRequested();
        var map = _context.Claims.Map(_options.Name, uris.AsArray<string>() ?? [], _context.Structures);
        _claimed.TrySetResult();
        return map;
    }

    private ValueTask<Variant> ReadVariableAsync(
        IUpstreamSession session, uint id, CancellationToken cancellation) =>
        session.ReadVariableAsync(id, _context.Limits.MaxUpstreamAnswerBytes, cancellation);

    /// <summary>The configured roots as the upstream's ids; a text that names a namespace it does not have is logged
    /// and left out.</summary>
    private NodeId[] Roots(UpstreamLink link)
    {
        if (_options.Roots.Length == 0)
            return [new NodeId(StandardIds.Objects.ObjectsFolder)];
        List<NodeId> roots = [];
        foreach (var text in _options.Roots)
        {
            if (UpstreamRoot.TryParse(text, _options.Name, link.Namespaces, out var root))
                roots.Add(root);
            else
                RootUnknown(_options.Name, text);
        }

        return [.. roots];
    }

    private void OnConnectFailed(int attempt, TimeSpan delay, Exception exception)
    {
        _metrics.ConnectFailed();
        var failure = Fail(exception);
        // Another remedy is logged at once: the operator who trusted the server learns that it does not trust us.
        if (attempt >= FirstAttempts && (attempt + 1) % AttemptsALine != 0 && failure.Remedy == _toldRemedy)
            return;
        _toldRemedy = failure.Remedy;
        ConnectFailed(
            _options.Name, _options.EndpointUrl, attempt + 1, delay.TotalSeconds, failure.Text, failure.Remedy);
    }

    private void OnDisconnected(Exception? why)
    {
        var failure = Fail(why ?? new ServiceException(StatusCodes.BadConnectionClosed, "the connection ended"));
        Disconnected(_options.Name, failure.Text);
    }

    private UpstreamFailure Fail(Exception exception)
    {
        if (exception is UpstreamBoundException bound)
            _metrics.Met(bound.Bound);
        else if (exception is ServiceException { Fault: ConnectFault.TooManyEndpoints })
            _metrics.Met(UpstreamBound.MaxUpstreamEndpoints);
        var failure = UpstreamFailure.Of(exception, _context.Own());
        _health.Failed(failure);
        return failure;
    }

    private void OnCircuitBroke(TimeSpan duration)
    {
        Source.OnCircuitBroke();
        _metrics.CircuitBroke();
        CircuitBroke(_options.Name, duration.TotalSeconds);
    }

    private static async Task WhenFailedAsync(Task[] jobs)
    {
        await foreach (var job in Task.WhenEach(jobs).ConfigureAwait(false))
        {
            if (!job.IsCompletedSuccessfully)
                return;
        }
    }

    /// <returns>Null where the connection's end alone is the reason.</returns>
    private static async ValueTask<Exception?> DrainAsync(Task[] jobs)
    {
        Exception? why = null;
        foreach (var job in jobs)
        {
            await job.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            if (job.Exception?.InnerException is { } failure and not ServiceException { IsConnectionLost: true })
                why ??= failure;
        }

        return why;
    }
}
