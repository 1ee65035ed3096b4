using System.Net.Sockets;
using Gateway.Codec.Text;
using Gateway.Sources.Modbus.Protocol;
using Polly.Timeout;

namespace Gateway.Sources.Modbus.Health;

/// <summary>A failed connection in words, for the log and for <c>/api/v1/upstreams</c>.</summary>
/// <param name="Text">The failure.</param>
/// <param name="Remedy">The remedy.</param>
/// <param name="IsRefusal">The gateway refuses the device.</param>
internal sealed record ModbusFailure(string Text, string Remedy, bool IsRefusal)
{
    private const string Reach =
        "Check EndpointUrl, the network and that the device runs. Many devices take few connections: look at who else "
        + "has one.";

    public static ModbusFailure Of(Exception exception) => exception switch
    {
        ModbusException { Fault: ModbusFault.Garbage } => new(
            exception.Message,
            "Check that Modbus TCP answers at EndpointUrl, not a serial line's form in TCP, and look for a second "
            + "program that shares the connection.", true),
        ModbusException { Fault: ModbusFault.Timeout } => new(
            exception.Message, "Check UnitId: a device is silent for a unit that it is not. Or raise RequestTimeoutMs.",
            false),
        ModbusException => new(exception.Message, Reach, false),
        TimeoutRejectedException => new("it does not answer in time", Reach, false),
        SocketException or IOException => new(PeerText.Escape(exception.Message), Reach, false),
        _ => new(exception.ToString(), "This is a fault of the gateway: please report it.", false),
    };
}
