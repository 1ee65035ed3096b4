using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>Lets a shard's items take in a value: makes new values, cuts parts, finds room for large ones, and counts
/// for the shard. The code that brings values passes it to the items. Owner: the shard, under its lock.</summary>
internal sealed class ItemValues(ValueStore store, ShardCounts counts, PublishLimits limits)
{
    private readonly long _maxLargeBytes = limits.MaxQueuedValueBytes;

    public ValueParts Parts { get; } = new(store);

    /// <summary>Asked for large values only.</summary>
    private bool IsFullOfLargeValues => store.HeldLargeBytes > _maxLargeBytes;

    /// <summary>A value of no node; the caller's.</summary>
    public SharedValue Make(in DataValue value) => store.Make(value);

    /// <summary>Exchanges the reference to a value for one to a part of it; without the value where there is no room
    /// for a part that no other item has (Bad_OutOfMemory).</summary>
    public SharedValue ExchangeForPart(SharedValue whole, in NumericRange range)
    {
        var part = Parts.Find(whole, range);
        if (part is null && whole.LargeBytes > 0 && IsFullOfLargeValues)
        {
            counts.LargeValuesDropped++;
            part = Make(new DataValue(
                default, StatusCodes.BadOutOfMemory, whole.SourceTimestamp, whole.ServerTimestamp));
        }

        part ??= Parts.Cut(whole, range);
        whole.Release();
        return part;
    }

    /// <summary>Takes over the reference. True when a value was discarded for this one, or this one itself.</summary>
    public bool Enqueue(ref ItemQueue queue, SharedValue value, bool discardOldest, NotificationBits bits)
    {
        if (value.LargeBytes == 0 || !IsFullOfLargeValues)
            return queue.Enqueue(value, discardOldest, bits);
        var isDiscarded = queue.EnqueueInPlace(value, discardOldest, bits);
        if (isDiscarded)
            counts.LargeValuesDropped++;
        return isDiscarded;
    }

    /// <summary>No more large values may be held; it is counted.</summary>
    public bool LacksRoomFor(SharedValue value)
    {
        if (value.LargeBytes == 0 || !IsFullOfLargeValues)
            return false;
        counts.LargeValuesDropped++;
        return true;
    }

    public void CountOverflow() => counts.Overflows++;
}
