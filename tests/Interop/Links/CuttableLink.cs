using System.Net;
using System.Net.Sockets;

namespace Gateway.Interop.Links;

/// <summary>A TCP port that leads to another, until a test cuts it: connections are reset, new ones at once.</summary>
internal sealed class CuttableLink : IAsyncDisposable
{
    private readonly int target;
    private readonly Lock stateLock = new();
    private readonly List<Socket> open = [];
    private readonly TcpListener listener = new(IPAddress.Loopback, 0);
    private readonly Task accepting;
    private bool isCut;

    public CuttableLink(int target)
    {
        this.target = target;
        listener.Start();
        accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

    public void Mend()
    {
        lock (stateLock)
            isCut = false;
    }

    public void Cut()
    {
        lock (stateLock)
        {
            isCut = true;
            // A reset, as of a firewall that has forgotten the connection.
            foreach (Socket socket in open)
                socket.Close(0);
            open.Clear();
        }
    }

    public async ValueTask DisposeAsync()
    {
        Cut();
        listener.Dispose();
        await accepting;
    }

    private async Task AcceptAsync()
    {
        while (true)
        {
            Socket near;
            try
            {
                near = await listener.AcceptSocketAsync();
            }
            catch (Exception error) when (error is SocketException or ObjectDisposedException)
            {
                return;
            }
            Socket far = new(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
            lock (stateLock)
            {
                if (isCut)
                {
                    near.Close(0);
                    far.Dispose();
                    continue;
                }
                open.Add(near);
                open.Add(far);
            }
            _ = ServeAsync(near, far);
        }
    }

    private async Task ServeAsync(Socket near, Socket far)
    {
        try
        {
            await far.ConnectAsync(IPAddress.Loopback, target);
            near.NoDelay = far.NoDelay = true;
            await Task.WhenAll(PumpAsync(near, far), PumpAsync(far, near));
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            near.Dispose();
            far.Dispose();
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
