using System.Net;
using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Testing;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Conversation;

public sealed class ConnectionRegistryTests
{
    private static readonly IPAddress Flood = IPAddress.Parse("192.0.2.66");
    private static readonly IPAddress Newcomer = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress Balancer = IPAddress.Parse("192.0.2.10");

    [Fact]
    public async Task TryAdd_AtTheCap_WhoWaitsForItsPeerGoesBeforeWhoWaitsForUs()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 2 });
        var registry = server.Context.Registry;
        var first = new RawClient(server);
        var working = Assert.Single(registry.Snapshot());
        registry.SetWorking(working, true);
        var second = new RawClient(server);
        var third = new RawClient(server);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await second.ReadErrorAsync()).Code);
        Assert.False(first.Ended.IsCompleted || third.Ended.IsCompleted);
        foreach (var connection in registry.Snapshot())
            registry.SetWorking(connection, true);
        var fourth = new RawClient(server);
        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await first.ReadErrorAsync()).Code);
        Assert.False(third.Ended.IsCompleted || fourth.Ended.IsCompleted);
        Assert.Equal(2, server.Context.Admission.Stages.Shedded(AdmissionStage.Hello, RefusalReason.Recycled));
        Assert.Equal(2, registry.Count);
    }

    [Fact]
    public async Task TryAdd_WorkOfTheOldestIsDone_TheNextOldestWaitsLonger()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 2 });
        var registry = server.Context.Registry;
        var first = new RawClient(server);
        var connection = Assert.Single(registry.Snapshot());
        registry.SetWorking(connection, true);
        var second = new RawClient(server);
        registry.SetWorking(connection, false);
        var third = new RawClient(server);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await second.ReadErrorAsync()).Code);
        Assert.False(first.Ended.IsCompleted || third.Ended.IsCompleted);
    }

    [Fact]
    public async Task TryAdd_AtTheCap_TheOldestOfTheAddressThatHoldsMostGoes()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 6 });
        var oldest = new RawClient(server, from: Newcomer);
        var flood = Connect(server, Flood, 5);
        var late = new RawClient(server);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await flood[0].ReadErrorAsync()).Code);
        Assert.False(oldest.Ended.IsCompleted || late.Ended.IsCompleted);
        Assert.All(flood.Skip(1), client => Assert.False(client.Ended.IsCompleted));
    }

    [Fact]
    public async Task TryAdd_TheCrowdWaitsForUs_GoesBeforeALonePeerThatSaysNothing()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 6 });
        var flood = Connect(server, Flood, 5);
        foreach (var connection in server.Context.Registry.Snapshot())
            server.Context.Registry.SetWorking(connection, true);
        var silent = new RawClient(server, from: Newcomer);
        var late = new RawClient(server);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await flood[0].ReadErrorAsync()).Code);
        Assert.False(silent.Ended.IsCompleted || late.Ended.IsCompleted);
    }

    [Fact]
    public async Task TryAdd_ManyVerifiedBehindOneAddress_AreNoCrowd()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 6 });
        var balanced = Connect(server, Balancer, 4);
        var verified = 0;
        foreach (var connection in server.Context.Registry.Snapshot())
            Assert.True(connection.Pass!.TryVerify($"certificate {++verified}", null));
        var pair = Connect(server, Newcomer, 2);
        var late = new RawClient(server);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await pair[0].ReadErrorAsync()).Code);
        Assert.False(pair[1].Ended.IsCompleted || late.Ended.IsCompleted);
        Assert.All(balanced, client => Assert.False(client.Ended.IsCompleted));
    }

    [Fact]
    public async Task TryAdd_OneAddressIsActiveOnAllItCan_TheLastSixthIsOthers()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 12 });
        var hoarded = Connect(server, Flood, 10);
        Activate(server);
        var refused = new RawClient(server, from: Flood);
        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await refused.ReadErrorAsync()).Code);
        var others = Connect(server, Newcomer, 2);
        Activate(server);
        var late = new RawClient(server);
        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await late.ReadErrorAsync()).Code);

        Assert.All([.. hoarded, .. others], client => Assert.False(client.Ended.IsCompleted));
        var stages = server.Context.Admission.Stages;
        Assert.Equal(1, stages.Shedded(AdmissionStage.Connection, RefusalReason.Reserved));
        Assert.Equal(1, stages.Shedded(AdmissionStage.Connection, RefusalReason.MaxConnections));
    }

    [Fact]
    public async Task TryAdd_OneAddressIsIdleOnAllItCan_ItsOwnOldestMakesRoomAndNoOthers()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 12 });
        var oldest = new RawClient(server, from: Newcomer);
        var hoarded = Connect(server, Flood, 9);
        var next = new RawClient(server, from: Flood);

        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await hoarded[0].ReadErrorAsync()).Code);
        Assert.False(oldest.Ended.IsCompleted || next.Ended.IsCompleted);
        Assert.Equal(10, server.Context.Registry.Count);
        Assert.Equal(10, server.Context.Admission.Clients.Addresses.Sum(account => account.LetIn));
    }

    [Fact]
    public void IsReservedFrom_OneCertificateFromManyAddresses_OnceItHasMoreThanASixth()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 12 });
        List<RawClient> clients = [];
        for (var i = 0; i < 11; i++)
            clients.Add(new RawClient(server, from: IPAddress.Parse($"192.0.2.{i + 1}")));
        var registry = server.Context.Registry;
        var connections = registry.Snapshot();
        for (var i = 0; i < 3; i++)
            Assert.True(connections[i].Pass!.TryVerify("certificate", null));

        Assert.False(registry.IsReservedFrom(connections[2].Pass!));
        Assert.False(registry.IsReservedFrom(connections[10].Pass!));
        Assert.True(connections[3].Pass!.TryVerify("certificate", null));
        Assert.True(registry.IsReservedFrom(connections[3].Pass!));
        registry.Remove(connections[10]);
        Assert.False(registry.IsReservedFrom(connections[3].Pass!));
        Assert.All(clients, client => Assert.False(client.Ended.IsCompleted));
    }

    [Fact]
    public async Task IsFull_ActiveSessionsAtTheCap_UntilOneEnds()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 1 });
        await RawClient.OpenNoneAsync(server);
        var channel = server.Handler.Channel!;
        Assert.False(server.Context.Registry.IsFull);
        channel.HasActiveSession = true;
        // A renewal does not make it a victim.
        var connection = Assert.Single(server.Context.Registry.Snapshot());
        server.Context.Registry.SetWorking(connection, true);
        server.Context.Registry.SetWorking(connection, false);

        Assert.True(server.Context.Registry.IsFull);
        channel.HasActiveSession = false;
        Assert.False(server.Context.Registry.IsFull);
    }

    /// <summary>Between the choice and the ERR no session can become active: the choice is the end (R06).</summary>
    [Fact]
    public async Task TryAdd_VictimIsChosen_ItsChannelIsNoLongerOpen()
    {
        using var server = new TestServer(new TransportLimits { MaxConnections = 2 });
        var registry = server.Context.Registry;
        var client = await RawClient.OpenNoneAsync(server);
        var channel = server.Handler.Channel!;
        var idle = Assert.Single(registry.Snapshot());
        _ = new RawClient(server);
        var newcomer = registry.Snapshot().Single(connection => connection != idle);
        registry.SetActiveSession(newcomer, true);
        registry.Lower(1);
        Assert.True(channel.IsOpen);

        Assert.Equal(RefusalReason.None, registry.TryAdd(newcomer, out var victim));
        Assert.Same(idle, victim);
        Assert.False(channel.IsOpen);
        channel.HasActiveSession = true;
        Assert.DoesNotContain(idle, registry.Snapshot());
        victim!.Recycle();
        Assert.Equal(StatusCodes.BadTcpServerTooBusy, (await client.ReadErrorAsync()).Code);
        Assert.StartsWith("RetryAfterMs=", client.LastReason, StringComparison.Ordinal);
    }

    [Fact]
    public void Lower_FewDescriptors_TheSmallerCapHolds()
    {
        var registry = new ConnectionRegistry(new TransportLimits { MaxConnections = 100 });
        registry.Lower(200);
        Assert.Equal(100, registry.Limit);
        registry.Lower(50);

        Assert.Equal(50, registry.Limit);
    }

    [Theory]
    [InlineData(false, AdmissionStage.Hello)]
    [InlineData(true, AdmissionStage.Open)]
    public async Task Deadline_PeerSaysNoMore_ShedAsSilent(bool hello, AdmissionStage stage)
    {
        using var server = new TestServer();
        var client = new RawClient(server);
        if (hello)
        {
            await client.SendAsync(Wire.Hello());
            await client.ReadFrameAsync();
        }

        server.Time.Advance(server.Context.Limits.OpenDeadline + TimeSpan.FromSeconds(5));
        Assert.Equal(StatusCodes.BadTimeout, (await client.ReadErrorAsync()).Code);
        await client.Ended.WaitAsync(Patience.Limit);

        Assert.Equal(1, server.Context.Admission.Stages.Shedded(stage, RefusalReason.Silent));
        Assert.Equal(0, server.Context.Admission.Clients.Addresses.Sum(account => account.Connections));
        Assert.Equal(0, server.Context.Admission.Window.Used);
    }

    private static void Activate(TestServer server)
    {
        foreach (var connection in server.Context.Registry.Snapshot())
            server.Context.Registry.SetActiveSession(connection, true);
    }

    private static List<RawClient> Connect(TestServer server, IPAddress from, int count) =>
        [.. Enumerable.Range(0, count).Select(_ => new RawClient(server, from: from))];
}
