namespace Gateway.Sources.Modbus.Options;

/// <summary>Which part comes first: of the two bytes of a register, or of the registers of a value.</summary>
public enum ModbusOrder
{
    /// <summary>The more significant one, as the standard has it for bytes.</summary>
    Big,

    /// <summary>The less significant one.</summary>
    Little,
}
