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

    /// <summary>Answers each QoS 1 message until the client leaves. It allocates nothing: a receive that blocks
    /// allocates each time on a socket that was awaited before (an operation and an event of the runtime, measured as
    /// 11 bytes a message).</summary>
    /// <param name="burst">Answers go in multiples of it, the others wait for more.</param>
    public async Task AcknowledgeAllAsync(int burst = 1)
    {
        var answers = new byte[_buffer.Length];
        var answered = 0;
        while (await _stream.ReadAsync(_buffer.AsMemory(_length)) is > 0 and var count)
        {
            _length += count;
            answered += AnswerAll(answers.AsSpan(answered));
            var whole = answered - (answered % (4 * burst));
            if (whole == 0)
                continue;
            await _stream.WriteAsync(answers.AsMemory(0, whole));
            answers.AsSpan(whole, answered - whole).CopyTo(answers);
            answered -= whole;
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

    private int AnswerAll(Span<byte> answers)
    {
        var (at, answered) = (0, 0);
        while (FixedHeader.TryRead(_buffer.AsSpan(at, _length - at), out var header, out _)
            && header.PacketLength <= _length - at)
        {
            var body = _buffer.AsSpan(at + header.HeaderLength, header.RemainingLength);
            at += header.PacketLength;
            if (header.First >> 1 != 0x32 >> 1)
                continue;
            var topic = (body[0] << 8) | body[1];
            answers[answered] = 0x40;
            answers[answered + 1] = 2;
            body.Slice(2 + topic, 2).CopyTo(answers[(answered + 2)..]);
            answered += 4;
        }

        _buffer.AsSpan(at, _length - at).CopyTo(_buffer);
        _length -= at;
        return answered;
    }

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
