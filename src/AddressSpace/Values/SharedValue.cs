using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>
/// Shape: one Variant as its OPC UA Binary bytes (encoded once, spliced into every notification), its quality, its
/// times and, for a numeric scalar, the number that deadbands compare. Immutable as long as somebody holds a reference.
/// Owner: each holder of a reference; the last <see cref="Release"/> gives it back to the pool it came from, which may
/// hand it to another node at once. Threads: any. Up to <see cref="InlineSizeBytes"/> bytes live in the object itself,
/// so a scalar needs no array.
/// </summary>
public sealed class SharedValue
{
    /// <summary>Type byte and a value of eight bytes, with room for a short String.</summary>
    internal const int InlineSizeBytes = 24;

    /// <summary>From this size on values are counted by bytes (R09): smaller ones are bounded well enough by their
    /// number.</summary>
    internal const int LargeSizeBytes = 1024;

    /// <summary>The largest array that a value keeps while it waits in the pool.</summary>
    private const int KeptSizeBytes = 256;

    private readonly SharedValuePool _pool;
    private InlineBytes _inline;
    private byte[]? _large;
    private int _length;
    private int _references;

    internal SharedValue(SharedValuePool pool) => _pool = pool;

    /// <summary>The Variant as it stands on the wire; empty for a null Variant.</summary>
    public ReadOnlySpan<byte> EncodedVariant => _length <= InlineSizeBytes
        ? MemoryMarshal.CreateReadOnlySpan(ref _inline.First, _length)
        : _large.AsSpan(0, _length);

    /// <summary>The Variant's built-in type; Null for none.</summary>
    public BuiltInType Type { get; private set; }

    /// <summary>Memory of a large value; 0 for a small one.</summary>
    public int LargeBytes => _length < LargeSizeBytes ? 0 : _large!.Length;

    /// <summary>NaN unless the value is a numeric scalar.</summary>
    public double Numeric { get; private set; }

    public StatusCode Status { get; private set; }

    /// <summary><see cref="DateTime.MinValue"/> means absent.</summary>
    public DateTime SourceTimestamp { get; private set; }

    /// <summary><see cref="DateTime.MinValue"/> means absent.</summary>
    public DateTime ServerTimestamp { get; private set; }

    /// <summary>Units of 10 ps.</summary>
    public ushort SourcePicoseconds { get; private set; }

    /// <summary>Its source lost changes before this one: subscribers hear of it with this change, readers do not.
    /// </summary>
    public bool IsAfterLoss { get; private set; }

    /// <summary>Counts the changes of its node: a later value of the same node has a higher one. 0: never stored.
    /// </summary>
    public long Version { get; internal set; }

    /// <summary>For a holder that wants to hand a second reference on.</summary>
    public void AddReference() => Interlocked.Increment(ref _references);

    public void Release()
    {
        var left = Interlocked.Decrement(ref _references);
        System.Diagnostics.Debug.Assert(left >= 0, "A SharedValue was released twice.");
        if (left == 0)
            _pool.Return(this);
    }

    /// <summary>True when type and value are the other's; quality and times do not count.</summary>
    public bool HasSameValue(SharedValue other) =>
        ReferenceEquals(this, other) || EncodedVariant.SequenceEqual(other.EncodedVariant);

    /// <summary>The DataValue as a notification carries it: only the times asked for, the status with the bits of the
    /// notification. Source: Part 6 §5.2.2.17.</summary>
    public void WriteDataValue(
        ref UaBinaryWriter writer, WireTimestamps timestamps, NotificationBits bits = NotificationBits.None) =>
        WriteDataValue(ref writer, timestamps, bits, ServerTimestamp);

    /// <summary>The DataValue as a Read carries it that finds the value still true. Source: Part 4 §7.11.4.</summary>
    /// <param name="writer">Where it goes.</param>
    /// <param name="timestamps">Those asked for.</param>
    /// <param name="knownAt">When the server knew it to be so; the ServerTimestamp.</param>
    public void WriteDataValue(ref UaBinaryWriter writer, WireTimestamps timestamps, DateTime knownAt) =>
        WriteDataValue(ref writer, timestamps, NotificationBits.None, knownAt);

    private void WriteDataValue(
        ref UaBinaryWriter writer, WireTimestamps timestamps, NotificationBits bits, DateTime serverTimestamp)
    {
        var encoded = EncodedVariant;
        var status = new StatusCode(Status.Code | (uint)bits);
        var source = (timestamps & WireTimestamps.Source) != 0 && SourceTimestamp != default;
        var server = (timestamps & WireTimestamps.Server) != 0 && serverTimestamp != default;
        var picoseconds = source && SourcePicoseconds != 0;
        writer.WriteByte((byte)((encoded.Length > 0 ? 0x01 : 0) | (status.Code != 0 ? 0x02 : 0) | (source ? 0x04 : 0) |
            (server ? 0x08 : 0) | (picoseconds ? 0x10 : 0)));
        if (encoded.Length > 0)
            writer.WriteRaw(encoded);
        if (status.Code != 0)
            writer.WriteStatusCode(status);
        if (source)
            writer.WriteDateTime(SourceTimestamp);
        if (picoseconds)
            writer.WriteUInt16(SourcePicoseconds);
        if (server)
            writer.WriteDateTime(serverTimestamp);
    }

    /// <summary>The most bytes that a DataValue of it takes.</summary>
    public int MaximumSizeBytes => _length + 1 + sizeof(uint) + sizeof(long) + sizeof(long) + sizeof(ushort);

    /// <summary>A decoded copy. Errors: bytes that are no Variant (a source passed them through) give
    /// Bad_DecodingError.</summary>
    public DataValue ToDataValue()
    {
        var value = default(Variant);
        var status = Status;
        if (_length > 0)
        {
            var reader = new UaBinaryReader(EncodedVariant, DecodingLimits.PassThrough);
            value = reader.ReadVariant();
            if (reader.Failed)
                (value, status) = (default, reader.Status);
        }

        return new DataValue(value, status, SourceTimestamp, ServerTimestamp, SourcePicoseconds);
    }

    /// <summary>Takes a reference where there still is one to share; false for a value on its way to the
    /// pool.</summary>
    internal bool TryAddReference()
    {
        var seen = Volatile.Read(ref _references);
        while (seen > 0)
        {
            var before = Interlocked.CompareExchange(ref _references, seen + 1, seen);
            if (before == seen)
                return true;
            seen = before;
        }

        return false;
    }

    /// <summary>Fills a value fresh from the pool; its first reference is the caller's.</summary>
    internal void Assign(ReadOnlySpan<byte> encodedVariant, double numeric, in DataValueFacts facts)
    {
        Span<byte> target = MemoryMarshal.CreateSpan(ref _inline.First, InlineSizeBytes);
        if (encodedVariant.Length > InlineSizeBytes)
        {
            if (_large is null || _large.Length < encodedVariant.Length)
            {
                SharedValuePool.ReturnBytes(_large);
                _large = SharedValuePool.RentBytes(encodedVariant.Length);
            }

            target = _large;
        }

        encodedVariant.CopyTo(target);
        _length = encodedVariant.Length;
        if (_length >= LargeSizeBytes)
            _pool.CountLarge(LargeBytes);
        Type = encodedVariant.IsEmpty ? BuiltInType.Null : (BuiltInType)(encodedVariant[0] & 0x3F);
        Numeric = numeric;
        Status = facts.Status;
        SourceTimestamp = facts.SourceTimestamp;
        ServerTimestamp = facts.ServerTimestamp;
        SourcePicoseconds = facts.SourcePicoseconds;
        IsAfterLoss = facts.IsAfterLoss;
        Version = 0;
        Volatile.Write(ref _references, 1);
    }

    /// <summary>An object in the pool keeps no large array.</summary>
    internal void Reset()
    {
        if (_length >= LargeSizeBytes)
            _pool.CountLarge(-LargeBytes);
        if (_large is not null && _large.Length > KeptSizeBytes)
        {
            SharedValuePool.ReturnBytes(_large);
            _large = null;
        }

        _length = 0;
    }

    [InlineArray(InlineSizeBytes)]
    private struct InlineBytes
    {
        private byte _first;

        [System.Diagnostics.CodeAnalysis.UnscopedRef]
        public ref byte First => ref _first;
    }
}
