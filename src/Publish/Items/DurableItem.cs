using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Items;

/// <summary>
/// The part of a durable item's queue that is on disk. Positions count all entries that were ever queued: those from
/// <see cref="First"/> on are in the queue, those before <see cref="Saved"/> are on disk. So a save writes new entries
/// only, and says where the queue begins by now. It also bounds the queue by bytes. Owner: the item, under its shard's
/// lock.
/// </summary>
internal sealed class DurableItem(MonitoredItem item, DurableState state)
{
    /// <summary>Of an entry on disk without its Variant: length, status, both times, picoseconds, bits.</summary>
    private const int EntryBytes = 28;

    /// <summary>An empty queue takes a value of this size whatever there is: the number of items bounds them.</summary>
    private const int SmallBytes = 1024;

    /// <summary>Position of the oldest entry.</summary>
    public long First { get; private set; }

    /// <summary>Entries before it are on disk as they are.</summary>
    public long Saved { get; private set; }

    /// <summary>The disk does not have its present parameters.</summary>
    public bool HasNewSettings { get; private set; } = true;

    /// <summary>Of a restored item whose node is not there yet: the namespace's URI, and the NodeId without it.
    /// </summary>
    public (string? NamespaceUri, NodeId Id) MissingNode { get; set; }

    /// <summary>A restored item whose node is not there yet: nobody can say whether its user may read it, so its queue
    /// stays where it is (R16, R36).</summary>
    public bool IsHeld => item.Node.IsNone && Notice is null;

    /// <summary>Of an item that is held: goes to the client ahead of its queue, once. Null: nothing is to be told.
    /// </summary>
    public SharedValue? Notice { get; private set; }

    /// <summary>It waits for the next save.</summary>
    public bool IsListed { get; set; }

    /// <summary>The item was deleted.</summary>
    public bool IsGone { get; private set; }

    /// <summary>Behind the newest entry.</summary>
    public long End => First + item.Queue.Count;

    public static int BytesOf(SharedValue value) => EntryBytes + value.EncodedVariant.Length;

    /// <summary>Into the item's queue, which drops values by its policy also where there is no room for more bytes. A
    /// queue that is empty always takes a small one. Takes over the reference.</summary>
    /// <returns>True when a value was discarded for this one, or this one itself.</returns>
    public bool Enqueue(SharedValue value, NotificationBits bits, ItemValues values)
    {
        ref var queue = ref item.Queue;
        var isDiscarded = false;
        var bytes = BytesOf(value);
        if ((queue.Size == 1 || queue.Count == 0) && bytes > SmallBytes)
        {
            // Nothing stands in place of an event but the notice that it was lost.
            if (item.Kind == NotificationKind.Event && !state.HasRoomFor(bytes))
                return DropComing(value);
            ReplaceIfShort(ref value, ref bytes, values);
        }

        if (queue.Size == 1)
        {
            isDiscarded = queue.Count == 1;
            if (isDiscarded)
                Drop(queue.Peek().Value);
        }
        else if (queue.Count > 0)
        {
            var isShort = !state.HasRoomFor(bytes) || values.LacksRoomFor(value);
            if (isShort)
                state.CountShortage();
            if (item.DiscardOldest)
                isDiscarded = DropOldest(isShort ? bytes : 0, ref bits);
            else if (isShort || queue.Count == queue.Size)
                return ReplaceNewest(value, bytes, bits, isShort);
        }

        queue.Enqueue(value, item.DiscardOldest, bits);
        state.AddBytes(bytes);
        List();
        return isDiscarded;
    }

    /// <summary>The oldest entry has gone into a message.</summary>
    public void OnTaken(int bytes)
    {
        First++;
        state.AddBytes(-bytes);
        List();
    }

    /// <summary>Its client learns that the node is not there. Takes over the reference.</summary>
    public void Tell(SharedValue notice)
    {
        Notice?.Release();
        Notice = notice;
        if (item.IsReporting)
            item.Subscription.DirtyItems.Add(item);
    }

    /// <summary>The client has it; the reference is the sink's.</summary>
    public void OnTold() => Notice = null;

    /// <summary>There is nothing to tell any more.</summary>
    public void Withdraw()
    {
        Notice?.Release();
        Notice = null;
    }

    /// <summary>The whole queue goes.</summary>
    public void OnClearing()
    {
        Withdraw();
        state.AddBytes(-BytesOfQueue());
        First = End;
        List();
    }

    /// <summary>Before and behind another queue size: nothing that was saved counts any more.</summary>
    public void Resize(int size)
    {
        Rewrite(() => item.Queue.Resize(size, item.DiscardOldest));
        OnSettingsChanged();
    }

    /// <summary>Entries leave the queue from its middle: nothing that was saved counts any more.</summary>
    public void Rewrite(Action change)
    {
        var end = End;
        state.AddBytes(-BytesOfQueue());
        change();
        state.AddBytes(BytesOfQueue());
        First = Saved = end;
        List();
    }

    /// <summary>Something beside the queue has changed.</summary>
    public void OnNoted() => List();

    public void OnSettingsChanged()
    {
        HasNewSettings = true;
        List();
    }

    public void OnDeleted()
    {
        IsGone = true;
        state.OnItemDeleted(item.Id);
    }

    /// <summary>A save has written so far.</summary>
    public void OnSaved(long until)
    {
        Saved = until;
        HasNewSettings = false;
    }

    /// <summary>Into another file, from the beginning.</summary>
    public void ForgetSaved()
    {
        Saved = First;
        HasNewSettings = true;
    }

    /// <summary>The queue was filled from the disk.</summary>
    public void OnRestored(long first)
    {
        First = first;
        Saved = End;
        HasNewSettings = false;
        state.AddBytes(BytesOfQueue());
    }

    private void List()
    {
        if (IsListed || IsGone || state.IsEnded)
            return;
        IsListed = true;
        state.Changed.Enqueue(item);
    }

    /// <summary>Where the disk has no room for a large value, its place says so.</summary>
    private void ReplaceIfShort(ref SharedValue value, ref int bytes, ItemValues values)
    {
        var gone = item.Queue.Count == 1 ? BytesOf(item.Queue.Peek().Value) : 0;
        if (state.HasRoomFor(bytes - gone))
            return;
        state.CountShortage();
        value.Release();
        value = values.Make(new DataValue(StatusCodes.BadOutOfMemory));
        bytes = BytesOf(value);
    }

    private bool DropComing(SharedValue value)
    {
        state.CountShortage();
        value.Release();
        item.Extras.Event!.MakeNotice();
        List();
        return true;
    }

    private void Drop(SharedValue value)
    {
        First++;
        state.AddBytes(-BytesOf(value));
    }

    /// <param name="missing">Bytes that have to go at least, as far as there are any.</param>
    /// <param name="bits">Of the entry that comes: an Overflow where no older one is left to say so.</param>
    private bool DropOldest(int missing, ref NotificationBits bits)
    {
        const NotificationBits Inherited = NotificationBits.SemanticsChanged | NotificationBits.StructureChanged;
        ref var queue = ref item.Queue;
        var lost = NotificationBits.None;
        var dropped = 0;
        while (queue.Count > 0 && (queue.Count >= queue.Size || missing > 0))
        {
            var gone = queue.Dequeue();
            missing -= BytesOf(gone.Value);
            lost |= gone.Bits & Inherited;
            Drop(gone.Value);
            gone.Value.Release();
            dropped++;
        }

        if (dropped == 0)
            return false;
        if (queue.Count > 0)
            queue.FlagOverflow(0, lost);
        else
            bits |= NotificationBits.Overflow | lost;
        return true;
    }

    private bool ReplaceNewest(SharedValue value, int bytes, NotificationBits bits, bool isShort)
    {
        ref var queue = ref item.Queue;
        var newest = queue.Count - 1;
        var present = BytesOf(queue.At(newest).Value);
        if (isShort && present < bytes)
        {
            // In place of a smaller one it would need more: it is what goes.
            value.Release();
            queue.FlagOverflow(newest, bits);
        }
        else
        {
            var gone = queue.TakeNewest();
            gone.Value.Release();
            queue.Enqueue(value, discardOldest: false, bits);
            queue.FlagOverflow(newest, gone.Bits);
            state.AddBytes(bytes - present);
        }

        // The disk has the entry as it was.
        Saved = Math.Min(Saved, End - 1);
        List();
        return true;
    }

    private long BytesOfQueue()
    {
        var bytes = 0L;
        for (var i = 0; i < item.Queue.Count; i++)
            bytes += BytesOf(item.Queue.At(i).Value);
        return bytes;
    }
}
