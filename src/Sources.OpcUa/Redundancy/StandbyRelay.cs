using Gateway.Client.Subscriptions;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Items;

namespace Gateway.Sources.OpcUa.Redundancy;

/// <summary>The messages of a standby's subscriptions. Until the standby takes over these publish nothing: a message
/// that comes all the same is dropped unread, within a limit (R42). From then on they are those of the upstream.
/// Threads: the connection's; <see cref="Open"/> and <see cref="HasLeaked"/> from any.</summary>
/// <param name="taker">Of the upstream.</param>
/// <param name="allowance">Of messages while it stands by.</param>
/// <param name="onEnd">The standby is of no use: it meets the limit, or has ended a subscription.</param>
internal sealed class StandbyRelay(ISubscriptionHandler taker, EmptyPublishAllowance allowance, Action onEnd)
    : ISubscriptionHandler
{
    private volatile bool _isOpen;
    private volatile bool _hasLeaked;

    public ISubscriptionHandler Taker => taker;

    /// <summary>It has published before its turn: what was dropped is missing in its queues.</summary>
    public bool HasLeaked => _hasLeaked;

    /// <summary>Of the gateway there: each has its own keep-alives.</summary>
    public int SubscriptionCount { get; set => Volatile.Write(ref field, value); } = 1;

    /// <summary>It has taken over.</summary>
    public void Open() => _isOpen = true;

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
        if (_isOpen)
            taker.OnDataChange(subscription, ref changes);
        else
            Leak();
    }

    public void OnEvents(ClientSubscription subscription, ref EventListReader events)
    {
        if (_isOpen)
            taker.OnEvents(subscription, ref events);
        else
            Leak();
    }

    public void OnKeepAlive(ClientSubscription subscription)
    {
        if (_isOpen)
            taker.OnKeepAlive(subscription);
    }

    public void OnNothingNew(ClientSubscription subscription)
    {
        if (_isOpen)
            taker.OnNothingNew(subscription);
        else
            Drop();
    }

    public void OnStatusChange(ClientSubscription subscription, StatusCode status)
    {
        if (_isOpen)
            taker.OnStatusChange(subscription, status);
        else
            onEnd();
    }

    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count)
    {
        if (_isOpen)
            taker.OnLost(subscription, firstSequenceNumber, count);
    }

    private void Leak()
    {
        _hasLeaked = true;
        Drop();
    }

    private void Drop()
    {
        if (!allowance.TryTake(SubscriptionCount))
            onEnd();
    }
}
