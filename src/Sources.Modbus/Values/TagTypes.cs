using Gateway.Codec.Types;
using Gateway.Sources.Modbus.Options;

namespace Gateway.Sources.Modbus.Values;

/// <summary>The types of tags in those of OPC UA.</summary>
internal static class TagTypes
{
    /// <summary>Of the variable: a scaled number is a Double.</summary>
    public static NodeId DataTypeOf(ModbusTag tag) =>
        new((uint)(tag.IsScaled ? BuiltInType.Double : BuiltInTypeOf(tag.Type)));

    public static BuiltInType BuiltInTypeOf(ModbusType type) => type switch
    {
        ModbusType.Int16 => BuiltInType.Int16,
        ModbusType.UInt32 => BuiltInType.UInt32,
        ModbusType.Int32 => BuiltInType.Int32,
        ModbusType.UInt64 => BuiltInType.UInt64,
        ModbusType.Int64 => BuiltInType.Int64,
        ModbusType.Float => BuiltInType.Float,
        ModbusType.Double => BuiltInType.Double,
        ModbusType.Boolean => BuiltInType.Boolean,
        ModbusType.String => BuiltInType.String,
        _ => BuiltInType.UInt16,
    };

    /// <summary>Of a whole number: the least one, and the first one that is too large. Both are exact as Double.
    /// </summary>
    public static (double Least, double Beyond) RangeOf(ModbusType type) => type switch
    {
        ModbusType.Int16 => (short.MinValue, 1L << 15),
        ModbusType.UInt32 => (0, 1L << 32),
        ModbusType.Int32 => (int.MinValue, 1L << 31),
        ModbusType.UInt64 => (0, 18446744073709551616.0),
        ModbusType.Int64 => (long.MinValue, 9223372036854775808.0),
        _ => (0, 1L << 16),
    };
}
