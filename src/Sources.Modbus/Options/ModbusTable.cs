namespace Gateway.Sources.Modbus.Options;

/// <summary>The four tables of a device. Source: Modbus §4.3.</summary>
public enum ModbusTable
{
    /// <summary>Registers that can be read and written.</summary>
    Holding,

    /// <summary>Registers that can only be read.</summary>
    Input,

    /// <summary>Bits that can be read and written.</summary>
    Coil,

    /// <summary>Bits that can only be read.</summary>
    Discrete,
}
