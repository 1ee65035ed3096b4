namespace Gateway.Sources.Modbus.Options;

/// <summary>The content of a tag's registers. Modbus itself knows only bits and registers.</summary>
public enum ModbusType
{
    UInt16,
    Int16,
    UInt32,
    Int32,
    UInt64,
    Int64,

    /// <summary>IEEE 754, two registers.</summary>
    Float,

    /// <summary>IEEE 754, four registers.</summary>
    Double,

    /// <summary>A coil, a discrete input, or one bit of a register.</summary>
    Boolean,

    /// <summary>Two characters a register, UTF-8; it ends at the first NUL.</summary>
    String,
}
