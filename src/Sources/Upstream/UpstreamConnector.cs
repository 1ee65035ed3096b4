using Gateway.AddressSpace.Sources;
using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Microsoft.Extensions.Logging;
using Polly;

namespace Gateway.Sources.Upstream;

/// <summary>One upstream: connects, maps its namespaces, takes its nodes over, follows downstream's wishes, and begins
/// again when the connection ends. One loop; it owns the link that the source uses. Shape: connect → browse → serve →
/// away → …</summary>
internal sealed partial class UpstreamConnector : IAsyncDisposable
{
    /// <summary>A connection that ends sooner is not followed by the next at once.</summary>
    private static readonly TimeSpan MinimumStay = TimeSpan.FromSeconds(5);

    /// <summary>How long the earlier upstreams of the configuration may take to claim their namespaces first: who
    /// gets a URI is then a matter of configuration and not of who was up sooner.</summary>
    private static readonly TimeSpan ClaimPatience = TimeSpan.FromSeconds(10);

    private readonly UpstreamOptions _options;
    private readonly IUpstreamConnection _connection;
    private readonly UpstreamContext _context;
    private readonly Task _earlierClaimed;
    private readonly TaskCompletionSource _claimed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly CancellationTokenSource _stop = new();
    private readonly UpstreamMetrics _metrics;
    private readonly ResiliencePipeline _connect;
    private readonly SpaceMerger _merger;
    private readonly ILogger _log;
    private Task _loop = Task.CompletedTask;
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
        _metrics = new UpstreamMetrics(options.Name);
        _connect = UpstreamPipelines.Connect(context.Time, OnConnectFailed);
        Source = new UpstreamSource(
            context.Nodes,
            context.Values,
            context.Time,
            _metrics,
            options.PublishingIntervalMs,
            UpstreamPipelines.Requests(context.Time, OnCircuitBroke));
        _metrics.Watch(Source.Items);
        _merger = new SpaceMerger(
            root, Source, new StoreSource(context.Values, context.Time), context.Nodes, context.Values);
    }

    public UpstreamSource Source { get; }

    /// <summary>Ends when its namespaces are claimed.</summary>
    public Task Claimed => _claimed.Task;

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
                await ServeAsync(link, subscriptionId).ConfigureAwait(false);
                if (_context.Time.GetElapsedTime(since) < MinimumStay)
                    await Task.Delay(MinimumStay, _context.Time, _stop.Token).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // Stopped.
        }
        finally
        {
            _claimed.TrySetResult();
        }
    }

    private async ValueTask<(UpstreamLink Link, uint SubscriptionId)> EstablishAsync(CancellationToken cancellation)
    {
        var session = await _connection.ConnectAsync(cancellation).ConfigureAwait(false);
        try
        {
            var namespaces = await MapNamespacesAsync(session, cancellation).ConfigureAwait(false);
            var limits = await ReadLimitsAsync(session, cancellation).ConfigureAwait(false);
            var (id, interval) = await session.SubscribeAsync(
                new SubscriptionSettings { PublishingIntervalMs = _options.PublishingIntervalMs, LifetimeCount = 600 },
                Source.Items,
                cancellation).ConfigureAwait(false);
            Connected(_options.Name, _options.EndpointUrl, interval);
            return (new UpstreamLink(session, namespaces, limits), id);
        }
        catch
        {
            session.Abort();
            throw;
        }
    }

    /// <summary>Until the connection ends, or one of the two jobs on it fails.</summary>
    private async ValueTask ServeAsync(UpstreamLink link, uint subscriptionId)
    {
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(_stop.Token);
        Source.Link = link;
        Source.Items.OnConnected(link);
        _metrics.Connected();
        var jobs = new[]
        {
            SynchronizeAsync(link, ended.Token),
            Source.Items.FollowAsync(link, subscriptionId, ended.Token),
        };
        try
        {
            await Task.WhenAny(link.Session.Closed, WhenFailedAsync(jobs), Task.Delay(-1, ended.Token))
                .ConfigureAwait(false);
        }
        finally
        {
            Source.Link = null;
            Source.Items.OnDisconnected();
            _metrics.Disconnected();
            await ended.CancelAsync().ConfigureAwait(false);
            var why = await DrainAsync(jobs).ConfigureAwait(false);
            if (!_stop.IsCancellationRequested)
                Disconnected(_options.Name, why ?? "the connection ended");
            await link.Session.DisposeAsync().ConfigureAwait(false);
        }
    }

    private async Task SynchronizeAsync(UpstreamLink link, CancellationToken cancellation)
    {
        var since = _context.Time.GetTimestamp();
        var browser = new UpstreamBrowser(link.Session, link.Limits, _options.MaxNodes);
        var space = await browser.BrowseAsync(Roots(link), cancellation).ConfigureAwait(false);
        await new AttributeLoader(link.Session, link.Limits).LoadAsync(space, cancellation).ConfigureAwait(false);
        await new DataTypeResolver(link.Session, link.Limits, _context.Nodes)
            .ResolveAsync(space, cancellation).ConfigureAwait(false);
        var (added, removed) = _merger.Merge(space, link.Namespaces);
        Synchronized(
            _options.Name, space.Nodes.Count, added, removed, _context.Time.GetElapsedTime(since).TotalSeconds);
        if (space.Skipped > 0)
            NodesSkipped(_options.Name, space.Skipped, _options.MaxNodes);
    }

    private async ValueTask<NamespaceMap> MapNamespacesAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        var uris = await ReadVariableAsync(session, StandardIds.Variables.Server_NamespaceArray, cancellation)
            .ConfigureAwait(false);
        if (!_claimed.Task.IsCompleted)
            await _earlierClaimed.WaitAsync(ClaimPatience, _context.Time, cancellation)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellation.ThrowIfCancellationRequested();
        List<(string Uri, string Became)> renamed = [];
        var map = _context.Claims.Map(_options.Name, uris.AsArray<string>() ?? [], renamed);
        if (_claimed.TrySetResult())
        {
            foreach (var (uri, became) in renamed)
                NamespaceRenamed(_options.Name, uri, became);
        }

        return map;
    }

    private static async ValueTask<UpstreamLimits> ReadLimitsAsync(
        IUpstreamSession session, CancellationToken cancellation)
    {
        uint[] ids =
        [
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerRead,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerWrite,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxNodesPerBrowse,
            StandardIds.Variables.Server_ServerCapabilities_OperationLimits_MaxMonitoredItemsPerCall,
        ];
        var ours = new UpstreamLimits();
        var values = new uint[ids.Length];
        for (var i = 0; i < ids.Length; i++)
            values[i] = (await ReadVariableAsync(session, ids[i], cancellation).ConfigureAwait(false)).AsUInt32();
        return new UpstreamLimits
        {
            NodesPerRead = UpstreamLimits.Effective(values[0], ours.NodesPerRead),
            NodesPerWrite = UpstreamLimits.Effective(values[1], ours.NodesPerWrite),
            NodesPerBrowse = UpstreamLimits.Effective(values[2], ours.NodesPerBrowse),
            MonitoredItemsPerCall = UpstreamLimits.Effective(values[3], ours.MonitoredItemsPerCall),
        };
    }

    private static async ValueTask<Variant> ReadVariableAsync(
        IUpstreamSession session, uint id, CancellationToken cancellation)
    {
        var read = new ReadValueId { NodeId = new NodeId(id), AttributeId = (uint)AttributeId.Value };
        var values = await session.ReadAsync([read], 0, 1, cancellation).ConfigureAwait(false);
        return values[0].Status.IsBad ? default : values[0].Value;
    }

    /// <summary>The configured roots as the upstream's ids; a text that names a namespace it does not have is logged
    /// and left out.</summary>
    private NodeId[] Roots(UpstreamLink link)
    {
        if (_options.Roots.Length == 0)
            return [new NodeId(StandardIds.Objects.ObjectsFolder)];
        List<NodeId> roots = [];
        foreach (var text in _options.Roots)
        {
            if (UpstreamRoot.TryParse(text, _options.Name, _context.Nodes.Namespaces, link.Namespaces, out var root))
                roots.Add(root);
            else
                RootUnknown(_options.Name, text);
        }

        return [.. roots];
    }

    private void OnConnectFailed(int attempt, TimeSpan delay, Exception exception)
    {
        _metrics.ConnectFailed();
        var why = exception is ServiceException or TimeoutException ? exception.Message : exception.ToString();
        ConnectFailed(_options.Name, _options.EndpointUrl, attempt + 1, delay.TotalSeconds, why);
    }

    private void OnCircuitBroke(TimeSpan duration)
    {
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

    private static async ValueTask<string?> DrainAsync(Task[] jobs)
    {
        string? why = null;
        foreach (var job in jobs)
        {
            await job.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
            why ??= job.Exception?.InnerException is ServiceException { IsConnectionLost: false } failure
                ? failure.Message
                : job.Exception?.InnerException is not (null or ServiceException)
                    ? job.Exception.InnerException.ToString()
                    : null;
        }

        return why;
    }
}
