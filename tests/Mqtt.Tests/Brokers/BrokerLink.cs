using System.Net.Sockets;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Tests.Packets;
using Gateway.Testing;

namespace Gateway.Mqtt.Tests.Brokers;

/// <summary>One connection at the scripted broker's side.</summary>
internal sealed class BrokerLink(Socket socket) : IAsyncDisposable
{
    private readonly NetworkStream _stream = new(socket, ownsSocket: true);
    private readonly byte[] _buffer = new byte[4 * 1024 * 1024];
    private int _length;

    /// <summary>The next packet; null: the client has closed the connection.</summary>
    public async Task<ScriptPacket?> TryReadAsync()
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        while (true)
        {
            if (TryTake() is { } packet)
                return packet;
            try
            {
                var count = await _stream.ReadAsync(_buffer.AsMemory(_length), patience.Token);
                if (count == 0)
                    return null;
                _length += count;
            }
            catch (IOException)
            {
                return null;
            }
        }
    }

    public async Task<ScriptPacket> ReadAsync()
    {
        var packet = await TryReadAsync();
        Assert.NotNull(packet);
        return packet;
    }

    /// <summary>The next packet must be this one, header and body.</summary>
    public async Task ExpectAsync(string hex)
    {
        var packet = await ReadAsync();
        var expected = Hex.Of(hex);
        Assert.True(FixedHeader.TryRead(expected, out var header, out _));
        Assert.Equal(new ScriptPacket(header.First, expected[header.HeaderLength..]).ToString(), packet.ToString());
    }

    public async Task SendAsync(string hex) => await SendAsync(Hex.Of(hex));

    public async Task SendAsync(byte[] bytes)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        await _stream.WriteAsync(bytes, patience.Token);
    }

    /// <summary>PUBACK for a PUBLISH that came.</summary>
    public Task AcknowledgeAsync(ScriptPacket publish)
    {
        var id = IdentifierOf(publish);
        return SendAsync([0x40, 2, (byte)(id >> 8), (byte)id]);
    }

    /// <summary>Answers each QoS 1 message until the client leaves; blocks its thread and allocates nothing.</summary>
    public void AcknowledgeAll()
    {
        Span<byte> pubAck = stackalloc byte[4];
        var answers = new byte[_buffer.Length];
        while (true)
        {
            var count = socket.Receive(_buffer.AsSpan(_length));
            if (count == 0)
                return;
            _length += count;
            var (at, answered) = (0, 0);
            while (FixedHeader.TryRead(_buffer.AsSpan(at, _length - at), out var header, out _)
                && header.PacketLength <= _length - at)
            {
                var body = _buffer.AsSpan(at + header.HeaderLength, header.RemainingLength);
                at += header.PacketLength;
                if (header.First >> 1 != 0x32 >> 1)
                    continue;
                var topic = (body[0] << 8) | body[1];
                pubAck[0] = 0x40;
                pubAck[1] = 2;
                body.Slice(2 + topic, 2).CopyTo(pubAck[2..]);
                pubAck.CopyTo(answers.AsSpan(answered));
                answered += 4;
            }

            _buffer.AsSpan(at, _length - at).CopyTo(_buffer);
            _length -= at;
            if (answered > 0)
                socket.Send(answers.AsSpan(0, answered));
        }
    }

    public static ushort IdentifierOf(ScriptPacket publish)
    {
        var topic = (publish.Body[0] << 8) | publish.Body[1];
        return (ushort)((publish.Body[2 + topic] << 8) | publish.Body[3 + topic]);
    }

    /// <summary>No more bytes from here, as an orderly end.</summary>
    public void Shut() => socket.Shutdown(SocketShutdown.Send);

    /// <summary>As a process that was killed: RST.</summary>
    public void Abort()
    {
        socket.LingerState = new LingerOption(true, 0);
        socket.Close();
    }

    public ValueTask DisposeAsync() => _stream.DisposeAsync();

    private ScriptPacket? TryTake()
    {
        if (!FixedHeader.TryRead(_buffer.AsSpan(0, _length), out var header, out var fault))
        {
            Assert.Equal(MqttFault.None, fault);
            return null;
        }

        if (header.PacketLength > _length)
            return null;
        var packet = new ScriptPacket(header.First, _buffer[header.HeaderLength..header.PacketLength]);
        _buffer.AsSpan(header.PacketLength, _length - header.PacketLength).CopyTo(_buffer);
        _length -= header.PacketLength;
        return packet;
    }
}
