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
        _listener.Configure(["press"]);
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

        using var taken =
            (await _listener.TakeAsync("press", null, default).AsTask().WaitAsync(Patience.Limit)).Socket;
        await taken.SendAsync("HEL"u8.ToArray());
        await server.SendAsync("ACK"u8.ToArray());

        Assert.Equal("HEL"u8.ToArray(), await ReceiveAsync(server, 3));
        Assert.Equal("ACK"u8.ToArray(), await ReceiveAsync(taken, 3));
    }

    [Fact]
    public async Task Take_BeforeTheServerComes_WaitsForIt()
    {
        var taking = _listener.TakeAsync("press", null, default).AsTask();
        Assert.False(taking.IsCompleted);

        await (await OpenAsync()).SendAsync(Hello("urn:press", Url));

        (await taking.WaitAsync(Patience.Limit)).Socket.Dispose();
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
        Assert.Equal("ERRF"u8.ToArray(), await ReceiveAsync(server, 4));
    }

    public static TheoryData<byte[]> NoHellos => new()
    {
        "HELF\x10\0\0\0________"u8.ToArray(),
        "RHEC\x10\0\0\0________"u8.ToArray(),
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
        for (var i = 0; i < ReverseDoor.MaxUnknownOfAnAddress; i++)
            await OpenAsync();
        var above = await OpenAsync();

        Assert.Equal(ReverseOutcome.Crowded, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(above));
        // Others have room again as soon as one has said who it is.
        await _opened[0].SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
        await (await OpenAsync()).SendAsync(Hello("urn:press", Url));
        Assert.Equal(
            [ReverseOutcome.Accepted, ReverseOutcome.Surplus],
            new[] { (await NextAsync()).Outcome, (await NextAsync()).Outcome }.Order());
    }

    /// <summary>Silent ones of many addresses never shut a server out.</summary>
    [Fact]
    public async Task MaxUnknown_MoreAtATime_TheOldestOfTheAddressWithMostMakesRoom()
    {
        var first = await OpenAsync();
        for (var i = 1; i < ReverseDoor.MaxUnknown; i++)
            await OpenAsync(2 + (i / ReverseDoor.MaxUnknownOfAnAddress));
        var last = await OpenAsync(100);

        Assert.Equal(ReverseOutcome.Crowded, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(_opened[ReverseDoor.MaxUnknownOfAnAddress]));
        await last.SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
        await first.SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
    }

    [Fact]
    public async Task MaxAcceptsPerSecondOfAnAddress_MoreAtOnce_AreClosedUnreadAndOthersAreNot()
    {
        for (var i = 0; i < ReverseDoor.MaxAcceptsPerSecondOfAnAddress; i++)
        {
            await (await OpenAsync()).SendAsync("x_______"u8.ToArray());
            Assert.Equal(ReverseOutcome.Malformed, (await NextAsync()).Outcome);
        }

        await OpenAsync();
        Assert.Equal(ReverseOutcome.Crowded, (await NextAsync()).Outcome);
        await (await OpenAsync(2)).SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
        _time.Advance(TimeSpan.FromSeconds(1));
        await (await OpenAsync()).SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
    }

    /// <summary>It has lost its power, and nobody has closed its connection.</summary>
    [Fact]
    public async Task Place_ASecondOfOneAddress_TheNewerOneWaits()
    {
        await PlaceAsync(1);
        var newer = await PlaceAsync(1);

        Assert.Equal(ReverseOutcome.Surplus, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(_opened[0]));
        await AssertTakenAsync(newer);
    }

    [Fact]
    public async Task MaxWaiting_MoreAddressesSayTheSame_TheOldestMakesRoom()
    {
        for (var i = 1; i <= ReverseRoom.MaxWaiting; i++)
            await PlaceAsync(i);
        var server = await PlaceAsync(100);

        Assert.Equal(ReverseOutcome.Surplus, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(_opened[0]));
        for (var i = 1; i < ReverseRoom.MaxWaiting; i++)
            await AssertTakenAsync(_opened[i]);
        await AssertTakenAsync(server);
    }

    /// <summary>Others that know its EndpointUrl come again and again.</summary>
    [Fact]
    public async Task Take_SeveralAddresses_InTurnsAndTheProvenOneFirst()
    {
        foreach (var address in new[] { 1, 2, 100 })
            await PlaceAsync(address);
        await AssertTakenAsync(_opened[0]);
        await PlaceAsync(1);
        await AssertTakenAsync(_opened[1]);
        await PlaceAsync(2);
        var taken = await AssertTakenAsync(_opened[2]);

        _listener.Prove("press", taken);
        var server = await PlaceAsync(100);

        await AssertTakenAsync(server);
        // It has had its try: until it proves itself again another has its turn.
        await PlaceAsync(100);
        await AssertTakenAsync(_opened[3]);
    }

    /// <summary>Each of an address that was never seen before.</summary>
    [Fact]
    public async Task Take_ManyNewAddresses_TheProvenOneHasEveryOtherTurn()
    {
        await PlaceAsync(100);
        _listener.Prove("press", await AssertTakenAsync(_opened[0]));
        for (var address = 1; address < ReverseRoom.MaxWaiting; address++)
            await PlaceAsync(address);
        for (var address = 11; address < 14; address++)
        {
            await AssertTakenAsync(await PlaceAsync(100));
            var newcomer = await TakeAnyAsync();
            Assert.NotEqual(IPAddress.Parse("127.0.0.100"), newcomer);
            await PlaceAsync(address);
        }
    }

    /// <summary>It has never had a session, and the others come again at once.</summary>
    [Fact]
    public async Task Take_OneThatWaitsLongestAmongNewAddresses_HasItsTurn()
    {
        await AssertTakenAsync(await PlaceAsync(100));
        var server = await PlaceAsync(100);
        var other = await PlaceAsync(1);
        await PlaceAsync(2);

        // It has just had one.
        await AssertTakenAsync(other);
        await PlaceAsync(3);
        await AssertTakenAsync(server);
    }

    [Fact]
    public async Task MaxWaiting_TheServerItselfIsKnown_IsNotPushedOut()
    {
        await PlaceAsync(100);
        _listener.Prove("press", await AssertTakenAsync(_opened[0]));
        var server = await PlaceAsync(100);

        for (var i = 1; i <= ReverseRoom.MaxWaiting; i++)
            await PlaceAsync(i);

        Assert.Equal(ReverseOutcome.Surplus, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(_opened[2]));
        await AssertTakenAsync(server);
    }

    [Fact]
    public async Task Take_FromAnAddress_WaitsForThatOne()
    {
        await PlaceAsync(1);
        var taking = _listener.TakeAsync("press", IPAddress.Parse("127.0.0.2"), default).AsTask();
        Assert.False(taking.IsCompleted);

        await PlaceAsync(2);

        var taken = await taking.WaitAsync(Patience.Limit);
        taken.Socket.Dispose();
        Assert.Equal(IPAddress.Parse("127.0.0.2"), taken.Address);
    }

    [Fact]
    public async Task MaxAge_NobodyTakesIt_IsClosed()
    {
        var server = await PlaceAsync(1);
        var next = NextAsync();
        using var look = new PeriodicTimer(TimeSpan.FromMilliseconds(1));
        while (!next.IsCompleted)
        {
            _time.Advance(TimeSpan.FromSeconds(5));
            await look.WaitForNextTickAsync();
        }

        Assert.Equal(ReverseOutcome.Expired, (await next).Outcome);
        Assert.True(_time.Elapsed >= ReverseRoom.MaxAge);
        Assert.True(await IsClosedAsync(server));
    }

    [Fact]
    public async Task Configure_TheServerIsGone_ItsConnectionsAreClosed()
    {
        var server = await PlaceAsync(1);

        _listener.Configure([]);

        Assert.Equal(ReverseOutcome.Unknown, (await NextAsync()).Outcome);
        Assert.True(await IsClosedAsync(server));
        await (await OpenAsync()).SendAsync(Hello("urn:press", Url));
        Assert.Equal(ReverseOutcome.Unknown, (await NextAsync()).Outcome);
    }

    public static TheoryData<string, string> NotExpected => new()
    {
        { "urn:press", "opc.tcp://stranger:4840" },
        { new string('u', 4_097), Url },
        { "", "opc.tcp://" + new string('é', 2_048) },
        // The message is larger than both texts may make it.
        { new string('u', 5_000), Url + new string('/', 5_000) },
    };

    /// <summary>Source: Part 6 §7.1.2.6.</summary>
    [Theory]
    [MemberData(nameof(NotExpected))]
    public async Task Hello_OfNobodyOrTooLong_GetsTheErrorOfTheStandard(string uri, string url)
    {
        var server = await OpenAsync();
        await server.SendAsync(Hello(uri, url));

        var answer = await ReceiveAsync(server, 12);

        Assert.Equal("ERRF"u8.ToArray(), answer[..4]);
        Assert.Equal(0x8083_0000u, BitConverter.ToUInt32(answer, 8));
        Assert.NotEqual(ReverseOutcome.Accepted, (await NextAsync()).Outcome);
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

    /// <param name="address">The last number of its own.</param>
    private async Task<Socket> OpenAsync(int address = 1)
    {
        var socket = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
        _opened.Add(socket);
        socket.Bind(new IPEndPoint(new IPAddress([127, 0, 0, (byte)address]), 0));
        await socket.ConnectAsync(_listener.LocalEndPoint);
        return socket;
    }

    private async Task<Socket> PlaceAsync(int address)
    {
        var socket = await OpenAsync(address);
        await socket.SendAsync(Hello("urn:press", Url));
        while (await NextAsync() is { Outcome: not ReverseOutcome.Accepted } other)
            _outcomes.Writer.TryWrite(other);
        return socket;
    }

    private async Task<IPAddress> TakeAnyAsync()
    {
        var (taken, address) =
            await _listener.TakeAsync("press", null, default).AsTask().WaitAsync(Patience.Limit);
        taken.Dispose();
        return address;
    }

    private async Task<IPAddress> AssertTakenAsync(Socket expected)
    {
        var (taken, address) =
            await _listener.TakeAsync("press", null, default).AsTask().WaitAsync(Patience.Limit);
        using (taken)
            Assert.Equal(expected.LocalEndPoint, taken.RemoteEndPoint);
        return address;
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
