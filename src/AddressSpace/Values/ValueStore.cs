using System.Numerics;
using System.Runtime.CompilerServices;
using Gateway.AddressSpace.Listening;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// The current value of every variable, encoded once, and the way of each change to the shards that watch it.
/// Shape: slots in chunks of 1,024 by <see cref="NodeHandle.Index"/>; a slot holds a reference to its value, a count of
/// changes and one bit a watching shard. Threads: any. A striped lock orders the changes of one node; readers take
/// none: they take a reference and look again whether it is still the slot's. Lock order: stripe → inbox → pool.
/// Steady state allocates nothing a change.
/// </summary>
public sealed class ValueStore
{
    internal const int MaxShards = 64;
    private const int ChunkBits = 10;
    private const int ChunkSize = 1 << ChunkBits;
    private const int Stripes = 64;

    /// <summary>Idle values: a burst of 64 Ki changes at once without an allocation.</summary>
    private const int MaxIdleValues = 64 * 1024;

    [ThreadStatic]
    private static PooledBuffer? _scratch;

    private readonly TimeProvider _time;
    private readonly Lock[] _stripes = new Lock[Stripes];
    private readonly Lock _lock = new();
    private readonly Stack<ValueBatch> _idleBatches = new();
    private readonly ListenerList<IInterestListener> _listeners = new();
    private readonly InterestBook _interest;
    private readonly InterestBook _timestampInterest;
    private volatile Slot[][] _chunks = [];
    private volatile ChangeInbox[] _inboxes = [];
    private long _currentLargeBytes;

    public ValueStore(TimeProvider time)
    {
        _time = time;
        for (var i = 0; i < Stripes; i++)
            _stripes[i] = new Lock();
        _interest = new InterestBook(
            _listeners, static (listener, node, wanted) => listener.OnInterest(node, wanted));
        _timestampInterest = new InterestBook(
            _listeners, static (listener, node, wanted) => listener.OnTimestampInterest(node, wanted));
    }

    /// <summary>Values ever made: each value beyond the nodes, the queues and the idle ones is an allocation.</summary>
    public long CreatedValues => Pool.Created;

    /// <summary>Values ever encoded, stored or made for one holder: one a change, however many watch it.</summary>
    public long EncodedValues => Pool.Rented;

    /// <summary>Values that wait in the pool.</summary>
    public int IdleValues => Pool.Idle;

    /// <summary>Values that the pool had no room for.</summary>
    public long DiscardedValues => Pool.Discarded;

    /// <summary>Memory of large values (from a KiB on) that are no node's current one: queued, on their way, or a part
    /// that was cut out for one holder.</summary>
    public long HeldLargeBytes => Math.Max(0, Pool.LargeBytes - Interlocked.Read(ref _currentLargeBytes));

    /// <summary>Encoded values that somebody holds.</summary>
    public long OutstandingValues => Pool.Outstanding;

    internal SharedValuePool Pool { get; } = new(MaxIdleValues);

    /// <summary>The current value with a reference for the caller, who releases it; null when none was ever set.
    /// </summary>
    public SharedValue? Acquire(NodeHandle node)
    {
        ref var slot = ref Find(node.Index);
        if (Unsafe.IsNullRef(ref slot))
            return null;
        while (true)
        {
            var value = Volatile.Read(ref slot.Value);
            if (value is null)
                return null;
            if (!value.TryAddReference())
                continue;
            // A value may have gone through the pool to another node between the two lines above.
            if (ReferenceEquals(Volatile.Read(ref slot.Value), value))
                return value;
            value.Release();
        }
    }

    /// <summary>Bytes of the current value, by which work with it is charged; 0 when none was ever set.</summary>
    public int EncodedLengthOf(NodeHandle node)
    {
        if (Acquire(node) is not { } value)
            return 0;
        var bytes = value.EncodedVariant.Length;
        value.Release();
        return bytes;
    }

    /// <summary>A decoded copy; Bad_WaitingForInitialData when nothing was ever set.</summary>
    public DataValue Read(NodeHandle node)
    {
        var value = Acquire(node);
        if (value is null)
            return new DataValue(StatusCodes.BadWaitingForInitialData);
        var copy = value.ToDataValue();
        value.Release();
        return copy;
    }

    /// <summary>One change. A ServerTimestamp that is absent becomes now.</summary>
    public void Set(NodeHandle node, in DataValue value) => Set(node, value, null);

    /// <summary>Pass-through: the bytes of a Variant as they arrived, empty for none.</summary>
    public void SetEncoded(
        NodeHandle node,
        ReadOnlySpan<byte> encodedVariant,
        StatusCode status,
        DateTime sourceTimestamp,
        DateTime serverTimestamp) =>
        SetEncoded(node, encodedVariant, new(status, sourceTimestamp, serverTimestamp, 0), null);

    /// <summary>Takes the node's value away: a later <see cref="Read"/> finds Bad_WaitingForInitialData.</summary>
    public void Clear(NodeHandle node)
    {
        ref var slot = ref Find(node.Index);
        if (Unsafe.IsNullRef(ref slot))
            return;
        lock (_stripes[node.Index % Stripes])
        {
            var old = Interlocked.Exchange(ref slot.Value, null);
            CountCurrent(old, null);
            old?.Release();
        }
    }

    public ValueBatch BeginBatch()
    {
        lock (_lock)
        {
            if (_idleBatches.TryPop(out var batch))
                return batch;
        }

        return new ValueBatch(this);
    }

    /// <summary>A value that belongs to no node (an attribute, a part of an array): the caller's, who releases it.
    /// </summary>
    public SharedValue Make(in DataValue value)
    {
        var scratch = Encode(value.Value, out var encoded);
        var made = Make(scratch.WrittenSpan, value.Value.AsDouble(), Facts(value, encoded));
        scratch.Reset();
        return made;
    }

    /// <summary>The same of the bytes of a Variant, empty for none; the times stay as they are.</summary>
    public SharedValue MakeEncoded(
        ReadOnlySpan<byte> encodedVariant, StatusCode status, DateTime sourceTimestamp, DateTime serverTimestamp,
        ushort sourcePicoseconds) => Make(
            encodedVariant, VariantBytes.Numeric(encodedVariant),
            new(status, sourceTimestamp, serverTimestamp, sourcePicoseconds));

    /// <summary>Adds a consumer of changes: a shard of the publish engine, a stream. At most 64.</summary>
    /// <param name="maxChanges">Queued changes beyond which values coalesce.</param>
    /// <param name="wake">Called on a producer's thread when many changes wait; must not block.</param>
    public ChangeInbox OpenInbox(int maxChanges, Action wake)
    {
        lock (_lock)
        {
            if (_inboxes.Length == MaxShards)
                throw new InvalidOperationException("A value store has at most 64 consumers.");
            var inbox = new ChangeInbox(_inboxes.Length, maxChanges, wake);
            _inboxes = [.. _inboxes, inbox];
            return inbox;
        }
    }

    /// <summary>It is called for first and last subscribers from now on, until the result is disposed.</summary>
    public IDisposable Listen(IInterestListener listener) => _listeners.Add(listener);

    /// <summary>The shard wants this node's changes from now on; one call a shard, which counts its items itself. The
    /// first shard's call tells the listeners; an exception of a listener comes out here, and the shard is attached all
    /// the same.</summary>
    public void Attach(NodeHandle node, int shard)
    {
        ref var slot = ref FindOrAdd(node.Index);
        lock (_stripes[node.Index % Stripes])
            Volatile.Write(ref slot.Shards, slot.Shards | (1UL << shard));
        _interest.Add(node, shard);
    }

    public void Detach(NodeHandle node, int shard)
    {
        ref var slot = ref FindOrAdd(node.Index);
        lock (_stripes[node.Index % Stripes])
            Volatile.Write(ref slot.Shards, slot.Shards & ~(1UL << shard));
        _interest.Remove(node, shard);
    }

    /// <summary>To the shard a new SourceTimestamp of this node alone is a change from now on. As for <see
    /// cref="Attach"/>.</summary>
    public void AttachTimestamps(NodeHandle node, int shard) => _timestampInterest.Add(node, shard);

    public void DetachTimestamps(NodeHandle node, int shard) => _timestampInterest.Remove(node, shard);

    /// <summary>A value was set and not cleared.</summary>
    public bool Contains(NodeHandle node)
    {
        ref var slot = ref Find(node.Index);
        return !Unsafe.IsNullRef(ref slot) && Volatile.Read(ref slot.Value) is not null;
    }

    /// <summary>At least one listener watches the node.</summary>
    public bool IsWatched(NodeHandle node)
    {
        ref var slot = ref Find(node.Index);
        return !Unsafe.IsNullRef(ref slot) && Volatile.Read(ref slot.Shards) != 0;
    }

    internal ChangeInbox InboxOf(int shard) => _inboxes[shard];

    internal long Timestamp() => _time.GetTimestamp();

    internal void Recycle(ValueBatch batch)
    {
        lock (_lock)
        {
            if (_idleBatches.Count < MaxShards)
                _idleBatches.Push(batch);
        }
    }

    internal void Set(NodeHandle node, in DataValue value, ValueBatch? batch)
    {
        var scratch = Encode(value.Value, out var encoded);
        Store(node, Make(scratch.WrittenSpan, value.Value.AsDouble(), Facts(value, encoded)), batch);
        scratch.Reset();
    }

    internal void SetEncoded(
        NodeHandle node, ReadOnlySpan<byte> encodedVariant, in DataValueFacts facts, ValueBatch? batch)
    {
        var numeric = VariantBytes.Numeric(encodedVariant);
        var stamped = facts.ServerTimestamp != default ? facts : facts with { ServerTimestamp = Now() };
        Store(node, Make(encodedVariant, numeric, WithoutLoss(stamped)), batch);
    }

    /// <summary>Nothing is written for a null Variant, nor for one too large to encode, whose status is then bad.
    /// </summary>
    private static PooledBuffer Encode(in Variant value, out StatusCode status)
    {
        var scratch = _scratch ??= new PooledBuffer();
        status = StatusCode.Good;
        if (value.IsNull)
            return scratch;
        var writer = new UaBinaryWriter(scratch);
        writer.WriteVariant(value);
        status = writer.Status;
        if (!writer.Failed)
            writer.Complete();
        return scratch;
    }

    private SharedValue Make(ReadOnlySpan<byte> encodedVariant, double numeric, in DataValueFacts facts)
    {
        var value = Pool.Rent();
        value.Assign(encodedVariant, numeric, facts);
        return value;
    }

    private DataValueFacts Facts(in DataValue value, StatusCode encoded) => WithoutLoss(new(
        encoded.IsBad ? encoded : value.Status,
        value.SourceTimestamp,
        value.ServerTimestamp != default ? value.ServerTimestamp : Now(),
        value.SourcePicoseconds));

    /// <summary>The Overflow bit of a source's queue is said of one change, and is no part of the value.</summary>
    private static DataValueFacts WithoutLoss(in DataValueFacts facts) => facts.Status.HasOverflow
        ? facts with { Status = facts.Status.WithoutOverflow(), IsAfterLoss = true }
        : facts;

    private DateTime Now() => _time.GetUtcNow().UtcDateTime;

    /// <summary>Takes over the caller's reference as the slot's own.</summary>
    private void Store(NodeHandle node, SharedValue value, ValueBatch? batch)
    {
        ref var slot = ref FindOrAdd(node.Index);
        SharedValue? old;
        lock (_stripes[node.Index % Stripes])
        {
            value.Version = ++slot.Version;
            old = Interlocked.Exchange(ref slot.Value, value);
            CountCurrent(old, value);
            var arrival = slot.Shards != 0 && batch is null ? Timestamp() : 0;
            for (var shards = slot.Shards; shards != 0; shards &= shards - 1)
                HandOver(node, value, _inboxes[BitOperations.TrailingZeroCount(shards)], batch, arrival);
        }

        old?.Release();
    }

    private void CountCurrent(SharedValue? old, SharedValue? current)
    {
        var change = (current?.LargeBytes ?? 0) - (old?.LargeBytes ?? 0);
        if (change != 0)
            Interlocked.Add(ref _currentLargeBytes, change);
    }

    private static void HandOver(
        NodeHandle node, SharedValue value, ChangeInbox inbox, ValueBatch? batch, long arrival)
    {
        value.AddReference();
        if (batch is not null)
        {
            batch.Add(inbox, new ValueChange(node, value));
            return;
        }

        var single = inbox.Rent();
        single.Add(new ValueChange(node, value));
        inbox.Post(single, arrival);
    }

    private ref Slot Find(int index)
    {
        var chunks = _chunks;
        var chunk = index >> ChunkBits;
        if ((uint)chunk >= (uint)chunks.Length)
            return ref Unsafe.NullRef<Slot>();
        return ref chunks[chunk][index & (ChunkSize - 1)];
    }

    private ref Slot FindOrAdd(int index)
    {
        ArgumentOutOfRangeException.ThrowIfLessThan(index, 1);
        if (index >> ChunkBits >= _chunks.Length)
            Grow(index >> ChunkBits);
        return ref Find(index);
    }

    private void Grow(int chunk)
    {
        lock (_lock)
        {
            var chunks = _chunks;
            if (chunk < chunks.Length)
                return;
            var grown = new Slot[chunk + 1][];
            chunks.CopyTo(grown, 0);
            for (var i = chunks.Length; i < grown.Length; i++)
                grown[i] = new Slot[ChunkSize];
            _chunks = grown;
        }
    }

    private struct Slot
    {
        public SharedValue? Value;
        public long Version;
        public ulong Shards;
    }
}
