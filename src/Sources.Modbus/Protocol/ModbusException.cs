using Gateway.Codec.Types;

namespace Gateway.Sources.Modbus.Protocol;

/// <summary>A request without a usable answer. Its message is the gateway's own and may be shown.</summary>
internal sealed class ModbusException(ModbusFault fault, string message, ModbusExceptionCode code = default)
    : Exception(message)
{
    public ModbusFault Fault { get; } = fault;

    /// <summary>Of the device's refusal; 0 for other faults.</summary>
    public ModbusExceptionCode Code { get; } = code;

    /// <summary>For the client that asked.</summary>
    public StatusCode Status => Fault switch
    {
        ModbusFault.Refused => ModbusExceptionCodes.StatusOf(Code),
        ModbusFault.Timeout => StatusCodes.BadTimeout,
        ModbusFault.Garbage => StatusCodes.BadUnknownResponse,
        _ => StatusCodes.BadNoCommunication,
    };

    public static ModbusException Refusal(byte code) => new(
        ModbusFault.Refused, $"the device answered with {ModbusExceptionCodes.InWords(code)}",
        (ModbusExceptionCode)code);
}
