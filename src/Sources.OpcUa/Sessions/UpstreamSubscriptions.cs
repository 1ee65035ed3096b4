using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>The gateway's subscriptions at one upstream: one, and more where the upstream takes only so many items in
/// each. How many that are the upstream says, or refuses to take. Thread: the connector's loop.</summary>
internal sealed class UpstreamSubscriptions(SubscriptionSettings settings, ISubscriptionHandler handler)
{
    /// <summary>A controller of ten items a subscription is asked for a thousand items, and not for more.</summary>
    public const int Most = 100;

    private const double LeastLifetimeMs = 60_000;

    /// <summary>That the upstream says it has for us.</summary>
    public int MaxCount { get; init; } = Most;

    /// <summary>That the upstream says it takes in each.</summary>
    public int MaxItemsInEach { get; init; } = int.MaxValue;

    private readonly List<SubscriptionRoom> _all = [];
    private SubscriptionSettings _settings = settings;
    private bool _isExhausted;

    public int Count => _all.Count;

    public SubscriptionRoom this[int index] => _all[index];

    /// <summary>Of the first; the others are asked for the same. Null: the upstream has none for us.</summary>
    public GrantedSubscription? First => _all.Count > 0 ? _all[0].Subscription : null;

    /// <summary>The upstream has no room in a new one either, until an item has gone.</summary>
    public bool IsExhausted => _isExhausted || _all.Count >= Math.Min(Most, MaxCount);

    /// <summary>As each of them is asked for: without a connection it stays as long as the session.</summary>
    /// <param name="intervalMs">As configured.</param>
    /// <param name="maxNotifications">Of one message.</param>
    public static SubscriptionSettings Settings(double intervalMs, int maxNotifications) => new()
    {
        PublishingIntervalMs = intervalMs,
        LifetimeCount = (uint)Math.Max(600, Math.Ceiling(LeastLifetimeMs / intervalMs)),
        MaxNotificationsPerPublish = (uint)maxNotifications,
    };

    /// <summary>As many as the upstream says. One is for events; where there is one alone, it is for values.</summary>
    public static UpstreamSubscriptions Within(
        OperationSizes sizes, bool hasEvents, SubscriptionSettings settings, ISubscriptionHandler handler) =>
        new(settings, handler)
        {
            MaxCount = hasEvents && sizes.Subscriptions > 1 ? sizes.Subscriptions - 1 : sizes.Subscriptions,
            MaxItemsInEach = sizes.ItemsPerSubscription,
        };

    /// <summary>Those that are added from now on publish: those that there are will do so, too.</summary>
    public void OnPublishing() => _settings = _settings with { PublishingEnabled = true };

    public SubscriptionRoom Find(uint id) => _all.Find(one => one.Subscription.Id == id)!;

    public async ValueTask<SubscriptionRoom> AddAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        var room = new SubscriptionRoom(
            await session.SubscribeAsync(_settings, handler, cancellation).ConfigureAwait(false), MaxItemsInEach);
        _all.Add(room);
        return room;
    }

    /// <summary>Null: the upstream allows no more.</summary>
    public async ValueTask<SubscriptionRoom?> TryAddAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        if (IsExhausted)
            return null;
        try
        {
            return await AddAsync(session, cancellation).ConfigureAwait(false);
        }
        catch (ServiceException refused) when (!refused.IsConnectionLost)
        {
            Exhaust();
            return null;
        }
    }

    /// <summary>The first one. Null: it was made, else the upstream's answer, which has no subscriptions or none left.
    /// Errors: <see cref="ServiceException"/> for all else.</summary>
    public async ValueTask<ServiceException?> AddFirstAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        try
        {
            await AddAsync(session, cancellation).ConfigureAwait(false);
            return null;
        }
        catch (ServiceException refused) when (refused.Status.CodeBits is StatusCodes.BadServiceUnsupported
            or StatusCodes.BadNotSupported or StatusCodes.BadNotImplemented or StatusCodes.BadTooManySubscriptions)
        {
            Exhaust();
            return refused;
        }
    }

    public void Exhaust() => _isExhausted = true;

    /// <summary>The upstream may have room by now, also in one that took nothing.</summary>
    public void TryAgain()
    {
        _isExhausted = false;
        foreach (var room in _all)
        {
            if (room.Items == 0)
                room.TryAgain();
        }
    }

    /// <param name="id">The upstream's, of a subscription.</param>
    /// <param name="items">That it has no more.</param>
    public void Removed(uint id, int items)
    {
        Find(id).Items -= items;
        TryAgain();
    }

    /// <summary>A session that was resumed has all of them.</summary>
    public bool AreIn(IUpstreamSession session) => _all.TrueForAll(one => session.Has(one.Subscription));

    /// <summary>Deletes those that a resumed session has.</summary>
    public async ValueTask DeleteAsync(IUpstreamSession session, CancellationToken cancellation)
    {
        foreach (var room in _all)
        {
            if (session.Has(room.Subscription))
                await session.UnsubscribeAsync(room.Subscription, cancellation).ConfigureAwait(false);
        }
    }
}
