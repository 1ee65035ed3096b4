using System.Net;
using System.Net.Sockets;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Transport.Sockets;

namespace Gateway.Transport.Tests.Sockets;

public sealed class DescriptorTests
{
    [Theory]
    [InlineData(256, 100, 117, 87)]
    [InlineData(256, 223, 9, 6)]
    [InlineData(1024, 100, 693, 519)]
    [InlineData(20_000, 200, 18_776, 14_082)]
    [InlineData(100, 100, 1, 1)]
    public void Capacity_OfALimit_LeavesAReserve(int limit, int used, int capacity, int letIn)
    {
        var budget = new DescriptorBudget(limit, used, upstreams: 0, reverse: 0, httpConnections: 0);

        Assert.Equal(capacity, budget.Capacity);
        Assert.Equal(letIn, budget.MaxLetIn);
        Assert.Equal(limit, budget.Capacity > 1 ? budget.Capacity + budget.Reserve : limit);
    }

    /// <summary>No listener can take another's share, nor the runtime's or the upstreams'.</summary>
    [Theory]
    [InlineData(256, 222, 0, 1024, 5, 5)]
    [InlineData(256, 180, 0, 1024, 13, 39)]
    [InlineData(256, 214, 0, 1024, 9, 9)]
    [InlineData(256, 180, 0, 3, 4, 48)]
    [InlineData(2_048, 230, 0, 1024, 341, 1023)]
    [InlineData(2_048, 230, 50, 1024, 291, 873)]
    [InlineData(20_000, 230, 0, 1024, 1153, 17_593)]
    [InlineData(20_000, 230, 0, 16, 19, 18_727)]
    [InlineData(100, 100, 0, 1024, 2, 1)]
    public void Capacity_BesideHttp_EachHasItsOwn(
        int limit, int used, int upstreams, int http, int httpShare, int capacity)
    {
        var budget = new DescriptorBudget(limit, used, upstreams, reverse: 0, http);

        Assert.Equal((httpShare, capacity), (budget.HttpShare, budget.Capacity));
        Assert.InRange(budget.MaxHttpLetIn, 1, Math.Min(http, httpShare));
        Assert.True(limit < 200 || budget.Reserve - used - (4 * upstreams) >= 24);
        Assert.True(limit < 200 || budget.Reserve + budget.HttpShare + budget.Capacity == limit);
    }

    [Fact]
    public void Capacity_ServersThatConnect_HaveTheirOwnShare()
    {
        var without = new DescriptorBudget(1_024, 100, upstreams: 0, reverse: 0, httpConnections: 0);

        var budget = new DescriptorBudget(1_024, 100, upstreams: 0, reverse: 37, httpConnections: 0);

        Assert.Equal(without.Capacity - 37, budget.Capacity);
    }

    /// <summary>Thirty upstreams with eight backups each.</summary>
    [Fact]
    public void Capacity_MoreServersThanDescriptors_ClientsHaveTheHalf()
    {
        var without = new DescriptorBudget(1_024, 100, upstreams: 0, reverse: 0, httpConnections: 0);

        var budget = new DescriptorBudget(1_024, 100, upstreams: 270, reverse: 500, httpConnections: 0);

        Assert.InRange(budget.Capacity, without.Capacity / 2, (without.Capacity / 2) + 1);
        Assert.Equal(1_024, budget.Capacity + budget.Reserve);
    }

    /// <summary>One upstream has four; then half of UA-TCP's, counted there, too.</summary>
    [Fact]
    public void Outgoing_BeyondItsShare_TakesHalfOfTheClientsAndThenNone()
    {
        var budget = new DescriptorBudget(300, 100, upstreams: 1, reverse: 7, httpConnections: 0);
        var places = new OutgoingPlaces(() => budget);
        var most = 4 + (budget.Capacity / 2);

        var taken = Enumerable.Range(0, most).Select(_ => places.TryTake()!).ToArray();

        Assert.DoesNotContain(null, taken);
        Assert.Null(places.TryTake());
        Assert.Equal((most, budget.Capacity / 2), (places.Open, budget.Open));
        Assert.False(budget.IsSpent);
        taken[^1].Dispose();
        taken[^1].Dispose();
        Assert.Equal(most - 1, places.Open);
        using (places.TryTake())
            Assert.Null(places.TryTake());
        Array.ForEach(taken, static one => one.Dispose());
        Assert.Equal((0, 0), (places.Open, budget.Open));
    }

    [Fact]
    public void Outgoing_ClientsHaveTheHalfAlready_HasItsShareAlone()
    {
        var budget = new DescriptorBudget(300, 100, upstreams: 1, reverse: 0, httpConnections: 0);
        for (var i = 0; i < budget.Capacity / 2; i++)
            budget.Opened();
        var places = new OutgoingPlaces(() => budget);

        for (var i = 0; i < 4; i++)
            Assert.NotNull(places.TryTake());

        Assert.Null(places.TryTake());
        Assert.Equal(budget.Capacity / 2, budget.Open);
    }

    [Fact]
    public void Outgoing_NoListener_CountedAndNotRefused()
    {
        var places = new OutgoingPlaces(static () => null);

        Assert.All(Enumerable.Range(0, 1_000), _ => Assert.NotNull(places.TryTake()));
        Assert.Equal(1_000, places.Open);
    }

    [Fact]
    public async Task Dial_ConnectionOfAnotherProtocol_HasAPlaceUntilItsEnd()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var budget = new DescriptorBudget(300, 100, upstreams: 0, reverse: 0, httpConnections: 0);
        for (var i = 1; i < budget.Capacity / 2; i++)
            budget.Opened();
        var places = new OutgoingPlaces(() => budget);
        var dialer = new OutgoingDialer(places);
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        var before = budget.Open;

        var stream = await dialer.DialAsync("127.0.0.1", port, default);

        Assert.Equal((1, before + 1), (places.Open, budget.Open));
        var refused = await Assert.ThrowsAsync<SocketException>(
            async () => await dialer.DialAsync("127.0.0.1", port, default));
        Assert.Equal(SocketError.TooManyOpenSockets, refused.SocketErrorCode);
        await stream.DisposeAsync();
        stream.Dispose();
        Assert.Equal((0, before), (places.Open, budget.Open));
    }

    [Fact]
    public async Task Dial_NobodyListens_ItsPlaceIsFree()
    {
        using var listener = new TcpListener(IPAddress.Loopback, 0);
        listener.Start();
        var port = ((IPEndPoint)listener.LocalEndpoint).Port;
        listener.Stop();
        var places = new OutgoingPlaces(static () => null);

        await Assert.ThrowsAsync<SocketException>(
            async () => await new OutgoingDialer(places).DialAsync("127.0.0.1", port, default));

        Assert.Equal(0, places.Open);
    }

    [Fact]
    public void OfProcess_Now_HasRoomForConnections()
    {
        var budget = DescriptorBudget.OfProcess(upstreams: 0, reverse: 0, httpConnections: 0);

        Assert.True(budget.Capacity > 0);
        Assert.True(budget.Reserve < budget.Limit);
        Assert.False(budget.IsSpent);
    }

    [Fact]
    public async Task Accept_NoDescriptorIsLeft_TheSpareOneTellsIt()
    {
        FailingAcceptor acceptor = null!;
        await using var house = new Gatehouse(
            acceptor: listener => acceptor = new FailingAcceptor(listener)
            {
                Error = Libc.TooManyDescriptors,
                Times = 1,
            });
        for (var i = 1; i <= 3; i++)
        {
            using var peer = await house.ConnectAsync();
            Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await Gatehouse.ReadErrorAsync(peer)).Status);
            Assert.Equal(i, house.Admission.Stages.Shedded(AdmissionStage.Connection, RefusalReason.NoDescriptor));
        }

        acceptor.Error = 0;
        using var served = await house.ConnectAsync();
        Gatehouse.Await(() => house.LetIn.Count == 1, "nobody was let in");
        house.AwaitNothingLeft();
    }

    [Theory]
    [InlineData(Libc.NoMemory)]
    [InlineData(Libc.NoBuffers)]
    [InlineData(Libc.TooManyDescriptors)]
    public async Task Accept_FailsForGood_BreathesAndRecovers(int error)
    {
        FailingAcceptor acceptor = null!;
        await using var house = new Gatehouse(
            acceptor: listener => acceptor = new FailingAcceptor(listener) { Error = error });
        using var peer = await house.ConnectAsync();
        Gatehouse.Await(() => acceptor.Calls > 0, "nobody tried");
        // The backlog is not empty and the listener level-triggered: without the pause it would spin.
        for (var i = 0; i < 10; i++)
        {
            var calls = acceptor.Calls;
            var ticks = house.TickUntil(() => acceptor.Calls > calls);
            Assert.InRange(acceptor.Calls - calls, 1, 2 * ticks);
        }

        acceptor.Error = 0;
        house.TickUntil(() => !house.LetIn.IsEmpty);
        Assert.Single(house.LetIn);
    }

    [Fact]
    public async Task Accept_PeerGaveUpInTheBacklog_Harmless()
    {
        const int ConnectionAborted = 103;
        await using var house = new Gatehouse(
            acceptor: listener => new FailingAcceptor(listener) { Error = ConnectionAborted, Times = 3 });
        using var peer = await house.ConnectAsync();

        Gatehouse.Await(() => house.LetIn.Count == 1, "nobody was let in");
    }

    [Theory]
    [InlineData("127.0.0.1")]
    [InlineData("::1")]
    [InlineData("fe80::1234")]
    public void Read_SocketAddress_AsTheFrameworkWritesIt(string text)
    {
        var address = IPAddress.Parse(text);
        var written = new IPEndPoint(address, 4840).Serialize();
        var read = KernelAddress.Read(written.Buffer.Span[..written.Size], out var port);

        Assert.Equal(address, read);
        Assert.Equal(4840, port);
    }

    [Fact]
    public void Read_MappedAddress_IsIPv4()
    {
        var written = new IPEndPoint(IPAddress.Parse("::ffff:10.1.2.3"), 1).Serialize();

        Assert.Equal(IPAddress.Parse("10.1.2.3"), KernelAddress.Read(written.Buffer.Span[..written.Size], out _));
        Assert.Equal(IPAddress.None, KernelAddress.Read([1, 0, 47, 116, 109, 112, 0, 0], out _));
        Assert.Equal(IPAddress.None, KernelAddress.Read([], out _));
    }
}
