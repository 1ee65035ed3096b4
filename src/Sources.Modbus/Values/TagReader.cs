using System.Buffers.Binary;
using System.Text;
using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Options;

namespace Gateway.Sources.Modbus.Values;

/// <summary>Makes values of what a device answers.</summary>
internal static class TagReader
{
    /// <param name="bits">The first one is the lowest bit of the first byte.</param>
    /// <param name="place">Of the tag in them.</param>
    public static Variant ReadBit(ReadOnlySpan<byte> bits, int place) =>
        new((bits[place / 8] & (1 << (place % 8))) != 0);

    /// <param name="tag">Of registers.</param>
    /// <param name="registers">Its own, as they came.</param>
    public static Variant Read(ModbusTag tag, ReadOnlySpan<byte> registers)
    {
        Span<byte> bytes = stackalloc byte[registers.Length];
        registers.CopyTo(bytes);
        RegisterBytes.Reorder(tag, bytes);
        if (tag.IsScaled)
            return new((Number(tag.Type, bytes) * tag.Scale) + tag.Offset);
        return tag.Type switch
        {
            ModbusType.Int16 => new(BinaryPrimitives.ReadInt16BigEndian(bytes)),
            ModbusType.UInt32 => new(BinaryPrimitives.ReadUInt32BigEndian(bytes)),
            ModbusType.Int32 => new(BinaryPrimitives.ReadInt32BigEndian(bytes)),
            ModbusType.UInt64 => new(BinaryPrimitives.ReadUInt64BigEndian(bytes)),
            ModbusType.Int64 => new(BinaryPrimitives.ReadInt64BigEndian(bytes)),
            ModbusType.Float => new(BinaryPrimitives.ReadSingleBigEndian(bytes)),
            ModbusType.Double => new(BinaryPrimitives.ReadDoubleBigEndian(bytes)),
            ModbusType.Boolean => new((BinaryPrimitives.ReadUInt16BigEndian(bytes) & (1 << tag.Bit)) != 0),
            ModbusType.String => new(Text(bytes[..tag.Length])),
            _ => new(BinaryPrimitives.ReadUInt16BigEndian(bytes)),
        };
    }

    private static double Number(ModbusType type, ReadOnlySpan<byte> bytes) => type switch
    {
        ModbusType.Int16 => BinaryPrimitives.ReadInt16BigEndian(bytes),
        ModbusType.UInt32 => BinaryPrimitives.ReadUInt32BigEndian(bytes),
        ModbusType.Int32 => BinaryPrimitives.ReadInt32BigEndian(bytes),
        ModbusType.UInt64 => BinaryPrimitives.ReadUInt64BigEndian(bytes),
        ModbusType.Int64 => BinaryPrimitives.ReadInt64BigEndian(bytes),
        ModbusType.Float => BinaryPrimitives.ReadSingleBigEndian(bytes),
        ModbusType.Double => BinaryPrimitives.ReadDoubleBigEndian(bytes),
        _ => BinaryPrimitives.ReadUInt16BigEndian(bytes),
    };

    /// <summary>Bytes that are no UTF-8 are replaced (R25).</summary>
    private static string Text(ReadOnlySpan<byte> bytes)
    {
        var end = bytes.IndexOf((byte)0);
        return Encoding.UTF8.GetString(end < 0 ? bytes : bytes[..end]);
    }
}
