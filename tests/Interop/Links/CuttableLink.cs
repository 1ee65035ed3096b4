using System.Net;
using System.Net.Sockets;

namespace Gateway.Interop.Links;

/// <summary>A TCP port that leads to another, until a test cuts it: connections are reset, new ones at once. Or it is
/// slow, or half open.</summary>
internal sealed class CuttableLink : IAsyncDisposable
{
    private readonly int target;
    private readonly Lock stateLock = new();
    private readonly List<Socket> open = [];
    private readonly TcpListener listener = new(IPAddress.Loopback, 0);
    private readonly Task accepting;
    private bool isCut;
    private volatile bool isSwallowing;
    private volatile bool isSlow;

    public CuttableLink(int target)
    {
        this.target = target;
        listener.Start();
        accepting = AcceptAsync();
    }

    public int Port => ((IPEndPoint)listener.LocalEndpoint).Port;

    public void Mend()
    {
        (isSwallowing, isSlow) = (false, false);
        lock (stateLock)
            isCut = false;
    }

    /// <summary>All is read and nothing passes: each side alone knows of the connection.</summary>
    public void Swallow() => isSwallowing = true;

    /// <summary>Two bytes ten times a second, both ways: no request ends within seconds.</summary>
    public void Slow() => isSlow = true;

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
    private async Task PumpAsync(Socket from, Socket to)
    {
        const int FewBytes = 2;
        byte[] buffer = new byte[64 * 1024];
        using PeriodicTimer pace = new(TimeSpan.FromMilliseconds(100));
        try
        {
            for (int count; (count = await from.ReceiveAsync(buffer)) > 0;)
            {
                for (int at = 0; at < count && !isSwallowing;)
                {
                    at += await to.SendAsync(buffer.AsMemory(at, isSlow ? Math.Min(FewBytes, count - at) : count - at));
                    if (isSlow)
                        await pace.WaitForNextTickAsync();
                }
            }
        }
        catch (Exception error) when (error is SocketException or ObjectDisposedException)
        {
            // Cut.
        }
        to.Dispose();
    }
}
