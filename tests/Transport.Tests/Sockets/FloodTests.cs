using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using Gateway.Testing;
using Gateway.Transport.Sockets;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Sockets;

/// <summary>One client that always has more to say beside one that asks now and then, on one event loop.</summary>
public sealed class FloodTests
{
    private const int BodyBytes = 4096;

    [Fact]
    public async Task Loop_OneFloods_TheOtherIsAnsweredMeanwhile()
    {
        using var server = new TestServer(echo: true);
        server.Handler.Intercept = static (_, requestId) => SpinIfFlooding(requestId);
        using var loop = new EventLoop(0);
        await using var listener = new SocketListener(
            new IPEndPoint(IPAddress.Loopback, 0), [loop], server.Context, KernelAcceptor.Open);
        var (good, goodEnded) = await ConnectAsync(server, listener);
        var (flooder, flooderEnded) = await ConnectAsync(server, listener);
        using var stop = new CancellationTokenSource();
        var flood = Task.Run(() => FloodAsync(flooder, stop.Token));
        var drain = Task.Run(() => DrainAsync(flooder, stop.Token));
        while (server.Handler.Count < 100)
            await server.Handler.NextAsync();

        for (var i = 0u; i < 20; i++)
        {
            await good.Socket.SendAsync(good.Message(i + 2, i, 20));
            Assert.Equal(i, await good.ReadRequestIdAsync().WaitAsync(Patience.Limit));
        }

        Assert.False(flood.IsCompleted);
        Assert.True(server.Counters.TurnsCut > 0);
        await stop.CancelAsync();
        good.Socket.Dispose();
        flooder.Socket.Dispose();
        await Task.WhenAll(flood, drain, goodEnded, flooderEnded).WaitAsync(Patience.Limit);
    }

    /// <summary>More work than the peer needs time to make: there is always a next message.</summary>
    private static void SpinIfFlooding(uint requestId)
    {
        var since = Stopwatch.GetTimestamp();
        while (requestId >= FloodPeer.FirstRequestId && Stopwatch.GetElapsedTime(since).TotalMilliseconds < 0.3)
            Thread.SpinWait(50);
    }

    private static async Task<(FloodPeer Peer, Task Ended)> ConnectAsync(TestServer server, SocketListener listener)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp) { NoDelay = true };
        await socket.ConnectAsync(listener.EndPoint);
        var link = (await listener.AcceptAsync())!;
        var ended = Task.Run(async () =>
        {
            await server.Connections.OnConnectedAsync(link);
            await link.DisposeAsync();
        });
        var peer = new FloodPeer(socket);
        await peer.OpenAsync();
        return (peer, ended);
    }

    private static async Task FloodAsync(FloodPeer peer, CancellationToken stop)
    {
        try
        {
            for (var i = 0u; !stop.IsCancellationRequested; i++)
                await peer.Socket.SendAsync(peer.Message(i + 2, FloodPeer.FirstRequestId + i, BodyBytes), stop);
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }

    private static async Task DrainAsync(FloodPeer peer, CancellationToken stop)
    {
        var buffer = new byte[65536];
        try
        {
            while (await peer.Socket.ReceiveAsync(buffer, stop) > 0)
            {
            }
        }
        catch (Exception e) when (e is OperationCanceledException or SocketException or ObjectDisposedException)
        {
            // The test is over.
        }
    }
}
