using System.Net.Sockets;

namespace Gateway.Transport.Sockets;

/// <summary>TCP connections of the process's own whose protocol is not UA-TCP: each has a place among
/// <see cref="OutgoingPlaces"/> until it is disposed of (R41). Threads: any.</summary>
internal sealed class OutgoingDialer(OutgoingPlaces places)
{
    /// <summary>Errors: <see cref="SocketException"/>, TooManyOpenSockets where no place is left;
    /// <see cref="IOException"/> where the connection is over already.</summary>
    /// <returns>The bytes of both directions. The caller owns it.</returns>
    public async ValueTask<Stream> DialAsync(string host, int port, CancellationToken cancellation)
    {
        var place = places.TryTake() ?? throw new SocketException((int)SocketError.TooManyOpenSockets);
        Socket? socket = null;
        try
        {
            // Small packets whose answers are awaited.
            socket = new Socket(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            await socket.ConnectAsync(host, port, cancellation).ConfigureAwait(false);
            return new PlacedStream(socket, place);
        }
        catch
        {
            socket?.Dispose();
            place.Dispose();
            throw;
        }
    }

    private sealed class PlacedStream(Socket socket, IDisposable place) : NetworkStream(socket, ownsSocket: true)
    {
        protected override void Dispose(bool disposing)
        {
            base.Dispose(disposing);
            place.Dispose();
        }
    }
}
