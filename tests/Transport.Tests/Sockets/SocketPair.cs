using System.Net;
using System.Net.Sockets;
using Gateway.Transport.Sockets;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Sockets;

/// <summary>A connection over the loopback: ours, and the peer's plain socket.</summary>
internal sealed class SocketPair : IAsyncDisposable
{
    private readonly EventLoop _loop = new(0);
    private readonly Gateway.Transport.Hosting.TransportContext _context = TestTransport.Make();
    private bool _isDisposed;

    private SocketPair()
    {
    }

    public SocketLink Link { get; private set; } = null!;

    public Socket Peer { get; } = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);

    public static async Task<SocketPair> ConnectAsync()
    {
        var pair = new SocketPair();
        await using var listener = new SocketListener(
            new IPEndPoint(IPAddress.Loopback, 0), [pair._loop], pair._context, KernelAcceptor.Open);
        await pair.Peer.ConnectAsync(listener.EndPoint);
        pair.Link = (SocketLink)(await listener.AcceptAsync())!;
        return pair;
    }

    public async Task<byte[]> ReceiveAsync(int count)
    {
        var bytes = new byte[count];
        for (var read = 0; read < count;)
        {
            var part = await Peer.ReceiveAsync(bytes.AsMemory(read));
            if (part == 0)
                return bytes[..read];
            read += part;
        }

        return bytes;
    }

    public async Task DisposeLinkAsync()
    {
        if (_isDisposed)
            return;
        _isDisposed = true;
        await Link.DisposeAsync();
    }

    public async ValueTask DisposeAsync()
    {
        Peer.Dispose();
        Link.Abort(new Microsoft.AspNetCore.Connections.ConnectionAbortedException());
        await DisposeLinkAsync();
        // Not on the loop's own thread, which a read continues on.
        await Task.Yield();
        _loop.Dispose();
        _context.Dispose();
    }
}
