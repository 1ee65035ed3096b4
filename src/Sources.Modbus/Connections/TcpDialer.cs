using System.Net.Sockets;

namespace Gateway.Sources.Modbus.Connections;

/// <inheritdoc cref="IModbusDialer"/>
internal sealed class TcpDialer : IModbusDialer
{
    public async ValueTask<Stream> DialAsync(string host, int port, CancellationToken cancellation)
    {
        // A request is one small packet, and the answer is awaited.
        var socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            await socket.ConnectAsync(host, port, cancellation).ConfigureAwait(false);
            return new NetworkStream(socket, ownsSocket: true);
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }
}
