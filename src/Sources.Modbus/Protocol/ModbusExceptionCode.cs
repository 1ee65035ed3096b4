namespace Gateway.Sources.Modbus.Protocol;

/// <summary>Why a device refuses a request. Source: Modbus §7.</summary>
internal enum ModbusExceptionCode : byte
{
    IllegalFunction = 1,
    IllegalDataAddress = 2,
    IllegalDataValue = 3,
    ServerDeviceFailure = 4,
    Acknowledge = 5,
    ServerDeviceBusy = 6,
    NegativeAcknowledge = 7,
    MemoryParityError = 8,
    GatewayPathUnavailable = 10,
    GatewayTargetFailedToRespond = 11,
}
