namespace Gateway.Publish.Quotas;

/// <summary>The numbers that the caps of the publish engine count.</summary>
/// <param name="QueuedValues">Queue entries: the sum of queue sizes.</param>
internal readonly record struct Amount(int Subscriptions, int Items, long QueuedValues)
{
    public static Amount Subscription { get; } = new(1, 0, 0);

    public static Amount Item { get; } = new(0, 1, 0);

    public static Amount Queue(long entries) => new(0, 0, entries);

    public static Amount operator -(Amount amount) =>
        new(-amount.Subscriptions, -amount.Items, -amount.QueuedValues);

    public static Amount operator +(Amount left, Amount right) => new(
        left.Subscriptions + right.Subscriptions, left.Items + right.Items, left.QueuedValues + right.QueuedValues);

    /// <summary>The larger of each.</summary>
    public static Amount Max(Amount left, Amount right) => new(
        Math.Max(left.Subscriptions, right.Subscriptions), Math.Max(left.Items, right.Items),
        Math.Max(left.QueuedValues, right.QueuedValues));
}
