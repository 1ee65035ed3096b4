using System.Net;
using System.Net.Sockets;

namespace Gateway.Interop.Links;

/// <summary>A TCP port that leads to another, until a test cuts it: connections are reset, and new ones refused.
/// </summary>
internal sealed class CuttableLink(int target) : IAsyncDisposable
{
    private readonly Lock stateLock = new();
    private readonly List<Socket> open = [];
    private TcpListener? listener;
    private Task accepting = Task.CompletedTask;

    public int Port { get; private set; }

    /// <summary>Connections since the start.</summary>
    public int Accepted { get; private set; }

    /// <summary>Also after a cut, on the same port.</summary>
    public void Mend()
    {
        listener = new TcpListener(IPAddress.Loopback, Port);
        listener.Server.SetSocketOption(SocketOptionLevel.Socket, SocketOptionName.ReuseAddress, true);
        listener.Start();
        Port = ((IPEndPoint)listener.LocalEndpoint).Port;
        accepting = AcceptAsync(listener);
    }

    public async Task CutAsync()
    {
        listener?.Dispose();
        await accepting;
        lock (stateLock)
        {
            // A reset, as of a firewall that has forgotten the connection.
            foreach (Socket socket in open)
            {
                socket.LingerState = new LingerOption(true, 0);
                socket.Dispose();
            }
            open.Clear();
        }
    }

    public async ValueTask DisposeAsync() => await CutAsync();

    private async Task AcceptAsync(TcpListener from)
    {
        while (true)
        {
            Socket near;
            try
            {
                near = await from.AcceptSocketAsync();
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException)
            {
                return;
            }
            Socket far = new(SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
            near.NoDelay = true;
            await far.ConnectAsync(IPAddress.Loopback, target);
            lock (stateLock)
            {
                Accepted++;
                open.Add(near);
                open.Add(far);
            }
            _ = PumpAsync(near, far);
            _ = PumpAsync(far, near);
        }
    }

    /// <summary>The end of one side is the end of the other.</summary>
    private static async Task PumpAsync(Socket from, Socket to)
    {
        byte[] buffer = new byte[64 * 1024];
        try
        {
            for (int count; (count = await from.ReceiveAsync(buffer)) > 0;)
                await to.SendAsync(buffer.AsMemory(0, count));
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Cut.
        }
        to.Dispose();
    }
}
