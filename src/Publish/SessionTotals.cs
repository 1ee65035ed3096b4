namespace Gateway.Publish;

/// <summary>Sums over the subscriptions of one session.</summary>
/// <param name="Notifications">Sent by the subscriptions that there are now.</param>
/// <param name="LateSubscriptions">With something to send and no Publish request to send it by.</param>
/// <param name="LateCycles">How often a cycle of theirs found no Publish request.</param>
/// <param name="QueueOverflows">Values that full queues dropped with the overflow bit.</param>
/// <param name="QueueCapacity">The sum of the queue sizes of their items.</param>
public readonly record struct SessionTotals(
    long Notifications, int LateSubscriptions, long LateCycles, long QueueOverflows, long QueueCapacity);
