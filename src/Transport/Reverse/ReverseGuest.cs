using System.Net;
using System.Net.Sockets;
using Gateway.Admission.Clients;

namespace Gateway.Transport.Reverse;

/// <summary>One connection to a <see cref="ReverseListener"/> until somebody takes it. Threads: any; one of those that
/// want to end it does.</summary>
internal sealed class ReverseGuest(Socket socket)
{
    private int _isOver;

    public Socket Socket => socket;

    public IPEndPoint? From { get; } = RemoteOf(socket);

    /// <summary>Under which it is counted.</summary>
    public IPAddress Address => AddressKey.Of(From);

    /// <summary>Since when it waits for its upstream.</summary>
    public long WaitsSince { get; set; }

    /// <summary>A server that waits for HEL sends nothing: what can be read is its end, or no conversation.</summary>
    public bool IsAlive
    {
        get
        {
            try
            {
                return !socket.Poll(0, SelectMode.SelectRead);
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException)
            {
                return false;
            }
        }
    }

    /// <summary>The caller alone decides what becomes of it. False: another one has.</summary>
    public bool TryEnd() => Interlocked.Exchange(ref _isOver, 1) == 0;

    /// <summary>Null: it has gone already.</summary>
    private static IPEndPoint? RemoteOf(Socket socket)
    {
        try
        {
            return socket.RemoteEndPoint as IPEndPoint;
        }
        catch (SocketException)
        {
            return null;
        }
    }
}
