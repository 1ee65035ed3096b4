using Gateway.Codec.Types;

namespace Gateway.Sources.Modbus.Protocol;

/// <summary>The exception codes of Modbus in the words of OPC UA (docs/modbus.md).</summary>
internal static class ModbusExceptionCodes
{
    /// <summary>A code that the standard does not have is an answer that the gateway does not know.</summary>
    public static StatusCode StatusOf(ModbusExceptionCode code) => code switch
    {
        ModbusExceptionCode.IllegalFunction => StatusCodes.BadNotSupported,
        ModbusExceptionCode.IllegalDataAddress => StatusCodes.BadConfigurationError,
        ModbusExceptionCode.IllegalDataValue => StatusCodes.BadOutOfRange,
        ModbusExceptionCode.ServerDeviceFailure => StatusCodes.BadDeviceFailure,
        ModbusExceptionCode.Acknowledge => StatusCodes.BadResourceUnavailable,
        ModbusExceptionCode.ServerDeviceBusy => StatusCodes.BadResourceUnavailable,
        ModbusExceptionCode.NegativeAcknowledge => StatusCodes.BadDeviceFailure,
        ModbusExceptionCode.MemoryParityError => StatusCodes.BadDeviceFailure,
        ModbusExceptionCode.GatewayPathUnavailable => StatusCodes.BadNotConnected,
        ModbusExceptionCode.GatewayTargetFailedToRespond => StatusCodes.BadNotConnected,
        _ => StatusCodes.BadUnknownResponse,
    };

    public static string InWords(byte code) => Enum.IsDefined((ModbusExceptionCode)code)
        ? $"exception {code} ({(ModbusExceptionCode)code})"
        : $"exception {code}, which the standard does not know";
}
