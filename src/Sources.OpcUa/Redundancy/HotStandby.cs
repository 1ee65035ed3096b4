using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Events;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Items;
using Gateway.Sources.OpcUa.Load;
using Gateway.Sources.OpcUa.Sessions;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>
/// Keeps the upstream's items at one server that stands by, where the set is hot: a failover to it makes nothing anew
/// and loses nothing that the queues there hold. The standby has a load budget of its own, as large as the upstream's,
/// and its failures are its own. Thread: as <see cref="StandbyItems"/>.
/// </summary>
internal sealed partial class HotStandby(
    UpstreamContext context, UpstreamSource source, ModelFollower model, UpstreamLoad load, UpstreamMetrics metrics,
    ILogger log) : IDisposable
{
    /// <summary>For another server to stand by.</summary>
    private static readonly TimeSpan Look = TimeSpan.FromSeconds(1);

    /// <summary>After a standby has refused the subscription, or has not answered.</summary>
    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(30);

    private readonly ILogger _log = log;
    private UpstreamOptions _options = new();
    private volatile StandbyItems? _standby;
    private RequestGate? _gate;
    private long? _failedAt;
    private int _version;

    /// <summary>Null: no events are followed.</summary>
    public UpstreamEvents? Events { get; init; }

    /// <summary>A failover to it loses nothing.</summary>
    public bool IsReady => _standby is { IsReady: true, Session.Closed.IsCompleted: false };

    /// <summary>For as long as the upstream has a connection. Only its end is thrown.</summary>
    public async Task RunAsync(
        UpstreamOptions options, IUpstreamConnection connection, CancellationToken cancellation)
    {
        _options = options;
        try
        {
            while (connection.Redundancy is not null)
            {
                await TryCareAsync(connection, cancellation).ConfigureAwait(false);
                Tell(connection);
                await source.Items.WaitForMirrorAsync(Look, cancellation).ConfigureAwait(false);
            }
        }
        finally
        {
            // Where a request had no answer yet, nobody knows which items are there.
            Tell(connection);
        }
    }

    private void Tell(IUpstreamConnection connection) =>
        connection.TellStandby(IsReady ? _standby?.Session : null, _standby?.Count ?? 0);

    private async ValueTask TryCareAsync(IUpstreamConnection connection, CancellationToken cancellation)
    {
        try
        {
            await CareAsync(connection, cancellation).ConfigureAwait(false);
        }
        catch (Exception failure) when (failure is ServiceException or UpstreamBoundException)
        {
            // The care for its session makes that anew where it was lost; else it is warm until the next try.
            NoItems(_options.Name, PeerText.EscapeLine(failure.Message));
            _failedAt = context.Time.GetTimestamp();
            await LeaveAsync(cancellation).ConfigureAwait(false);
        }
    }

    /// <summary>Goes on with the items that have sampled along on that session. Null: there are none.</summary>
    /// <param name="session">In use from now on.</param>
    /// <param name="budgeted">The same.</param>
    /// <param name="loss">Of the connection before; null: it was given up.</param>
    /// <param name="cancellation">Ends the attempt.</param>
    public async ValueTask<ServedLink?> AdoptAsync(
        IUpstreamSession session, BudgetedSession budgeted, UpstreamLoss? loss, CancellationToken cancellation)
    {
        if (await TakeAsync(session, cancellation).ConfigureAwait(false) is not { } standby)
            return null;
        var link = standby.Link with { Session = budgeted };
        var served = new ServedLink(link, standby.Subscriptions, session);
        // The next attempt, if this one fails, finds them in doubt.
        if (loss is not null)
            loss.Served = served;
        source.Follower.Doubt();
        model.BrowseAnew();
        load.OnSession();
        source.Intake.OnConnecting();
        source.Items.OnAdopted(link, standby.Items);
        var feed = standby.Events?.TakeOver();
        Events?.OnAdopted(feed);
        // In one round trip.
        var publishing = standby.PublishAsync(budgeted, feed?.Subscription, cancellation);
        var namespaces = model.HasSameNamespacesAsync(link, cancellation).AsTask();
        await Task.WhenAll(publishing, namespaces).ConfigureAwait(false);
        if (!await namespaces.ConfigureAwait(false))
            throw new ServiceException(StatusCodes.BadConnectionClosed, "its NamespaceArray has changed");
        if (Events is { } events && (await publishing.ConfigureAwait(false)).IsBad)
        {
            await events.LeaveAsync(budgeted, cancellation).ConfigureAwait(false);
            events.OnGone();
        }

        metrics.Resumed(ResumeKind.New, 0);
        TookOver(_options.Name, standby.Count);
        return served;
    }

    /// <summary>The items on that session; null: there are none that may be used.</summary>
    private async ValueTask<StandbyItems?> TakeAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        if (_standby is not { } standby || standby.Session != session)
            return null;
        if (!standby.IsReady)
        {
            await LeaveAsync(cancellation).ConfigureAwait(false);
            return null;
        }

        End();
        return standby;
    }

    public void Dispose() => End();

    private async ValueTask CareAsync(IUpstreamConnection connection, CancellationToken cancellation)
    {
        var before = _standby;
        var session = connection.StandbyFor(before?.Session);
        if (before is not null && before.Session != session)
            await LeaveAsync(cancellation).ConfigureAwait(false);
        if (session is null || (_failedAt is { } at && context.Time.GetElapsedTime(at) < Pause))
            return;
        // Before the browse the namespaces have no index here: no id could be said to the standby.
        if (_standby is null && !model.Browsed.IsCompleted)
            return;
        _failedAt = null;
        if (_standby is not { } standby)
            (_standby, _version) = (standby = await MakeAsync(session, cancellation).ConfigureAwait(false), 0);
        if (standby.HasLeaked)
            throw new ServiceException(StatusCodes.BadUnexpectedError, "it publishes though it was told not to");
        if (standby.Events is { } events)
            await events.FollowAsync(cancellation).ConfigureAwait(false);
        var version = source.Items.MirrorVersion;
        if (version == _version && standby.IsReady)
            return;
        await standby.FollowAsync(source.Items.Mirror(), cancellation).ConfigureAwait(false);
        _version = version;
    }

    private async ValueTask<StandbyItems> MakeAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        var (limits, budget) = (context.Limits, _options.Budget);
        _gate = new RequestGate(budget, limits, context.Time, static (_, _) => { }, static _ => { });
        var budgeted = new BudgetedSession(
            session, _gate, new LearnedSizes(), context.Time, limits.MaxUpstreamAnswerBytes);
        var namespaces = await model.MapNamespacesAsync(budgeted, cancellation, isBeside: true).ConfigureAwait(false);
        var sizes = await OperationSizes.ReadAsync(budgeted, limits.MaxUpstreamAnswerBytes, cancellation)
            .ConfigureAwait(false);
        sizes = sizes with { NodesPerRead = Math.Min(sizes.NodesPerRead, budget.MaxReadsPerSecond) };
        StandbyRelay RelayOf(ISubscriptionHandler taker) => new(
            taker, new EmptyPublishAllowance(limits, context.Time, _options.PublishingIntervalMs), session.Abort);
        var relay = RelayOf(source.Intake);
        var settings = UpstreamSubscriptions.Settings(_options.PublishingIntervalMs, limits.MaxUpstreamNotifications);
        var subscriptions = UpstreamSubscriptions.Within(
            sizes, hasEvents: _options.Events, settings with { PublishingEnabled = false }, relay);
        await subscriptions.AddAsync(budgeted, cancellation).ConfigureAwait(false);
        var interval = subscriptions.First!.Value.PublishingIntervalMs;
        var slowest = interval > _options.PublishingIntervalMs ? interval : _options.PublishingIntervalMs;
        var link = new UpstreamLink(budgeted, namespaces, sizes, slowest);
        return new StandbyItems(session, link, subscriptions, relay, source.Follower, budget.MaxItems)
        {
            Events = Events is null ? null : new StandbyEvents(Events, link, RelayOf),
        };
    }

    /// <summary>Nothing of ours stays in a session that lives on.</summary>
    private async ValueTask LeaveAsync(CancellationToken cancellation)
    {
        var standby = _standby;
        End();
        if (standby is null || standby.Session.Closed.IsCompleted)
            return;
        try
        {
            await standby.DropAsync(cancellation).ConfigureAwait(false);
        }
        catch (ServiceException)
        {
            standby.Session.Abort();
        }
    }

    private void End()
    {
        _standby = null;
        _gate?.Dispose();
        _gate = null;
    }

    [LoggerMessage(5078, LogLevel.Information,
        "Upstream {Upstream} goes on without a gap: {Items} items have sampled along at the server that took over")]
    private partial void TookOver(string upstream, int items);

    [LoggerMessage(5077, LogLevel.Warning,
        "Upstream {Upstream}: the server that stands by has no items for the gateway ({Reason}): a failover to it "
            + "makes them anew")]
    private partial void NoItems(string upstream, string reason);
}
