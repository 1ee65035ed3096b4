using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using System.Text.Unicode;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>
/// Reads OPC UA Binary from one contiguous span. Errors stick: the first one sets <see cref="Status"/>, every later
/// read returns a default and consumes nothing, so a caller checks once at the end. No read allocates from a
/// declared length before that length is held against the bytes left and the limits (R02). Nothing throws.
/// Source: Part 6 §5.2.
/// </summary>
public ref struct UaBinaryReader
{
    private readonly DecodingLimits _limits;
    private readonly DecodeMeter? _meter;
    private ReadOnlySpan<byte> _data;
    private long _unspentBytes;
    private int _position;
    private int _depth;

    /// <param name="data">The whole message.</param>
    /// <param name="limits">Null: the defaults.</param>
    /// <param name="meter">Of the message, for all readers of it; null: it counts for itself alone.</param>
    public UaBinaryReader(ReadOnlySpan<byte> data, DecodingLimits? limits = null, DecodeMeter? meter = null)
    {
        _data = data;
        _limits = limits ?? DecodingLimits.Default;
        _meter = meter;
        _unspentBytes = _limits.MaxDecodedBytes;
    }

    /// <summary>Good, Bad_DecodingError, Bad_EncodingLimitsExceeded, Bad_OutOfMemory where the meter's budget is spent,
    /// or Bad_TooManyOperations.</summary>
    public StatusCode Status { get; private set; }

    /// <summary>The most elements that an array of the message's own fields may have, 0: <see cref="DecodingLimits"/>
    /// alone. A longer one is Bad_TooManyOperations before an element is read. Arrays deeper inside, those of the
    /// RequestHeader too, do not count.</summary>
    public int MaxOperations { get; set; }

    /// <summary>The charge for values so far, in bytes of memory.</summary>
    public readonly long DecodedBytes => _limits.MaxDecodedBytes - _unspentBytes;

    public readonly bool Failed => Status.IsBad;

    public readonly int Position => _position;

    public readonly int Remaining => _data.Length - _position;

    /// <summary>The bytes between two positions: what pass-through keeps.</summary>
    public readonly ReadOnlySpan<byte> Slice(int start, int end) => _data[start..end];

    public void Fail(StatusCode status)
    {
        if (!Failed)
            Status = status;
        _position = _data.Length;
    }

    public bool ReadBoolean() => ReadByte() != 0;

    public sbyte ReadSByte() => (sbyte)ReadByte();

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public byte ReadByte()
    {
        if ((uint)_position < (uint)_data.Length)
            return _data[_position++];
        Fail(StatusCodes.BadDecodingError);
        return 0;
    }

    public short ReadInt16() => (short)ReadUInt16();

    public ushort ReadUInt16() =>
        TryTake(sizeof(ushort), out var bytes) ? BinaryPrimitives.ReadUInt16LittleEndian(bytes) : default;

    public int ReadInt32() => (int)ReadUInt32();

    public uint ReadUInt32() =>
        TryTake(sizeof(uint), out var bytes) ? BinaryPrimitives.ReadUInt32LittleEndian(bytes) : default;

    public long ReadInt64() => (long)ReadUInt64();

    public ulong ReadUInt64() =>
        TryTake(sizeof(ulong), out var bytes) ? BinaryPrimitives.ReadUInt64LittleEndian(bytes) : default;

    public float ReadFloat() => BitConverter.UInt32BitsToSingle(ReadUInt32());

    public double ReadDouble() => BitConverter.UInt64BitsToDouble(ReadUInt64());

    public StatusCode ReadStatusCode() => new(ReadUInt32());

    public DateTime ReadDateTime() => UaDateTime.FromWire(ReadInt64());

    public Guid ReadGuid() => TryTake(16, out var bytes) ? new Guid(bytes) : default;

    /// <summary>Invalid UTF-8 and an embedded NUL are refused with Bad_DecodingError (R25).</summary>
    public string? ReadString() =>
        TryReadText(out var bytes) && TryCharge(DecodedSize.OfString(bytes.Length))
            ? Encoding.UTF8.GetString(bytes)
            : null;

    /// <summary>Steps over a String that is as strictly checked as a read one: for what is passed through.</summary>
    public void SkipString() => TryReadText(out _);

    /// <summary>The UTF-8 bytes of a String in place, unchecked; empty also for null. For comparing and skipping.
    /// </summary>
    public ReadOnlySpan<byte> ReadStringBytes()
    {
        TryReadLength(_limits.MaxStringLengthBytes, out var bytes);
        return bytes;
    }

    public byte[]? ReadByteString() =>
        TryReadLength(_limits.MaxByteStringLengthBytes, out var bytes) &&
        TryCharge(DecodedSize.OfArray<byte>(bytes.Length))
            ? bytes.ToArray()
            : null;

    /// <summary>A ByteString in place: valid as long as the message. Empty also for null.</summary>
    public ReadOnlySpan<byte> ReadByteStringSpan()
    {
        TryReadLength(_limits.MaxByteStringLengthBytes, out var bytes);
        return bytes;
    }

    public XmlElement ReadXmlElement() => new(ReadString());

    public QualifiedName ReadQualifiedName()
    {
        var index = ReadUInt16();
        return new QualifiedName(ReadString(), index);
    }

    public LocalizedText ReadLocalizedText()
    {
        var mask = ReadByte();
        var locale = (mask & 0x01) != 0 ? ReadString() : null;
        var text = (mask & 0x02) != 0 ? ReadString() : null;
        return new LocalizedText(text, locale);
    }

    public NodeId ReadNodeId() => NodeIdBinary.Read(ref this, ReadByte());

    public ExpandedNodeId ReadExpandedNodeId() => NodeIdBinary.ReadExpanded(ref this);

    public ExtensionObject ReadExtensionObject() => ExtensionObjectBinary.Read(ref this);

    public DataValue ReadDataValue() => DataValueBinary.Read(ref this);

    public Variant ReadVariant() => VariantBinary.Read(ref this);

    /// <summary>One whole Variant as its bytes, as strictly checked as a read one, without objects. Empty after an
    /// error.</summary>
    public ReadOnlySpan<byte> ReadVariantBytes()
    {
        var start = _position;
        ValueSkip.Variant(ref this);
        return Failed ? default : Slice(start, _position);
    }

    public DiagnosticInfo? ReadDiagnosticInfo() => DiagnosticInfoBinary.Read(ref this);

    public T ReadStructure<T>()
        where T : IStructure<T>
    {
        if (!TryEnter() || (!typeof(T).IsValueType && !TryCharge(T.MemoryBytes)))
            return default!;
        var value = T.Decode(ref this);
        Leave();
        return value;
    }

    /// <summary>For the body of an ExtensionObject, which is an object also where T is a struct.</summary>
    internal T ReadBody<T>()
        where T : IStructure<T>, new() =>
        TryCharge(T.MemoryBytes) ? T.Decode(ref this) : new T();

    public T[]? ReadStructureArray<T>()
        where T : IStructure<T> =>
        ArrayBinary.ReadEach(ref this, T.MinimumSizeBytes, static (ref reader) => reader.ReadStructure<T>());

    /// <summary>The mask in front of a structure with optional fields, 0 after an error. A bit that belongs to no field
    /// is Bad_DecodingError. Source: Part 6 §5.2.7.</summary>
    public uint ReadOptionalFieldMask(int optionalFields)
    {
        var mask = ReadUInt32();
        if ((ulong)mask >> optionalFields == 0)
            return mask;
        Fail(StatusCodes.BadDecodingError);
        return 0;
    }

    /// <summary>Which field of a union follows, from 1; 0 for none and after an error. A number above the count of
    /// fields is Bad_DecodingError. Source: Part 6 §5.2.8.</summary>
    public uint ReadSwitchField(int fields)
    {
        var value = ReadUInt32();
        if (value <= (uint)fields)
            return value;
        Fail(StatusCodes.BadDecodingError);
        return 0;
    }

    /// <summary>An ExtensionObject that may hold a <typeparamref name="T"/>; see
    /// <see cref="AllowSubtypesAttribute"/>.</summary>
    public ExtensionObject ReadSubtype<T>()
        where T : class, IStructure
    {
        var value = ReadExtensionObject();
        if (value.Body is IStructure and not T)
            Fail(StatusCodes.BadDecodingError);
        return value;
    }

    public ExtensionObject[]? ReadSubtypeArray<T>()
        where T : class, IStructure =>
        ArrayBinary.ReadEach(ref this, 3, static (ref reader) => reader.ReadSubtype<T>());

    /// <summary>An array of a built-in type other than of bytes in a ByteString; T is its CLR type.</summary>
    public T[]? ReadArray<T>(BuiltInType type) => (T[]?)ArrayBinary.Read(ref this, type);

    /// <summary>
    /// The number of elements that follow, −1 for null (and after an error). Held against the limit and against the
    /// bytes left, so that an allocation by it is bounded by what has really arrived.
    /// </summary>
    /// <param name="minimumElementBytes">The fewest bytes one element takes; a type of no bytes counts as
    /// one.</param>
    public int ReadArrayLength(int minimumElementBytes)
    {
        var length = ReadInt32();
        if (Failed || length < 0)
            return -1;
        if (_depth == 0 && length > MaxOperations && MaxOperations > 0)
        {
            Fail(StatusCodes.BadTooManyOperations);
            return -1;
        }

        if (length > _limits.MaxArrayLength)
        {
            Fail(StatusCodes.BadEncodingLimitsExceeded);
            return -1;
        }

        if ((long)length * Math.Max(1, minimumElementBytes) > Remaining)
        {
            Fail(StatusCodes.BadDecodingError);
            return -1;
        }

        return length;
    }

    /// <summary>An array of fixed-size little-endian elements as their bytes, for one copy; length −1 for null.
    /// </summary>
    public ReadOnlySpan<byte> ReadBlittableArray(int elementBytes, out int length)
    {
        length = ReadArrayLength(elementBytes);
        return length > 0 && TryTake(length * elementBytes, out var bytes) ? bytes : default;
    }

    public T[]? ReadBlittableArray<T>()
        where T : unmanaged
    {
        var bytes = ReadBlittableArray(Unsafe.SizeOf<T>(), out var length);
        if (length < 0 || !TryCharge(DecodedSize.OfArray<T>(length)))
            return null;
        var values = new T[length];
        bytes.CopyTo(MemoryMarshal.AsBytes(values.AsSpan()));
        return values;
    }

    public void Skip(int bytes) => TryTake(bytes, out _);

    /// <summary>One level deeper in a recursive type; false and Bad_EncodingLimitsExceeded past the limit (R01).
    /// </summary>
    public bool TryEnter()
    {
        if (Failed)
            return false;
        if (++_depth <= _limits.MaxDepth)
            return true;
        Fail(StatusCodes.BadEncodingLimitsExceeded);
        return false;
    }

    public void Leave() => _depth--;

    /// <summary>Before an allocation. False: the message's limit (Bad_EncodingLimitsExceeded) or the process's budget
    /// (Bad_OutOfMemory) is spent.</summary>
    internal bool TryCharge(long bytes)
    {
        _unspentBytes -= bytes;
        if (_unspentBytes >= 0 && (_meter is null || _meter.TryTake(bytes)))
            return true;
        Fail(_unspentBytes < 0 ? StatusCodes.BadEncodingLimitsExceeded : StatusCodes.BadOutOfMemory);
        return false;
    }

    /// <summary>Narrows the reader to the next <paramref name="length"/> bytes (an ExtensionObject's body, which must
    /// not read past its own end); <see cref="EndBody"/> restores it. Depth is kept: a body does not restart it.
    /// </summary>
    internal ReadOnlySpan<byte> BeginBody(int length)
    {
        var whole = _data;
        _data = _data[..(_position + length)];
        return whole;
    }

    /// <summary>Restores the span and steps to the body's end, also when its reader stopped short.</summary>
    internal void EndBody(ReadOnlySpan<byte> whole, int end)
    {
        _data = whole;
        _position = Failed ? whole.Length : end;
    }

    /// <summary>Stands where <paramref name="start"/> does if a body that starts there cannot be decoded and is to be
    /// kept as its bytes. The charge stays, so that trying again has a bound.</summary>
    internal bool TryGoBack(UaBinaryReader start)
    {
        if (!_limits.KeepsUnreadableBodies || Status != StatusCodes.BadDecodingError)
            return false;
        start._unspentBytes = _unspentBytes;
        this = start;
        return true;
    }

    internal bool TryTake(int count, out ReadOnlySpan<byte> bytes)
    {
        if ((uint)count <= (uint)(_data.Length - _position))
        {
            bytes = _data.Slice(_position, count);
            _position += count;
            return true;
        }

        bytes = default;
        Fail(StatusCodes.BadDecodingError);
        return false;
    }

    private bool TryReadText(out ReadOnlySpan<byte> bytes)
    {
        if (!TryReadLength(_limits.MaxStringLengthBytes, out bytes))
            return false;
        if (Utf8.IsValid(bytes) && !bytes.Contains((byte)0))
            return true;
        Fail(StatusCodes.BadDecodingError);
        return false;
    }

    private bool TryReadLength(int limitBytes, out ReadOnlySpan<byte> bytes)
    {
        bytes = default;
        var length = ReadInt32();
        if (Failed || length < 0)
            return false;
        if (length > Remaining)
        {
            Fail(StatusCodes.BadDecodingError);
            return false;
        }

        if (length > limitBytes)
        {
            Fail(StatusCodes.BadEncodingLimitsExceeded);
            return false;
        }

        return TryTake(length, out bytes);
    }
}
