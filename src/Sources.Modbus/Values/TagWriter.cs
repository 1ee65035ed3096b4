using System.Buffers.Binary;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Options;

namespace Gateway.Sources.Modbus.Values;

/// <summary>Makes registers of values that clients write.</summary>
internal static class TagWriter
{
    /// <summary>Errors: Bad_OutOfRange for a value that the registers cannot hold, Bad_TypeMismatch.</summary>
    /// <param name="tag">Of registers.</param>
    /// <param name="value">Of the tag's data type.</param>
    /// <param name="registers">As they go over the line; valid where the result is good.</param>
    public static StatusCode Write(ModbusTag tag, in Variant value, out byte[] registers)
    {
        registers = new byte[tag.Count * 2];
        var status = tag.Type == ModbusType.String ? WriteText(tag, value, registers)
            : tag.IsScaled ? WriteScaled(tag, value, registers)
            : WriteExact(tag.Type, value, registers);
        RegisterBytes.Reorder(tag, registers);
        return status;
    }

    private static StatusCode WriteExact(ModbusType type, in Variant value, Span<byte> bytes)
    {
        if (value.Type != TagTypes.BuiltInTypeOf(type) || !value.IsScalar)
            return StatusCodes.BadTypeMismatch;
        switch (type)
        {
            case ModbusType.Float:
                BinaryPrimitives.WriteSingleBigEndian(bytes, value.AsFloat());
                break;
            case ModbusType.Double:
                BinaryPrimitives.WriteDoubleBigEndian(bytes, value.AsDouble());
                break;
            default:
                WriteLow(bytes, value.AsInt64());
                break;
        }

        return StatusCode.Good;
    }

    private static StatusCode WriteScaled(ModbusTag tag, in Variant value, Span<byte> bytes)
    {
        if (value.Type != BuiltInType.Double || !value.IsScalar)
            return StatusCodes.BadTypeMismatch;
        var raw = (value.AsDouble() - tag.Offset) / tag.Scale;
        if (!double.IsFinite(raw))
            return StatusCodes.BadOutOfRange;
        switch (tag.Type)
        {
            case ModbusType.Float when !float.IsFinite((float)raw):
                return StatusCodes.BadOutOfRange;
            case ModbusType.Float:
                BinaryPrimitives.WriteSingleBigEndian(bytes, (float)raw);
                return StatusCode.Good;
            case ModbusType.Double:
                BinaryPrimitives.WriteDoubleBigEndian(bytes, raw);
                return StatusCode.Good;
        }

        raw = Math.Round(raw);
        var (least, beyond) = TagTypes.RangeOf(tag.Type);
        if (raw < least || raw >= beyond)
            return StatusCodes.BadOutOfRange;
        WriteLow(bytes, tag.Type == ModbusType.UInt64 ? unchecked((long)(ulong)raw) : (long)raw);
        return StatusCode.Good;
    }

    /// <summary>As many of the low bytes as there is room for.</summary>
    private static void WriteLow(Span<byte> bytes, long value)
    {
        Span<byte> whole = stackalloc byte[sizeof(long)];
        BinaryPrimitives.WriteInt64BigEndian(whole, value);
        whole[(sizeof(long) - bytes.Length)..].CopyTo(bytes);
    }

    /// <summary>The rest is NUL.</summary>
    private static StatusCode WriteText(ModbusTag tag, in Variant value, Span<byte> bytes)
    {
        if (value.Type != BuiltInType.String || !value.IsScalar)
            return StatusCodes.BadTypeMismatch;
        var text = value.AsString() ?? string.Empty;
        if (text.Contains('\0', StringComparison.Ordinal) || Encoding.UTF8.GetByteCount(text) > tag.Length)
            return StatusCodes.BadOutOfRange;
        Encoding.UTF8.GetBytes(text, bytes);
        return StatusCode.Good;
    }
}
