using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Publish.Items;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Durable;

/// <summary>Turns what has changed of a subscription into records, a slice of the shard's lock each. Owner:
/// <see cref="SubscriptionFile"/>.</summary>
internal sealed class SliceWriter(DurableState state, NodeTable nodes, SaveBuffers buffers, TimeProvider time)
{
    /// <summary>Items and entries of one slice: about 100 µs.</summary>
    private const int SliceEntries = 1024;

    private const int SliceBytes = 64 * 1024;

    /// <summary>Far below what a record may have: a last slice that comes to it is followed by another.</summary>
    private const int LastSliceBytes = 16 * 1024 * 1024;

    /// <summary>Behind so many slices a producer is faster than they are: the rest comes in one.</summary>
    private const int MaxSlices = 10_000;

    private readonly HashSet<uint> _writtenMessages = [];
    private MonitoredItem?[] _all = [];
    private int _next;
    private bool _isInside;
    private bool _wantsAll;

    /// <summary>All items and messages come anew.</summary>
    public void BeginWhole()
    {
        _writtenMessages.Clear();
        _isInside = false;
        (_all, _next, _wantsAll) = ([], 0, true);
    }

    /// <param name="isClean">The gateway ends: samples are taken before their time.</param>
    /// <param name="slice">How many there were before.</param>
    public SliceResult Next(bool isClean, int slice)
    {
        while (true)
        {
            var consumer = state.Subscription.Consumer;
            lock (consumer.Shard.Lock)
            {
                if (!ReferenceEquals(consumer, state.Subscription.Consumer))
                    continue;
                if (state.IsEnded || state.Subscription.Away is not null)
                    return SliceResult.Unavailable;
                if (isClean && slice == 0)
                    TakeSamplesUnderLock(consumer.Shard);
                return WriteUnderLock(isClean, isLast: slice >= MaxSlices);
            }
        }
    }

    private void TakeSamplesUnderLock(Shard shard)
    {
        for (var item = state.Subscription.Samples.First; item is not null; item = ItemList<SampleLink>.After(item))
            item.TakeWaiting(shard.Values);
    }

    private SliceResult WriteUnderLock(bool isClean, bool isLast)
    {
        if (_wantsAll)
        {
            state.Deleted.Clear();
            (_all, _wantsAll) = (state.Subscription.Items.CopySlots(), false);
        }

        buffers.Items.Reset();
        var writer = new UaBinaryWriter(buffers.Items);
        writer.WriteByte((byte)SavedKind.Items);
        var work = isLast ? int.MaxValue : SliceEntries;
        var end = isLast ? LastSliceBytes : SliceBytes;
        WriteAllUnderLock(ref writer, end, ref work);
        WriteChangedUnderLock(ref writer, end, ref work);
        Complete(ref writer);
        if (_next < _all.Length || state.Changed.Count > 0)
            return SliceResult.More;
        (_all, _next) = ([], 0);
        WriteMessagesUnderLock();
        buffers.Commit.Reset();
        var commit = new UaBinaryWriter(buffers.Commit);
        CommitRecord.Write(ref commit, state, isClean, time.GetUtcNow().UtcDateTime, nodes.RulesDigest);
        Complete(ref commit);
        state.Deleted.Clear();
        return SliceResult.Last;
    }

    /// <summary>Of a file that begins anew.</summary>
    private void WriteAllUnderLock(ref UaBinaryWriter writer, int end, ref int work)
    {
        while (_next < _all.Length && work > 0 && writer.Position < end)
        {
            if (_all[_next] is not { ExtrasOrNull.Durable: { IsGone: false } durable } item)
            {
                (_next, _isInside) = (_next + 1, false);
                continue;
            }

            if (!_isInside)
                durable.ForgetSaved();
            _isInside = !ItemRecord.Write(ref writer, item, nodes, end, ref work);
            if (!_isInside)
                _next++;
        }
    }

    private void WriteChangedUnderLock(ref UaBinaryWriter writer, int end, ref int work)
    {
        while (_next == _all.Length && work > 0 && writer.Position < end && state.Changed.TryPeek(out var item))
        {
            var durable = item.ExtrasOrNull!.Durable!;
            if (!durable.IsGone && !ItemRecord.Write(ref writer, item, nodes, end, ref work))
                return;
            state.Changed.Dequeue();
            durable.IsListed = false;
        }
    }

    /// <summary>Those that are not on disk.</summary>
    private void WriteMessagesUnderLock()
    {
        buffers.Messages.Reset();
        var writer = new UaBinaryWriter(buffers.Messages);
        writer.WriteByte((byte)SavedKind.Messages);
        var kept = state.Subscription.Retransmission;
        lock (state.Subscription.Consumer.Gate)
        {
            var present = new HashSet<uint>(kept.Count);
            for (var i = 0; i < kept.Count; i++)
            {
                var sequenceNumber = kept.SequenceNumberAt(i);
                present.Add(sequenceNumber);
                if (!_writtenMessages.Add(sequenceNumber) || !kept.TryGet(sequenceNumber, out var message))
                    continue;
                writer.WriteUInt32(sequenceNumber);
                writer.WriteByteString(message);
            }

            _writtenMessages.IntersectWith(present);
        }

        Complete(ref writer);
    }

    /// <summary>A record that was cut would look whole, by its checksum.</summary>
    private static void Complete(ref UaBinaryWriter writer)
    {
        writer.Complete();
        if (writer.Failed)
            throw new InvalidOperationException("A record of a durable subscription is too large.");
    }
}
