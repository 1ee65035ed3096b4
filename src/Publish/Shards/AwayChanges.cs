using System.Collections.Concurrent;
using Gateway.AddressSpace.Values;
using Gateway.Publish.Items;

namespace Gateway.Publish.Shards;

/// <summary>
/// Changes of items that have gone to another shard before their subscription: they wait here, in the order in which
/// they came, because the subscription is still the old shard's. Bounded; changes that find no room are replaced by the
/// node's current value once the subscription has arrived. Threads: any adds; taken under both shards' locks.
/// </summary>
internal sealed class AwayChanges
{
    private const int MaxChanges = 16 * 1024;

    private readonly ConcurrentQueue<Change> _waiting = new();
    private int _count;

    private readonly record struct Change(MonitoredItem Item, SharedValue? Value, NotificationBits Bits, long Now);

    /// <summary>Some found no room.</summary>
    public bool HasDropped { get; private set; }

    /// <param name="item">Which has gone ahead.</param>
    /// <param name="value">Takes a reference of its own. Null: the value's meaning has changed.</param>
    /// <param name="bits">As with the change.</param>
    /// <param name="now">When it came.</param>
    /// <returns>False: it found no room.</returns>
    public bool Add(MonitoredItem item, SharedValue? value, NotificationBits bits, long now)
    {
        if (Volatile.Read(ref _count) >= MaxChanges)
        {
            HasDropped = true;
            return false;
        }

        value?.AddReference();
        _waiting.Enqueue(new Change(item, value, bits, now));
        Interlocked.Increment(ref _count);
        return true;
    }

    /// <summary>Something was lost on its way here.</summary>
    public void NoteDropped() => HasDropped = true;

    /// <param name="values">Of the shard that the subscription leaves.</param>
    public void TakeInUnderLocks(ItemValues values)
    {
        while (_waiting.TryDequeue(out var change))
        {
            Interlocked.Decrement(ref _count);
            if (change.Item.Kind == NotificationKind.Event)
            {
                change.Item.TakeInEvent(change.Value!, change.Bits, values);
            }
            else if (change.Value is { } value)
            {
                change.Item.TakeIn(value, change.Bits, change.Now, values);
                value.Release();
            }
            else
            {
                change.Item.TakeInMeaning(change.Bits, values);
            }
        }
    }
}
