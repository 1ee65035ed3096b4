using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Binary;

/// <summary>
/// Writes OPC UA Binary to the end of a <see cref="PooledBuffer"/>. The buffer is contiguous, so a length that is
/// known only afterwards is patched in place and a message is sealed where it was written. Errors stick: past the
/// buffer's limit nothing more is written and <see cref="Status"/> is Bad_EncodingLimitsExceeded; after a value that
/// Binary cannot hold it is Bad_EncodingError.
/// <see cref="Complete"/> hands the bytes over. Source: Part 6 §5.2.
/// </summary>
public ref struct UaBinaryWriter
{
    private readonly PooledBuffer _buffer;
    private Span<byte> _span;
    private int _position;

    /// <summary>Starts behind the buffer's content.</summary>
    public UaBinaryWriter(PooledBuffer buffer)
    {
        _buffer = buffer;
        _span = buffer.FreeSpan;
    }

    public StatusCode Status { get; private set; }

    public readonly bool Failed => Status.IsBad;

    /// <summary>Bytes written by this writer so far.</summary>
    public readonly int Position => _position;

    /// <summary>Makes the written bytes part of the buffer. Nothing may be written after it.</summary>
    public readonly void Complete() => _buffer.Advance(_position);

    public void WriteBoolean(bool value) => WriteByte(value ? (byte)1 : (byte)0);

    public void WriteSByte(sbyte value) => WriteByte((byte)value);

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void WriteByte(byte value)
    {
        if ((uint)_position >= (uint)_span.Length && !TryGrow(1))
            return;
        _span[_position++] = value;
    }

    public void WriteInt16(short value) => WriteUInt16((ushort)value);

    public void WriteUInt16(ushort value)
    {
        if (Reserve(sizeof(ushort), out var bytes))
            BinaryPrimitives.WriteUInt16LittleEndian(bytes, value);
    }

    public void WriteInt32(int value) => WriteUInt32((uint)value);

    public void WriteUInt32(uint value)
    {
        if (Reserve(sizeof(uint), out var bytes))
            BinaryPrimitives.WriteUInt32LittleEndian(bytes, value);
    }

    public void WriteInt64(long value) => WriteUInt64((ulong)value);

    public void WriteUInt64(ulong value)
    {
        if (Reserve(sizeof(ulong), out var bytes))
            BinaryPrimitives.WriteUInt64LittleEndian(bytes, value);
    }

    public void WriteFloat(float value) => WriteUInt32(BitConverter.SingleToUInt32Bits(value));

    public void WriteDouble(double value) => WriteUInt64(BitConverter.DoubleToUInt64Bits(value));

    public void WriteStatusCode(StatusCode value) => WriteUInt32(value.Code);

    public void WriteDateTime(DateTime value) => WriteInt64(UaDateTime.ToWire(value));

    public void WriteGuid(Guid value)
    {
        if (Reserve(16, out var bytes))
            value.TryWriteBytes(bytes);
    }

    public void WriteString(string? value)
    {
        if (value is null)
        {
            WriteInt32(-1);
            return;
        }

        var maximum = Encoding.UTF8.GetMaxByteCount(value.Length);
        if (maximum + sizeof(int) > _span.Length - _position)
            maximum = Encoding.UTF8.GetByteCount(value);
        if (maximum + sizeof(int) > _span.Length - _position && !TryGrow(maximum + sizeof(int)))
            return;
        var written = Encoding.UTF8.GetBytes(value, _span[(_position + sizeof(int))..]);
        BinaryPrimitives.WriteInt32LittleEndian(_span[_position..], written);
        _position += sizeof(int) + written;
    }

    public void WriteByteString(byte[]? value)
    {
        if (value is null)
            WriteInt32(-1);
        else
            WriteByteString(value.AsSpan());
    }

    public void WriteByteString(ReadOnlySpan<byte> value)
    {
        WriteInt32(value.Length);
        WriteRaw(value);
    }

    public void WriteXmlElement(XmlElement value) => WriteString(value.Value);

    /// <summary>Bytes that are encoded already: a spliced value, a kept NotificationMessage.</summary>
    public void WriteRaw(ReadOnlySpan<byte> encoded)
    {
        if (Reserve(encoded.Length, out var bytes))
            encoded.CopyTo(bytes);
    }

    public void WriteQualifiedName(QualifiedName value)
    {
        WriteUInt16(value.NamespaceIndex);
        WriteString(value.Name);
    }

    public void WriteLocalizedText(LocalizedText value)
    {
        WriteByte((byte)((value.Locale is null ? 0 : 0x01) | (value.Text is null ? 0 : 0x02)));
        if (value.Locale is not null)
            WriteString(value.Locale);
        if (value.Text is not null)
            WriteString(value.Text);
    }

    public void WriteNodeId(NodeId value) => NodeIdBinary.Write(ref this, value);

    /// <summary>The encoding id of a structure of the standard in front of it: a NodeId of four bytes. Source: Part 6
    /// §5.2.2.9.</summary>
    public void WriteTypeId(uint encodingId)
    {
        WriteByte(1);
        WriteByte(0);
        WriteUInt16((ushort)encodingId);
    }

    public void WriteExpandedNodeId(ExpandedNodeId value) => NodeIdBinary.WriteExpanded(ref this, value);

    public void WriteExtensionObject(ExtensionObject value) => ExtensionObjectBinary.Write(ref this, value);

    public void WriteDataValue(in DataValue value) => DataValueBinary.Write(ref this, value);

    public void WriteVariant(in Variant value) => VariantBinary.Write(ref this, value);

    public void WriteDiagnosticInfo(DiagnosticInfo? value) => DiagnosticInfoBinary.Write(ref this, value);

    /// <summary>A null structure is written as one of default values: the wire knows no null here.</summary>
    public void WriteStructure<T>(T? value)
        where T : IStructure<T>, new() => (value ?? new T()).Encode(ref this);

    public void WriteStructureArray<T>(T[]? values)
        where T : IStructure<T>, new()
    {
        WriteInt32(values?.Length ?? -1);
        foreach (var value in values ?? [])
            WriteStructure(value);
    }

    /// <summary>An array of a built-in type; null is written as length −1.</summary>
    public void WriteArray(BuiltInType type, Array? values) => ArrayBinary.Write(ref this, type, values);

    public void WriteBlittableArray<T>(T[]? values)
        where T : unmanaged
    {
        if (values is null)
            WriteInt32(-1);
        else
            WriteBlittableArray<T>(new ReadOnlySpan<T>(values));
    }

    public void WriteBlittableArray<T>(ReadOnlySpan<T> values)
        where T : unmanaged
    {
        WriteInt32(values.Length);
        WriteRaw(MemoryMarshal.AsBytes(values));
    }

    /// <summary>Leaves room for an Int32 length; <see cref="EndLength"/> fills in the bytes written since.</summary>
    public int BeginLength()
    {
        WriteInt32(0);
        return _position;
    }

    public void EndLength(int start)
    {
        if (!Failed)
            BinaryPrimitives.WriteInt32LittleEndian(_span[(start - sizeof(int))..], _position - start);
    }

    /// <summary>Overwrites four bytes at a position of this writer: a count or a handle that is known late.</summary>
    public readonly void PatchUInt32(int position, uint value)
    {
        if (!Failed)
            BinaryPrimitives.WriteUInt32LittleEndian(_span[position..], value);
    }

    /// <summary>Takes back the bytes written since a position: an element that turned out not to fit.</summary>
    public void RewindTo(int position)
    {
        if (!Failed)
            _position = position;
    }

    internal void Fail(StatusCode status)
    {
        if (!Failed)
            Status = status;
        _span = _span[.._position];
    }

    private bool Reserve(int count, out Span<byte> bytes)
    {
        if (count > _span.Length - _position && !TryGrow(count))
        {
            bytes = default;
            return false;
        }

        bytes = _span.Slice(_position, count);
        _position += count;
        return true;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool TryGrow(int count)
    {
        if (!Failed && _buffer.TryGrow(_position, count))
        {
            _span = _buffer.FreeSpan;
            return true;
        }

        Fail(StatusCodes.BadEncodingLimitsExceeded);
        return false;
    }
}
