using System.Buffers.Binary;
using System.Net.Sockets;
using System.Threading.Channels;
using Gateway.Sources.Modbus.Protocol;

namespace Gateway.Sources.Modbus.Tests.Support;

/// <summary>A device in memory with registers and bits, which answers at once and keeps what it was asked. Threads: a
/// test sets it up before it is asked.</summary>
internal sealed class SimulatedDevice
{
    private readonly Lock _lock = new();
    private readonly List<byte[]> _requests = [];
    private readonly Channel<DeviceEnd> _connections = Channel.CreateUnbounded<DeviceEnd>();

    public ushort[] Registers { get; } = new ushort[1_000];

    public bool[] Bits { get; } = new bool[1_000];

    /// <summary>Registers that it does not have.</summary>
    public HashSet<int> Holes { get; } = [];

    /// <summary>Function codes that it does not know.</summary>
    public HashSet<ModbusFunction> Unknown { get; } = [];

    public bool IsAway { get; set; }

    public byte[][] Requests
    {
        get
        {
            lock (_lock)
                return [.. _requests];
        }
    }

    public ValueTask<Stream> DialAsync(string host, int port, CancellationToken cancellation)
    {
        if (IsAway)
            throw new SocketException((int)SocketError.ConnectionRefused);
        var (gateway, device) = DuplexStream.Pair();
        var end = new DeviceEnd(device);
        _connections.Writer.TryWrite(end);
        _ = ServeAsync(end);
        return new(gateway);
    }

    /// <summary>The next one that was made.</summary>
    public async Task<DeviceEnd> ConnectionAsync() => await _connections.Reader.ReadAsync();

    public void Forget()
    {
        lock (_lock)
            _requests.Clear();
    }

    private async Task ServeAsync(DeviceEnd end)
    {
        try
        {
            while (await end.ReceiveAsync() is { } pdu)
            {
                lock (_lock)
                    _requests.Add(pdu);
                await end.AnswerAsync(Answer(pdu));
            }
        }
        catch (InvalidOperationException)
        {
            // Closed by the test meanwhile.
        }
    }

    private byte[] Answer(byte[] pdu)
    {
        var function = (ModbusFunction)pdu[0];
        if (Unknown.Contains(function))
            return [(byte)(pdu[0] | 0x80), (byte)ModbusExceptionCode.IllegalFunction];
        var address = BinaryPrimitives.ReadUInt16BigEndian(pdu.AsSpan(1));
        var number = BinaryPrimitives.ReadUInt16BigEndian(pdu.AsSpan(3));
        var count = function is ModbusFunction.WriteSingleCoil or ModbusFunction.WriteSingleRegister ? 1 : number;
        if (Enumerable.Range(address, count).Any(Holes.Contains))
            return [(byte)(pdu[0] | 0x80), (byte)ModbusExceptionCode.IllegalDataAddress];
        switch (function)
        {
            case ModbusFunction.ReadCoils or ModbusFunction.ReadDiscreteInputs:
                var bits = new byte[(count + 7) / 8];
                for (var i = 0; i < count; i++)
                    bits[i / 8] |= (byte)(Bits[address + i] ? 1 << (i % 8) : 0);
                return [pdu[0], (byte)bits.Length, .. bits];
            case ModbusFunction.ReadHoldingRegisters or ModbusFunction.ReadInputRegisters:
                return [pdu[0], (byte)(count * 2), .. Registers.Skip(address).Take(count)
                    .SelectMany(static one => new[] { (byte)(one >> 8), (byte)one })];
            case ModbusFunction.WriteSingleCoil:
                Bits[address] = number == ModbusRequest.CoilOn;
                break;
            case ModbusFunction.WriteSingleRegister:
                Registers[address] = number;
                break;
            case ModbusFunction.WriteMultipleCoils:
                for (var i = 0; i < count; i++)
                    Bits[address + i] = (pdu[6 + (i / 8)] & (1 << (i % 8))) != 0;
                break;
            default:
                for (var i = 0; i < count; i++)
                    Registers[address + i] = BinaryPrimitives.ReadUInt16BigEndian(pdu.AsSpan(6 + (i * 2)));
                break;
        }

        return pdu[..5];
    }
}
