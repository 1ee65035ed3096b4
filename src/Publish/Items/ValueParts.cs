using Gateway.AddressSpace.Values;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>
/// The parts of values that items with an IndexRange watch. A part is cut once for all items that ask for the same
/// range of the same value, and a value is decoded once for the cuts that follow each other. Shape: the last few parts,
/// each with a reference to the whole and one to the part, until <see cref="Clear"/>. <see cref="Work"/> sums up the
/// cost of cuts: code that walks items releases the lock in time by it (R44). Owner: the shard, under its lock.
/// </summary>
internal sealed class ValueParts(ValueStore store)
{
    /// <summary>Of <see cref="Work"/> in one hold of the lock: about 100 µs.</summary>
    public const int WorkPerSlice = 2048;

    private const int MaxParts = 16;

    /// <summary>Of large values that are kept here, wholes and parts; one part may be larger.</summary>
    private const int MaxLargeBytes = 1 << 20;

    /// <summary>Of a value that is decoded or of a part that is encoded: about as much work as one item.</summary>
    private const int BytesOfUnit = 64;

    private readonly Entry[] _entries = new Entry[MaxParts];
    private int _count;
    private int _next;
    private long _largeBytes;
    private SharedValue? _decodedFrom;
    private DataValue _decoded;

    /// <summary>Only rises. A unit is about 50 ns.</summary>
    public long Work { get; private set; }

    /// <summary>An existing part, with a reference for the caller; else null.</summary>
    public SharedValue? Find(SharedValue whole, in NumericRange range)
    {
        for (var i = 0; i < _count; i++)
        {
            ref var entry = ref _entries[i];
            if (!ReferenceEquals(entry.Whole, whole) || !AreEqual(entry.Range, range))
                continue;
            entry.Part.AddReference();
            return entry.Part;
        }

        return null;
    }

    /// <summary>The part with a reference for the caller; where the range does not fit, a value with the status that
    /// says so. The caller keeps its reference to the whole.</summary>
    public SharedValue Cut(SharedValue whole, in NumericRange range)
    {
        var decoded = Decode(whole);
        var status = range.Apply(decoded.Value, out var value);
        var part = store.Make(
            status.IsBad ? decoded with { Value = default, Status = status } : decoded with { Value = value });
        Work += 1 + ((HasFixedSize(whole.Type) ? part : whole).EncodedVariant.Length / BytesOfUnit);
        Keep(whole, range, part);
        return part;
    }

    /// <summary>Gives everything back.</summary>
    public void Clear()
    {
        DropAll();
        _decodedFrom?.Release();
        (_decodedFrom, _decoded) = (null, default);
    }

    /// <summary>To reach one element of the others, those before it are read.</summary>
    private static bool HasFixedSize(BuiltInType type) =>
        type is (>= BuiltInType.Boolean and <= BuiltInType.Double) or BuiltInType.DateTime or BuiltInType.StatusCode;

    private static bool AreEqual(in NumericRange one, in NumericRange other)
    {
        if (one.Count != other.Count)
            return false;
        for (var i = 0; i < one.Count; i++)
        {
            if (one[i] != other[i])
                return false;
        }

        return true;
    }

    private DataValue Decode(SharedValue whole)
    {
        if (ReferenceEquals(_decodedFrom, whole))
            return _decoded;
        Work += whole.EncodedVariant.Length / BytesOfUnit;
        whole.AddReference();
        _decodedFrom?.Release();
        (_decodedFrom, _decoded) = (whole, whole.ToDataValue());
        return _decoded;
    }

    private void Keep(SharedValue whole, in NumericRange range, SharedValue part)
    {
        var bytes = whole.LargeBytes + part.LargeBytes;
        if (_largeBytes + bytes > MaxLargeBytes)
            DropAll();
        ref var entry = ref _entries[_next];
        _next = (_next + 1) % MaxParts;
        if (_count < MaxParts)
            _count++;
        else
            Drop(ref entry);
        whole.AddReference();
        part.AddReference();
        entry = new Entry(whole, range, part);
        _largeBytes += bytes;
    }

    private void DropAll()
    {
        for (var i = 0; i < _count; i++)
            Drop(ref _entries[i]);
        (_count, _next) = (0, 0);
    }

    private void Drop(ref Entry entry)
    {
        _largeBytes -= entry.Whole.LargeBytes + entry.Part.LargeBytes;
        entry.Whole.Release();
        entry.Part.Release();
        entry = default;
    }

    private readonly record struct Entry(SharedValue Whole, NumericRange Range, SharedValue Part);
}
