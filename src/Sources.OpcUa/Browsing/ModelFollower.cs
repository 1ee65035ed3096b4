using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Drift;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Items;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Keeps the gateway's nodes in line with those of an upstream. Thread: the connector's loop. Errors:
/// <c>ServiceException</c>, <see cref="UpstreamBoundException"/>.</summary>
internal sealed partial class ModelFollower(
    UpstreamOptions options, UpstreamContext context, SpaceMerger merger, DriftGuard drift,
    UpstreamMetrics metrics, UpstreamHealth health, Task earlierClaimed, ILogger log)
{
    /// <summary>How long the earlier upstreams of the configuration may take to claim their namespaces first: at the
    /// first start the first of them to connect gets a URI. Later starts go by <see cref="NamespaceRecords"/>.
    /// </summary>
    private static readonly TimeSpan ClaimPatience = TimeSpan.FromSeconds(10);

    /// <summary>From the first event of a change to the browse.</summary>
    private static readonly TimeSpan Settling = TimeSpan.FromSeconds(2);

    /// <summary>Between two browses that events ask for.</summary>
    private static readonly TimeSpan LeastPause = TimeSpan.FromSeconds(30);

    /// <summary>Renamed namespaces that the log names.</summary>
    private const int MaxRenamedTold = 20;

    private readonly ILogger _log = log;
    private readonly HashSet<string> _renamed = new(StringComparer.Ordinal);
    private readonly HashSet<(string Uri, string Other, string Version)> _versionsTold = [];
    private readonly WorkSignal _changed = new(context.Time);
    private UpstreamOptions _options = options;
    private volatile bool _isChangeTold;
    private long? _synchronizedAt;
    private readonly TaskCompletionSource _claimed = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private TaskCompletionSource _browsed = new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Ends when its namespaces are claimed.</summary>
    public Task Claimed => _claimed.Task;

    /// <summary>Nobody waits for it any more.</summary>
    public void GiveUpClaim() => _claimed.TrySetResult();

    /// <summary>Ends when the nodes of the upstream are here.</summary>
    public Task Browsed => _browsed.Task;

    /// <summary>Called behind each browse.</summary>
    public Action? OnSynchronized { get; set; }

    /// <summary>Whether a connection begins with a browse: not where one goes on that has been browsed.</summary>
    public bool IsDue => _synchronizedAt is not { } last ||
        (_options.BrowseInterval > TimeSpan.Zero && context.Time.GetElapsedTime(last) >= _options.BrowseInterval);

    /// <summary>Other options for the same upstream, while there is no connection.</summary>
    public void Configure(UpstreamOptions options)
    {
        _options = options;
        merger.MaxNodes = options.MaxNodes;
        merger.PassesEvents = options.Events && context.Conditions is not null;
    }

    /// <summary>The upstream does not come back.</summary>
    public void RemoveAll()
    {
        merger.RemoveAll();
        context.Versions.Remove(_options.Name);
    }

    /// <summary>The nodes may be others than those of before: the next connection is browsed at once.</summary>
    public void BrowseAnew()
    {
        _synchronizedAt = null;
        if (_browsed.Task.IsCompleted)
            _browsed = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
    }

    /// <summary>Of a new session.</summary>
    /// <param name="isBeside">It stands by: another one is in use.</param>
    public async ValueTask<NamespaceMap> MapNamespacesAsync(
        IUpstreamSession session, CancellationToken cancellation, bool isBeside = false)
    {
        var uris = await session.ReadVariableAsync(
            StandardIds.Variables.Server_NamespaceArray, context.Limits.MaxUpstreamAnswerBytes, cancellation)
            .ConfigureAwait(false);
        if (!_claimed.Task.IsCompleted)
            await earlierClaimed.WaitAsync(ClaimPatience, context.Time, cancellation)
                .ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        cancellation.ThrowIfCancellationRequested();
        var map = context.Claims.Map(
            _options.Name, uris.AsArray<string>() ?? [], context.Structures, isBeside);
        _claimed.TrySetResult();
        if (_options.DriftGuard)
            map.SetAliases(drift.Known(map.Uris));
        return map;
    }

    /// <summary>Browses, and again at each interval: what changes at the upstream is followed without a reconnect.
    /// </summary>
    public async Task FollowAsync(UpstreamLink link, CancellationToken cancellation)
    {
        if (IsDue)
            await SynchronizeAsync(link, cancellation).ConfigureAwait(false);
        while (true)
        {
            await _changed.WaitAsync(UntilNext(), cancellation).ConfigureAwait(false);
            if (_isChangeTold)
                await SettleAsync(cancellation).ConfigureAwait(false);
            if (!await HasSameNamespacesAsync(link, cancellation).ConfigureAwait(false))
            {
                link.Session.Abort();
                return;
            }

            await SynchronizeAsync(link, cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>The upstream says that its nodes have changed: they are browsed again without waiting for the interval.
    /// Threads: any.</summary>
    public void BrowseSoon()
    {
        _isChangeTold = true;
        _changed.Set();
    }

    private TimeSpan UntilNext()
    {
        if (_options.BrowseInterval <= TimeSpan.Zero)
            return Timeout.InfiniteTimeSpan;
        var since = _synchronizedAt is { } last ? context.Time.GetElapsedTime(last) : TimeSpan.Zero;
        return since < _options.BrowseInterval ? _options.BrowseInterval - since : TimeSpan.Zero;
    }

    /// <summary>One change is many events, and a server may change all the time.</summary>
    private async ValueTask SettleAsync(CancellationToken cancellation)
    {
        var since = _synchronizedAt is { } last ? context.Time.GetElapsedTime(last) : LeastPause;
        // Where this connection ends before the browse does, the next one begins with it.
        _synchronizedAt = null;
        await Task.Delay(since + Settling >= LeastPause ? Settling : LeastPause - since, context.Time, cancellation)
            .ConfigureAwait(false);
        _isChangeTold = false;
    }

    /// <summary>False: each index may mean another URI now.</summary>
    public async ValueTask<bool> HasSameNamespacesAsync(UpstreamLink link, CancellationToken cancellation)
    {
        var uris = await link.Session.ReadVariableAsync(
            StandardIds.Variables.Server_NamespaceArray, context.Limits.MaxUpstreamAnswerBytes, cancellation)
            .ConfigureAwait(false);
        if (uris.AsArray<string>() is not { } now || context.Claims.TryGrow(link.Namespaces, _options.Name, now))
            return true;
        NamespacesChanged(_options.Name);
        return false;
    }

    /// <summary>All of the browse or nothing: a bound that ends it leaves the nodes served before.</summary>
    private async Task SynchronizeAsync(UpstreamLink link, CancellationToken cancellation)
    {
        var since = context.Time.GetTimestamp();
        var space = await SpaceLoader.LoadAsync(link, context, _options, Roots(link), cancellation)
            .ConfigureAwait(false);
        var aliases = _options.DriftGuard
            ? drift.Check(space, link.Namespaces.Uris, string.Join('\n', _options.Roots))
            : [];
        var merged = merger.Merge(space, link.Namespaces, aliases);
        space.Unmapped += merged.Unmapped;
        context.Claims.Save();
        Synchronized(
            _options.Name, space.Nodes.Count, merged.Added, merged.Removed,
            context.Time.GetElapsedTime(since).TotalSeconds);
        var isLimited = TellBounds(space, link.Namespaces);
        health.Loaded(merger.Count, link.Namespaces.Used, isLimited);
        _synchronizedAt = since;
        TellRenamed(link.Namespaces);
        if (merged.Differing > 0)
            TypesDiffer(_options.Name, merged.Differing, PeerText.Escape(merged.FirstDiffering.ToString()));
        TellVersions(space);
        OnSynchronized?.Invoke();
        _browsed.TrySetResult();
    }

    /// <returns>Whether anything was left out.</returns>
    private bool TellBounds(BrowsedSpace space, NamespaceMap namespaces)
    {
        var before = metrics.BoundsMet();
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
                _options.Name, namespaces.Refused, space.Unmapped, context.Limits.MaxUpstreamNamespaces);
        if (space.Overlong + space.UnresolvedTypes + space.LargeArguments > 0)
            PartsLeftOut(_options.Name, space.Overlong, space.UnresolvedTypes, space.LargeArguments);
        return space.Unbrowsed > 0 || !metrics.BoundsMet().SequenceEqual(before);
    }

    private void Count(UpstreamBound bound, int leftOut)
    {
        if (leftOut > 0)
            metrics.Met(bound);
    }

    private void TellRenamed(NamespaceMap namespaces)
    {
        foreach (var claim in namespaces.Renamed)
        {
            if (_renamed.Count < MaxRenamedTold && _renamed.Add(claim.Uri))
                NamespaceRenamed(_options.Name, PeerText.Escape(claim.Uri), PeerText.Escape(claim.LocalUri));
        }
    }

    /// <summary>Each once.</summary>
    private void TellVersions(BrowsedSpace space)
    {
        foreach (var (uri, other, version) in context.Versions.Set(_options.Name, space.Versions))
        {
            if (_versionsTold.Count < MaxRenamedTold && _versionsTold.Add((uri, other, version)))
                VersionsDiffer(
                    _options.Name, PeerText.Escape(space.Versions[uri]), PeerText.Escape(uri), PeerText.Escape(other),
                    PeerText.Escape(version));
        }
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
            if (UpstreamRoot.TryParse(text, _options.Name, link.Namespaces, out var root))
                roots.Add(root);
            else
                RootUnknown(_options.Name, text);
        }

        return [.. roots];
    }
}
