using Gateway.Client.Subscriptions;
using Gateway.Sources.OpcUa.Events;
using Gateway.Sources.OpcUa.Sessions;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>The upstream's events at a server that stands by: a subscription that publishes nothing until that server
/// takes over. Thread: as <see cref="StandbyItems"/>. Errors: <see cref="Client.ServiceException"/> where the
/// connection is lost.</summary>
/// <param name="events">Of the upstream.</param>
/// <param name="link">To that server.</param>
/// <param name="relayOf">Makes the way of a subscription's messages.</param>
internal sealed class StandbyEvents(
    UpstreamEvents events, UpstreamLink link, Func<ISubscriptionHandler, StandbyRelay> relayOf)
{
    private EventFeed? _feed;
    private StandbyRelay? _relay;
    private int _version;

    /// <summary>See <see cref="StandbyRelay.HasLeaked"/>.</summary>
    public bool HasLeaked => _relay is { HasLeaked: true };

    /// <summary>As the upstream's types of events are now.</summary>
    public async ValueTask FollowAsync(CancellationToken cancellation)
    {
        var version = events.ModelVersion;
        if (version == _version)
            return;
        if (_feed is { } before && !events.IsSame(before, link))
            await DropAsync(cancellation).ConfigureAwait(false);
        _feed ??= await events.TryStandByAsync(link, intake => _relay = relayOf(intake), cancellation)
            .ConfigureAwait(false);
        _version = version;
    }

    /// <summary>They go on to the upstream's events.</summary>
    /// <returns>Null: there are none.</returns>
    public EventFeed? TakeOver()
    {
        if (_feed is not null)
            _relay?.Open();
        return _feed;
    }

    public async ValueTask DropAsync(CancellationToken cancellation)
    {
        var feed = _feed;
        _feed = null;
        if (feed is not null)
            await link.Session.UnsubscribeAsync(feed.Subscription, cancellation).ConfigureAwait(false);
    }
}
