namespace Gateway.Sources.Modbus.Protocol;

/// <summary>The function codes that the driver sends. Source: Modbus §6.</summary>
internal enum ModbusFunction : byte
{
    ReadCoils = 1,
    ReadDiscreteInputs = 2,
    ReadHoldingRegisters = 3,
    ReadInputRegisters = 4,
    WriteSingleCoil = 5,
    WriteSingleRegister = 6,
    WriteMultipleCoils = 15,
    WriteMultipleRegisters = 16,
}
