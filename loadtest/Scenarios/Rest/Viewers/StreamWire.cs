using System.Net;
using System.Net.Sockets;

namespace Gateway.Loadtest.Scenarios.Rest.Viewers;

/// <summary>The stream of one node that a page of the console has open: what comes is counted and thrown away.
/// </summary>
internal sealed class StreamWire : IDisposable
{
    private const string Body = """{"nodes":["ns=2;i=1000"],"interval":500}""";

    private readonly Socket _socket;
    private long _bytes;

    private StreamWire(Socket socket) => _socket = socket;

    public long Bytes => Volatile.Read(ref _bytes);

    /// <summary>Errors: SocketException.</summary>
    /// <param name="target">The gateway.</param>
    /// <param name="number">Chooses its address.</param>
    /// <param name="cancellation">Ends the connecting.</param>
    public static async Task<StreamWire> StartAsync(HttpTarget target, int number, CancellationToken cancellation)
    {
        var socket = new Socket(target.Address.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            if (target.SourceOf(number) is { } from)
                socket.Bind(new IPEndPoint(from, 0));
            await socket.ConnectAsync(target.Address, cancellation);
            await socket.SendAsync(target.Send("POST", "/stream", Body), cancellation);
        }
        catch
        {
            socket.Dispose();
            throw;
        }

        var stream = new StreamWire(socket);
        _ = stream.ReceiveAsync();
        return stream;
    }

    public void Dispose() => _socket.Dispose();

    private async Task ReceiveAsync()
    {
        var buffer = new byte[4096];
        try
        {
            while (await _socket.ReceiveAsync(buffer, SocketFlags.None) is > 0 and var count)
                Interlocked.Add(ref _bytes, count);
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Its page was closed.
        }
    }
}
