using System.Net;
using System.Net.Sockets;

namespace Gateway.Testing.Loopback;

/// <summary>A blocking socket.</summary>
internal sealed class SocketWire : IWire
{
    private readonly Socket _socket = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp)
    {
        NoDelay = true,
        ReceiveTimeout = 30_000,
    };

    public SocketWire(IPEndPoint server) => _socket.Connect(server);

    public void Send(ReadOnlySpan<byte> bytes) => _socket.Send(bytes);

    public int Receive(Span<byte> buffer)
    {
        var count = _socket.Receive(buffer);
        return count > 0 ? count : throw new EndOfStreamException();
    }

    public void Dispose() => _socket.Dispose();
}
