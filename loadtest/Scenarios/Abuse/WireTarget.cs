using System.Buffers.Binary;
using System.Net;
using System.Net.Sockets;
using Gateway.Loadtest.Scenarios.Storm;
using Gateway.Transport.Profiles;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>The server as a bare socket sees it, and source addresses to come from, so that the server's measures
/// against an abuser's address do not hit the good clients'.</summary>
internal sealed class WireTarget
{
    /// <summary>Second byte of the abusers' addresses; the observers use 100 and 101.</summary>
    public const byte Network = 200;

    private const uint BufferSize = 65536;

    private readonly bool _spreads;

    public WireTarget(string url)
    {
        var uri = new Uri(url);
        var host = IPAddress.TryParse(uri.Host, out var address) ? address : IPAddress.Loopback;
        Server = new IPEndPoint(host, TransportProfiles.UaTcp.PortOf(uri));
        Hello = SilentSockets.Hello(url);
        _spreads = IPAddress.IsLoopback(host);
    }

    public IPEndPoint Server { get; }

    public byte[] Hello { get; }

    /// <summary>Connected, from the abusers' address of that number. Errors: SocketException.</summary>
    public async Task<Socket> ConnectAsync(int address, CancellationToken cancellation)
    {
        var socket = new Socket(Server.AddressFamily, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        try
        {
            if (_spreads)
                socket.Bind(new IPEndPoint(AddressOf(address), 0));
            await socket.ConnectAsync(Server, cancellation);
            return socket;
        }
        catch
        {
            socket.Dispose();
            throw;
        }
    }

    /// <summary>The peer gets a reset, as from a process that was killed.</summary>
    public static void Reset(Socket socket)
    {
        try
        {
            socket.LingerState = new LingerOption(true, 0);
            socket.Dispose();
        }
        catch (Exception gone) when (gone is ObjectDisposedException or SocketException)
        {
            // It went by itself.
        }
    }

    public static IPAddress AddressOf(int number) =>
        new([127, Network, (byte)(number / 250 % 250), (byte)((number % 250) + 1)]);

    /// <summary>ACK, for a client that is listened to.</summary>
    public static byte[] Acknowledge()
    {
        var message = new byte[28];
        "ACKF"u8.CopyTo(message);
        uint[] fields = [(uint)message.Length, 0, BufferSize, BufferSize, 0, 0];
        for (var i = 0; i < fields.Length; i++)
            BinaryPrimitives.WriteUInt32LittleEndian(message.AsSpan(4 + (4 * i)), fields[i]);
        return message;
    }
}
