using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Transport.Profiles;

namespace Gateway.Loadtest.Scenarios.Storm;

/// <summary>Connections that say nothing, every other one nothing after HEL; closed by the server, each comes again a
/// second later. Threads: any.</summary>
internal sealed class SilentSockets
{
    private const byte Network = 11;
    private const int BufferSize = 65536;

    private static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private readonly IPEndPoint _server;
    private readonly byte[] _hello;
    private readonly List<Task> _running = [];
    private readonly bool _spreads;
    private long _opened;

    public SilentSockets(string url)
    {
        var uri = new Uri(url);
        var host = IPAddress.TryParse(uri.Host, out var address) ? address : IPAddress.Loopback;
        _server = new IPEndPoint(host, TransportProfiles.UaTcp.PortOf(uri));
        _spreads = IPAddress.IsLoopback(host);
        _hello = Hello(url);
    }

    /// <summary>Connections, each return counted.</summary>
    public long Opened => Volatile.Read(ref _opened);

    public void Start(int count, CancellationToken end)
    {
        for (var number = 0; number < count; number++)
            _running.Add(RunAsync(number, end));
    }

    /// <summary>After the end: all are closed.</summary>
    public Task EndedAsync() => Task.WhenAll(_running);

    /// <summary>HEL as any client says it (Part 6 §7.1.2.3).</summary>
    internal static byte[] Hello(string url)
    {
        var text = Encoding.UTF8.GetBytes(url);
        var message = new byte[32 + text.Length];
        "HELF"u8.CopyTo(message);
        uint[] fields = [(uint)message.Length, 0, BufferSize, BufferSize, 0, 0, (uint)text.Length];
        for (var i = 0; i < fields.Length; i++)
            BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(4 + (4 * i)), fields[i]);
        text.CopyTo(message, 32);
        return message;
    }

    private async Task RunAsync(int number, CancellationToken end)
    {
        await Task.Yield();
        var ignored = new byte[64];
        while (!end.IsCancellationRequested)
        {
            try
            {
                using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
                if (_spreads)
                    socket.Bind(new IPEndPoint(AddressOf(number), 0));
                await socket.ConnectAsync(_server, end);
                Interlocked.Increment(ref _opened);
                if (number % 2 == 1)
                    await socket.SendAsync(_hello, end);
                while (await socket.ReceiveAsync(ignored, end) > 0)
                {
                }
            }
            catch (Exception over) when (over is SocketException or OperationCanceledException)
            {
                // Refused, reset, or the run is over: it comes again, or not.
            }

            await Task.Delay(Pause, end).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        }
    }

    private static IPAddress AddressOf(int number) =>
        new([127, Network, (byte)(number / 250 % 250), (byte)((number % 250) + 1)]);
}
