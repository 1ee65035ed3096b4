using System.Net;
using System.Net.Sockets;
using System.Threading.Channels;
using Gateway.Codec.Pooling;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Reverse;

namespace Gateway.Transport.Tests.Reverse;

/// <summary>Servers that connect to us. Source: Part 6 §7.1.2.6.</summary>
public sealed class ReverseListenerTests : IAsyncLifetime, IAsyncDisposable
{
    private const string Url = "opc.tcp://press:4840";

    private readonly Channel<(ReverseOutcome Outcome, string Uri, string Url)> _outcomes =
        Channel.CreateUnbounded<(ReverseOutcome, string, string)>();

    private readonly ManualTimeProvider _time = new();
    private readonly List<Socket> _opened = [];
    private ReverseListener _listener = null!;

    public Task InitializeAsync()
    {
        _listener = new ReverseListener(
            new IPEndPoint(IPAddress.Loopback, 0), static (_, url) => url == Url ? "press" : null, _time,
            (outcome, _, uri, url) => _outcomes.Writer.TryWrite((outcome, uri, url)));
        _listener.Start();
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await _listener.DisposeAsync();
        _opened.ForEach(static one => one.Dispose());
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task Hello_OfAKnownServer_ItsConnectionIsTakenAndNotAByteMoreIsRead()
    {
        var server = await OpenAsync();
        await server.SendAsync(Hello("urn:press", Url));
        Assert.Equal((ReverseOutcome.Accepted, "urn:press", Url), await NextAsync());

        using var taken = await _listener.TakeAsync("press", default).AsTask().WaitAsync(Patience.Limit);
        await taken.SendAsync("HEL"u8.ToArray());
        await server.SendAsync("ACK"u8.ToArray());

        Assert.Equal("HEL"u8.ToArray(), await ReceiveAsync(server, 3));
        Assert.Equal("ACK"u8.ToArray(), await ReceiveAsync(taken, 3));
    }

    [Fact]
    public async Task Take_BeforeTheServerComes_WaitsForIt()
    {
        var taking = _listener.TakeAsync("press", default).AsTask();
        Assert.False(taking.IsCompleted);

        await (await OpenAsync()).SendAsync(Hello("urn:press", Url));

        (await taking.WaitAsync(Patience.Limit)).Dispose();
    }

    [Fact]
    public async Task Hello_InPieces_IsReadWhole()
    {
        var server = await OpenAsync();
        foreach (var one in Hello("urn:press", Url))
            await server.SendAsync(new[] { one });

        Assert.Equal((ReverseOutcome.Accepted, "urn:press", Url), await NextAsync());
    }

    [Fact]
    public async Task Hello_OfAnUnknownServer_IsClosed()
    {
        var server = await OpenAsync();
        await server.SendAsync(Hello("urn:stranger", "opc.tcp://stranger:4840"));

        Assert.Equal((ReverseOutcome.Unknown, "urn:stranger", "opc.tcp://stranger:4840"), await NextAsync());
        Assert.True(await IsClosedAsync(server));
    }

    public static TheoryData<byte[]> NoHellos => new()
    {
        "HELF\x10\0\0\0________"u8.ToArray(),
        "RHEC\x10\0\0\0________"u8.ToArray(),
        // Larger than both texts may be.
        "RHEF\xFF\xFF\xFF\x7F"u8.ToArray(),
        "RHEF\x07\0\0\0"u8.ToArray(),
        // A text that is longer than the message.
        "RHEF\x10\0\0\0\x7F\0\0\0____"u8.ToArray(),
        Hello("urn:press", null),
    };

    [Theory]
    [MemberData(nameof(NoHellos))]
    public async Task NoReverseHello_IsClosed(byte[] message)
    {
        var server = await OpenAsync();
        await server.SendAsync(message);

        Assert.Equal(ReverseOutcome.Malformed, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(server));
    }

    [Fact]
    public async Task HelloDeadline_NothingSaid_IsClosed()
    {
        var server = await OpenAsync();
        var next = NextAsync();
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(1));
        while (!next.IsCompleted)
        {
            // The deadline may begin a moment later.
            _time.Advance(TimeSpan.FromSeconds(1));
            await look.WaitForNextTickAsync();
        }

        Assert.Equal(ReverseOutcome.TimedOut, (await next).Outcome);
        Assert.True(await IsClosedAsync(server));
    }

    [Fact]
    public async Task MaxUnknownOfAnAddress_MoreAtATime_AreClosedUnread()
    {
        for (var i = 0; i < ReverseListener.MaxUnknownOfAnAddress; i++)
            await OpenAsync();
        var above = await OpenAsync();

        Assert.Equal(ReverseOutcome.Crowded, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(above));
        // Others have room again as soon as one has said who it is.
        await _opened[0].SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
        await (await OpenAsync()).SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
    }

    [Fact]
    public async Task MaxAcceptsPerSecond_MoreAtOnce_AreClosedUnread()
    {
        for (var i = 0; i < ReverseListener.MaxAcceptsPerSecond; i++)
        {
            await (await OpenAsync()).SendAsync("x_______"u8.ToArray());
            Assert.Equal(ReverseOutcome.Malformed, (await NextAsync()).Outcome);
        }

        await OpenAsync();
        Assert.Equal(ReverseOutcome.Crowded, (await NextAsync()).Outcome);
        _time.Advance(TimeSpan.FromSeconds(1));
        await (await OpenAsync()).SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
    }

    [Fact]
    public async Task MaxWaiting_MoreOfOneServer_AreClosedUntilOneHasGone()
    {
        for (var i = 0; i < ReverseListener.MaxWaiting; i++)
        {
            await (await OpenAsync()).SendAsync(Hello("urn:press", Url));
            Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
        }

        var above = await OpenAsync();
        await above.SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Surplus, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(above));

        _opened[0].Close();
        ReverseOutcome outcome;
        do
        {
            // The end of the first one may come a moment later.
            await (await OpenAsync()).SendAsync(Hello("urn:press", Url));
            outcome = (await NextAsync()).Outcome;
        }
        while (outcome == ReverseOutcome.Surplus);
        Assert.Equal(ReverseOutcome.Accepted, outcome);
    }

    [Fact]
    public async Task Dispose_ClosesWhatWaits()
    {
        var server = await OpenAsync();
        await server.SendAsync(Hello("urn:press", Url));
        await NextAsync();
        var silent = await OpenAsync();

        await _listener.DisposeAsync();

        Assert.True(await IsClosedAsync(server));
        Assert.True(await IsClosedAsync(silent));
    }

    private static byte[] Hello(string? serverUri, string? endpointUrl)
    {
        using var buffer = new PooledBuffer();
        var writer = FrameWriter.Begin(buffer);
        new ReverseHelloMessage(serverUri, endpointUrl).Write(ref writer);
        return FrameWriter.End(ref writer, buffer, MessageKind.ReverseHello).ToArray();
    }

    private async Task<Socket> OpenAsync()
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _opened.Add(socket);
        await socket.ConnectAsync(_listener.LocalEndPoint);
        return socket;
    }

    private async Task<(ReverseOutcome Outcome, string Uri, string Url)> NextAsync()
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        return await _outcomes.Reader.ReadAsync(limit.Token);
    }

    private static async Task<byte[]> ReceiveAsync(Socket socket, int count)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        var buffer = new byte[count];
        for (var at = 0; at < count;)
            at += await socket.ReceiveAsync(buffer.AsMemory(at), limit.Token);
        return buffer;
    }

    private static async Task<bool> IsClosedAsync(Socket socket)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        try
        {
            return await socket.ReceiveAsync(new byte[1], limit.Token) == 0;
        }
        catch (SocketException)
        {
            return true;
        }
    }
}
