using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using System.Threading.Channels;
using Gateway.Testing;

namespace Gateway.PubSub.Tests.Outputs;

/// <summary>A broker of MQTT 3.1.1 on loopback for one client after the other: it acknowledges all publishes and keeps
/// them, and gives a subscriber the retained messages of its test.</summary>
internal sealed class TinyBroker : IAsyncDisposable
{
    private const int Connect = 1;
    private const int Publish = 3;
    private const int Subscribe = 8;
    private const int Unsubscribe = 10;

    private readonly TcpListener _listener = new(IPAddress.Loopback, 0);
    private readonly CancellationTokenSource _end = new();
    private readonly Channel<(string Topic, string Payload, bool IsRetained)> _published =
        Channel.CreateUnbounded<(string Topic, string Payload, bool IsRetained)>();

    private readonly Task _loop;

    private TinyBroker()
    {
        _listener.Start();
        _loop = RunAsync();
    }

    public int Port => ((IPEndPoint)_listener.LocalEndpoint).Port;

    /// <summary>What was published, in its order.</summary>
    public async Task<(string Topic, string Payload, bool IsRetained)> NextAsync() =>
        await _published.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);

    public static TinyBroker Start() => new();

    /// <summary>Topics and payloads, before anybody subscribes.</summary>
    public List<(string Topic, string Payload)> Retained { get; } = [];

    /// <summary>Clients that there were.</summary>
    public int Connections { get; private set; }

    public async ValueTask DisposeAsync()
    {
        await _end.CancelAsync();
        _listener.Stop();
        await _loop;
        _end.Dispose();
    }

    private async Task RunAsync()
    {
        while (!_end.IsCancellationRequested)
        {
            try
            {
                using var client = await _listener.AcceptTcpClientAsync(_end.Token);
                await ServeAsync(client.GetStream());
            }
            catch (Exception error) when (
                error is IOException or OperationCanceledException or SocketException or ObjectDisposedException)
            {
                // The client's end, or that of the test.
            }
        }
    }

    private async Task ServeAsync(NetworkStream stream)
    {
        while (true)
        {
            var first = await ByteAsync(stream);
            var (length, shift) = (0, 0);
            int next;
            do
            {
                next = await ByteAsync(stream);
                length |= (next & 0x7F) << shift;
                shift += 7;
            }
            while (next >= 0x80);
            var body = new byte[length];
            await stream.ReadExactlyAsync(body, _end.Token);
            switch (first >> 4)
            {
                case Connect:
                    Connections++;
                    await stream.WriteAsync(new byte[] { 0x20, 2, 0, 0 }, _end.Token);
                    break;
                case Publish:
                    await TakeAsync(stream, first, body);
                    break;
                case Subscribe:
                    await stream.WriteAsync(new byte[] { 0x90, 3, body[0], body[1], 0 }, _end.Token);
                    await GiveAsync(stream, Encoding.UTF8.GetString(body[4..^1]));
                    break;
                case Unsubscribe:
                    await stream.WriteAsync(new byte[] { 0xB0, 2, body[0], body[1] }, _end.Token);
                    break;
            }
        }
    }

    private async Task TakeAsync(NetworkStream stream, int first, byte[] body)
    {
        var topic = BinaryPrimitives.ReadUInt16BigEndian(body);
        var at = sizeof(ushort) + topic;
        var hasId = (first & 0x06) != 0;
        _published.Writer.TryWrite((
            Encoding.UTF8.GetString(body, sizeof(ushort), topic),
            Encoding.UTF8.GetString(body[(at + (hasId ? sizeof(ushort) : 0))..]), (first & 1) != 0));
        if (hasId)
            await stream.WriteAsync(new byte[] { 0x40, 2, body[at], body[at + 1] }, _end.Token);
    }

    private async Task GiveAsync(NetworkStream stream, string filter)
    {
        foreach (var (topic, payload) in Retained.Where(one => filter.EndsWith('#')
            ? one.Topic.StartsWith(filter[..^1], StringComparison.Ordinal)
            : one.Topic == filter))
        {
            byte[] packet =
            [
                0x31, (byte)(sizeof(ushort) + topic.Length + payload.Length), 0, (byte)topic.Length,
                .. Encoding.UTF8.GetBytes(topic + payload),
            ];
            await stream.WriteAsync(packet, _end.Token);
        }
    }

    private async Task<int> ByteAsync(NetworkStream stream)
    {
        var one = new byte[1];
        await stream.ReadExactlyAsync(one, _end.Token);
        return one[0];
    }
}
