using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// Many changes with one hand-over a shard. A value is in the store as soon as it is set; subscribers get it with
/// <see cref="Commit"/>, which also ends the batch's life. Owner: the producer, one thread.
/// </summary>
public sealed class ValueBatch
{
    private readonly ValueStore _store;
    private readonly ChangeBatch?[] _perShard = new ChangeBatch?[ValueStore.MaxShards];
    private ulong _touched;

    internal ValueBatch(ValueStore store) => _store = store;

    public void Set(NodeHandle node, in DataValue value) => _store.Set(node, value, this);

    /// <summary>Pass-through: the bytes of a Variant as they arrived, empty for none.</summary>
    public void SetEncoded(
        NodeHandle node,
        ReadOnlySpan<byte> encodedVariant,
        StatusCode status,
        DateTime sourceTimestamp,
        DateTime serverTimestamp,
        ushort sourcePicoseconds = 0) => _store.SetEncoded(
            node, encodedVariant, new(status, sourceTimestamp, serverTimestamp, sourcePicoseconds), this);

    public void Commit()
    {
        if (_touched != 0)
        {
            var arrival = _store.Timestamp();
            while (_touched != 0)
                Post(System.Numerics.BitOperations.TrailingZeroCount(_touched), arrival);
        }

        _store.Recycle(this);
    }

    internal void Add(ChangeInbox inbox, ValueChange change)
    {
        var batch = _perShard[inbox.Shard] ??= inbox.Rent();
        _touched |= 1UL << inbox.Shard;
        batch.Add(change);
        if (batch.IsFull)
            Post(inbox.Shard, _store.Timestamp());
    }

    private void Post(int shard, long arrival)
    {
        _store.InboxOf(shard).Post(_perShard[shard]!, arrival);
        _perShard[shard] = null;
        _touched &= ~(1UL << shard);
    }
}
