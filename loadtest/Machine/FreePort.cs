using System.Net;
using System.Net.Sockets;

namespace Gateway.Loadtest.Machine;

/// <summary>Loopback ports for programs that a run or a test starts. They lie below those from which the system takes
/// the ports of outgoing connections: one of these may be gone again before the program listens.</summary>
internal static class FreePort
{
    private const int First = 10_000;
    private const int Last = 32_000;

    private static readonly HashSet<int> Given = [];

    /// <summary>A free loopback port, another one each time. Programs that ask at the same time hardly get the same.
    /// </summary>
    public static int Next()
    {
        while (true)
        {
            var port = Random.Shared.Next(First, Last);
            using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
            try
            {
                socket.Bind(new IPEndPoint(IPAddress.Loopback, port));
                lock (Given)
                {
                    if (Given.Add(port))
                        return port;
                }
            }
            catch (SocketException)
            {
                // Taken: another one.
            }
        }
    }
}
