using System.Net;
using System.Net.Sockets;

namespace Gateway.Interop;

internal static class FreePort
{
    /// <summary>A loopback port that nobody listens on now.</summary>
    public static int Next()
    {
        using Socket socket = new(SocketType.Stream, ProtocolType.Tcp);
        socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
        return ((IPEndPoint)socket.LocalEndPoint!).Port;
    }
}
