namespace Gateway.Publish.Subscriptions;

/// <summary>One client's share of durable subscriptions: a certificate's, an address's or a user's, as
/// <see cref="SessionOwner.HolderKey"/> says. Owner: <see cref="DurableBook"/>, as long as it has a subscription.
/// Threads: any.</summary>
internal sealed class DurableHolder(string key)
{
    private long _bytes;
    private int _items;

    public string Key => key;

    /// <summary>Under the book's lock.</summary>
    public int Subscriptions { get; set; }

    public int Items => Volatile.Read(ref _items);

    /// <summary>Of their queues, as they lie on disk.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    public void AddItems(int change) => Interlocked.Add(ref _items, change);

    public void AddBytes(long change) => Interlocked.Add(ref _bytes, change);
}
