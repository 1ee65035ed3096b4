using System.Buffers.Binary;
using System.Collections.Concurrent;
using System.Net;
using System.Net.Sockets;
using System.Text;
using Gateway.Admission;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Sockets;
using Gateway.Transport.Tests.Support;
using TransportContext = Gateway.Transport.Hosting.TransportContext;

namespace Gateway.Transport.Tests.Sockets;

/// <summary>A real listener with its door on the loopback, on time that a test moves; who is let in is kept.</summary>
internal sealed class Gatehouse : IAsyncDisposable
{
    private readonly EventLoop _loop = new(0);
    private readonly SocketListener _listener;
    private readonly Task _accepting;

    public Gatehouse(
        AdmissionLimits? limits = null, TransportLimits? transport = null, Func<int, IAcceptor>? acceptor = null)
    {
        Admission = new AdmissionControl(limits ?? new AdmissionLimits(), Time, true, handshakesPerSecond: 1);
        Context = TestTransport.Make(transport, Time, admission: Admission);
        _listener = new SocketListener(
            new IPEndPoint(IPAddress.Loopback, 0), [_loop], Context, acceptor ?? KernelAcceptor.Open);
        _accepting = AcceptAsync();
    }

    public ManualTimeProvider Time { get; } = new();

    public AdmissionControl Admission { get; }

    public TransportContext Context { get; }

    public ConcurrentQueue<SocketLink> LetIn { get; } = new();

    public IPEndPoint EndPoint => (IPEndPoint)_listener.EndPoint;

    public static void Await(Func<bool> condition, string what)
    {
        if (!SpinWait.SpinUntil(condition, Patience.Limit))
            throw new TimeoutException(what);
    }

    /// <summary>Moves time a tick of the door on, and again where the door's thread had not yet begun the pause that
    /// the tick was to end. The number of ticks.</summary>
    public int TickUntil(Func<bool> condition)
    {
        for (var ticks = 1; ; ticks++)
        {
            Time.Advance(10);
            if (SpinWait.SpinUntil(condition, TimeSpan.FromSeconds(1)))
                return ticks;
        }
    }

    /// <summary>Status and reason of the ERR; then the end of the stream.</summary>
    public static async Task<(uint Status, string Reason)> ReadErrorAsync(Socket peer)
    {
        using var patience = new CancellationTokenSource(Patience.Limit);
        var bytes = new byte[256];
        var length = 0;
        while (true)
        {
            var count = await peer.ReceiveAsync(bytes.AsMemory(length), patience.Token);
            if (count == 0)
                break;
            length += count;
        }

        Assert.Equal("ERRF", Encoding.ASCII.GetString(bytes, 0, 4));
        Assert.Equal(length, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(4)));
        var reason = Encoding.UTF8.GetString(bytes, 16, BinaryPrimitives.ReadInt32LittleEndian(bytes.AsSpan(12)));
        return (BinaryPrimitives.ReadUInt32LittleEndian(bytes.AsSpan(8)), reason);
    }

    public async Task<Socket> ConnectAsync()
    {
        var peer = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        await peer.ConnectAsync(EndPoint);
        return peer;
    }

    /// <summary>Takes every place of the window: so many connections are in.</summary>
    public async Task<List<Socket>> FillAsync()
    {
        var peers = new List<Socket>();
        while (Admission.Window.HasRoom)
        {
            peers.Add(await ConnectAsync());
            Await(() => LetIn.Count == peers.Count, "nobody was let in");
        }

        return peers;
    }

    /// <summary>So many wait at the door when it returns.</summary>
    public async Task<Socket> WaitAsync(int waiting)
    {
        var peer = await ConnectAsync();
        Await(() => Admission.Door.Waiting == waiting, "it does not wait");
        return peer;
    }

    public ValueTask UnbindAsync() => _listener.UnbindAsync();

    public void AwaitNothingLeft()
    {
        Await(() => Context.Descriptors.Open == LetIn.Count, "descriptors are left");
        Await(
            () => Admission.Clients.Addresses.Sum(account => account.Connections) == LetIn.Count,
            "the account counts connections that are gone");
    }

    public async ValueTask DisposeAsync()
    {
        await _listener.DisposeAsync();
        await _accepting;
        foreach (var link in LetIn)
            await link.DisposeAsync();
        Assert.Equal(0, Context.Descriptors.Open);
        Assert.Equal(0, Admission.Window.Used);
        await Task.Yield();
        _loop.Dispose();
        Context.Dispose();
    }

    private async Task AcceptAsync()
    {
        while (await _listener.AcceptAsync() is SocketLink link)
            LetIn.Enqueue(link);
    }
}
