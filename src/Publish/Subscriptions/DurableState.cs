using Gateway.Publish.Items;

namespace Gateway.Publish.Subscriptions;

/// <summary>The notes of a durable subscription for its next save: changed items, deleted ones,
/// and the bytes of its queues. Owner: the subscription, under its shard's lock. Source: Part 4 §6.8.</summary>
internal sealed class DurableState(DurableBook book, Subscription subscription)
{
    /// <summary>Deleted items that may wait for a save beside those that are there.</summary>
    private const int MaxGone = 1024;

    private long _bytes;

    public Subscription Subscription { get; } = subscription;

    /// <summary>As revised.</summary>
    public uint LifetimeHours { get; set; }

    /// <summary>Items whose queue, last value or parameters the disk does not have as they are.</summary>
    public Queue<MonitoredItem> Changed { get; } = new();

    /// <summary>Items that the disk still has.</summary>
    public List<uint> Deleted { get; } = [];

    /// <summary>Of its queues, as they lie on disk.</summary>
    public long Bytes => Interlocked.Read(ref _bytes);

    /// <summary>The subscription is closed: its file goes.</summary>
    public bool IsEnded { get; private set; }

    public bool HasRoomFor(int bytes) =>
        _bytes + bytes <= book.Limits.MaxDurableBytesPerSubscription && book.HasRoomFor(bytes);

    public void AddBytes(long change)
    {
        Interlocked.Add(ref _bytes, change);
        book.AddBytes(change);
    }

    public void CountShortage() => book.CountShortage();

    public void OnItemDeleted(uint id)
    {
        Deleted.Add(id);
        book.AddItems(-1);
        // While the disk refuses, no save takes them out.
        if (Changed.Count <= (2 * Subscription.Items.Count) + MaxGone)
            return;
        for (var left = Changed.Count; left > 0; left--)
        {
            if (Changed.Dequeue() is var item && !item.ExtrasOrNull!.Durable!.IsGone)
                Changed.Enqueue(item);
        }
    }

    public void OnEnded()
    {
        if (IsEnded)
            return;
        IsEnded = true;
        Changed.Clear();
        book.AddItems(-Subscription.Items.Count);
        book.Remove(this);
    }
}
