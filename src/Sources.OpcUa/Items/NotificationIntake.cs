using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;

namespace Gateway.Sources.OpcUa.Items;

/// <summary>The upstream's messages on their way to <see cref="UpstreamItems"/>, within limits (R42): one that meets a
/// limit ends the session. Threads: the connection's; Reset before there is one.</summary>
internal sealed class NotificationIntake(
    UpstreamItems items,
    ValueStore values,
    UpstreamMetrics metrics,
    UpstreamLimits limits,
    TimeProvider time,
    double publishingIntervalMs)
    : ISubscriptionHandler
{
    /// <summary>Changes taken before others get the lock.</summary>
    private const int Slice = 1_000;

    private readonly EmptyPublishAllowance _emptyPublishes = new(limits, time, publishingIntervalMs);
    private readonly ValueRateAllowance _valueRate = new(limits, time, publishingIntervalMs);

    /// <summary>Before its subscription is made: messages of the upstream from then on may meet a bound.</summary>
    public void OnConnecting()
    {
        items.Bound = null;
        _emptyPublishes.Reset(items.RequestedMs);
        _valueRate.Reset(items.RequestedMs);
    }

    public void OnKeepAlive(ClientSubscription subscription) => metrics.Heard();

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
        if (changes.Count > limits.MaxUpstreamNotifications)
        {
            End(UpstreamBound.MaxUpstreamNotifications, "it notifies more at once than it was asked for");
            return;
        }

        var (batch, isNew) = (values.BeginBatch(), false);
        for (var left = changes.Count; left > 0; left -= Slice)
            isNew |= items.Ingest(ref changes, Math.Min(left, Slice), batch);
        batch.Commit();
        metrics.Notified(changes.Count);
        // Of none at all the subscription tells.
        if (!isNew && changes.Count > 0)
            OnNothingNew(subscription);
        if (!_valueRate.TryTake(changes.Count, items.HeldCount))
            End(UpstreamBound.MaxUpstreamValuesPerSecond, "it sends more values than its items can have in that time");
    }

    /// <summary>The server ended the subscription: a new session brings a new one.</summary>
    public void OnStatusChange(ClientSubscription subscription, StatusCode status) => items.EndSession();

    /// <summary>Values were lost for good: the current value is read.</summary>
    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count)
    {
        metrics.Lost(count);
        items.OnLost();
        OnNothingNew(subscription);
    }

    public void OnNothingNew(ClientSubscription subscription)
    {
        if (!_emptyPublishes.TryTake(items.SubscriptionCount))
            End(UpstreamBound.MaxUpstreamEmptyPublishes, "it answers Publish again and again without anything new");
    }

    private void End(UpstreamBound bound, string message)
    {
        items.Bound ??= new UpstreamBoundException(bound, message);
        items.EndSession();
    }
}
