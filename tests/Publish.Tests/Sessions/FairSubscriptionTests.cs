using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Sessions;

/// <summary>Nobody takes all subscriptions, items or queue entries (R46): the last sixth is kept, and subscriptions
/// whose session is gone make room.</summary>
public sealed class FairSubscriptionTests
{
    private static readonly SessionOwner Hoarder = Owner("hoarder");

    [Fact]
    public async Task CreateSubscription_OneClientTakesAllItCan_TheLastSixthIsOthers()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxSubscriptions = 12 });
        var hoarder = plant.OpenClient(Hoarder);
        for (var i = 0; i < 10; i++)
            hoarder.Subscribe();

        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(hoarder).Code);
        // Another user of the same client, another address: the certificate tells.
        var disguised = plant.OpenClient(Hoarder with { UserKey = "other", Address = "192.0.2.99" });
        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(disguised).Code);
        Assert.Equal(2, plant.Engine.Counters.KeptReserves);
        plant.OpenClient(Owner("b")).Subscribe();
        plant.OpenClient(Owner("c")).Subscribe();
        Assert.Equal(12, plant.Engine.Counters.Subscriptions);
    }

    [Fact]
    public async Task CreateSubscription_HoarderHasClosedItsSessions_NewcomersGetRoomAndItsOldestGo()
    {
        await using var plant = new PublishFixture(
            limits: new PublishLimits { MaxSubscriptions = 12, MaxSubscriptionsPerSession = 3 }, shards: 4);
        List<uint> told = [];
        List<uint> heard = [];
        plant.Engine.ListenToEvictions((owner, id) =>
        {
            Assert.Equal(Hoarder, owner);
            told.Add(id);
        });
        plant.Engine.ListenToEvictions((_, id) => heard.Add(id));
        List<uint> hoarded = [];
        while (hoarded.Count < 10)
        {
            var hoarder = plant.OpenClient(Hoarder);
            for (var i = 0; i < 3 && hoarded.Count < 10; i++)
                hoarded.Add(hoarder.Subscribe());
            hoarder.Monitor(hoarded[^1], 1);
            hoarder.Session.Close(deleteSubscriptions: false);
        }

        for (var i = 0; i < 12; i++)
            plant.OpenClient(Owner("n" + i)).Subscribe();

        Assert.Equal(hoarded, told);
        Assert.Equal(hoarded, heard);
        var counters = plant.Engine.Counters;
        Assert.Equal((12, 10L, 0), (counters.Subscriptions, counters.EvictedSubscriptions, counters.MonitoredItems));
        Assert.Equal(0, counters.QueueCapacity);
        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(plant.OpenClient(Owner("late"))).Code);
        Assert.Equal((13, 13, 13), Holders(plant));
    }

    [Fact]
    public async Task CreateSubscription_HoarderComesBack_ItsOwnMakeRoomInTheReserve()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxSubscriptions = 12 });
        var other = plant.OpenClient(Owner("other"));
        other.Subscribe();
        var left = other.Subscribe();
        var hoarder = plant.OpenClient(Hoarder);
        for (var i = 0; i < 8; i++)
            hoarder.Subscribe();
        var third = plant.OpenClient(Owner("third"));
        third.Subscribe();
        hoarder.Session.Close(deleteSubscriptions: false);
        other.Session.Close(deleteSubscriptions: false);

        var back = plant.OpenClient(Hoarder);
        for (var i = 0; i < 8; i++)
            back.Subscribe();

        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(back).Code);
        Assert.Equal((11, 8L), (plant.Engine.Counters.Subscriptions, plant.Engine.Counters.EvictedSubscriptions));
        Assert.NotNull(plant.Engine.Subscriptions.Find(left));
    }

    [Fact]
    public async Task CreateSubscription_NewcomerHoldsAsMuch_NothingIsEvicted()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxSubscriptions = 2 });
        var gone = plant.OpenClient(Owner("gone"));
        gone.Subscribe();
        gone.Session.Close(deleteSubscriptions: false);
        var client = plant.OpenClient(Owner("client"));
        client.Subscribe();
        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(client).Code);
        plant.OpenClient(Owner("newcomer")).Subscribe();
        Assert.Equal(1, plant.Engine.Counters.EvictedSubscriptions);
    }

    [Fact]
    public async Task Transfer_OutOfAClosedSession_IsNoVictimAndCountsForItsNewHolders()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxSubscriptions = 4 }, shards: 2);
        var gone = plant.OpenClient(Hoarder with { UserKey = "alice", IsAnonymous = false });
        List<uint> left = [gone.Subscribe(), gone.Subscribe(), gone.Subscribe()];
        gone.Monitor(left[0], 1);
        gone.Session.Close(deleteSubscriptions: false);
        var heir = plant.OpenClient(Owner("heir") with { UserKey = "alice", IsAnonymous = false });
        var moved = heir.Session.TransferSubscriptions(
            new TransferSubscriptionsRequest { SubscriptionIds = [left[0]] });
        Assert.True(moved.Results![0].StatusCode.IsGood);
        Assert.Equal((1, 1), (heir.Session.Holders.Certificate!.Subscriptions, heir.Session.Holders.Address!.Items));
        Assert.Equal((2, 0), (gone.Session.Holders.Certificate!.Subscriptions, gone.Session.Holders.Address!.Items));

        plant.OpenClient(Owner("a")).Subscribe();
        plant.OpenClient(Owner("b")).Subscribe();
        plant.OpenClient(Owner("c")).Subscribe();

        Assert.Equal(StatusCodes.BadTooManySubscriptions, TrySubscribe(plant.OpenClient(Owner("d"))).Code);
        Assert.NotNull(plant.Engine.Subscriptions.Find(left[0]));
        Assert.Equal(2, plant.Engine.Counters.EvictedSubscriptions);
    }

    [Fact]
    public async Task CreateMonitoredItems_HoardedAndDetached_OthersHaveAReserveAndThenEvict()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxMonitoredItems = 12 });
        var empty = plant.OpenClient(Owner("empty"));
        for (var i = 0; i < 5; i++)
            empty.Subscribe();
        empty.Session.Close(deleteSubscriptions: false);
        var hoarder = plant.OpenClient(Hoarder);
        var (first, second) = (hoarder.Subscribe(), hoarder.Subscribe());
        for (var i = 0; i < 10; i++)
            Assert.Equal(0u, Status(hoarder, i < 4 ? first : second));
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, Status(hoarder, second));
        hoarder.Session.Close(deleteSubscriptions: false);

        var newcomer = plant.OpenClient(Owner("newcomer"));
        var subscription = newcomer.Subscribe();
        for (var i = 0; i < 4; i++)
            Assert.Equal(0u, Status(newcomer, subscription));

        // It holds more than a sixth by now, and the hoarder's second subscription is there still.
        Assert.Equal(StatusCodes.BadTooManyMonitoredItems, Status(newcomer, subscription));
        Assert.Equal((10, 1L), (plant.Engine.Counters.MonitoredItems, plant.Engine.Counters.EvictedSubscriptions));
        Assert.Null(plant.Engine.Subscriptions.Find(first));
        Assert.NotNull(plant.Engine.Subscriptions.Find(second));
    }

    [Fact]
    public async Task QueueSizes_HoardedAndDetached_OthersHaveAReserveAndThenEvict()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits { MaxQueuedValues = 120 });
        var hoarder = plant.OpenClient(Hoarder);
        var hoarded = hoarder.Subscribe();
        Assert.Equal(100u, QueueOf(hoarder, hoarded, 100));
        Assert.Equal(1u, QueueOf(hoarder, hoarded, 10));
        hoarder.Session.Close(deleteSubscriptions: false);

        var newcomer = plant.OpenClient(Owner("newcomer"));
        var subscription = newcomer.Subscribe();
        Assert.Equal(19u, QueueOf(newcomer, subscription, 19));
        var other = plant.OpenClient(Owner("other"));
        Assert.Equal(15u, QueueOf(other, other.Subscribe(), 15));

        Assert.Equal(1, plant.Engine.Counters.EvictedSubscriptions);
        Assert.Equal(34, plant.Engine.Counters.QueueCapacity);
    }

    [Theory]
    [InlineData("c", "x", true)]
    [InlineData("x", "a", true)]
    [InlineData("x", "x", false)]
    public async Task Caps_OfCertificateAndAddress_RefuseAndRevise(string certificate, string address, bool isFull)
    {
        var limits = new PublishLimits
        {
            MaxSubscriptionsPerCertificate = 2,
            MaxSubscriptionsPerAddress = 2,
            MaxMonitoredItemsPerCertificate = 2,
            MaxMonitoredItemsPerAddress = 2,
            MaxQueuedValuesPerCertificate = 20,
            MaxQueuedValuesPerAddress = 20,
        };
        await using var plant = new PublishFixture(limits: limits);
        var first = plant.OpenClient(Owner("first") with { Certificate = "c", Address = "a" });
        var subscription = first.Subscribe();
        Assert.Equal(20u, QueueOf(first, subscription, 20));
        var second = plant.OpenClient(Owner("second") with { Certificate = certificate, Address = address });
        var other = second.Subscribe();

        Assert.Equal(isFull ? StatusCodes.BadTooManySubscriptions : 0u, TrySubscribe(second).Code);
        Assert.Equal(isFull ? 1u : 20u, QueueOf(second, other, 20));
        Assert.Equal(isFull ? StatusCodes.BadTooManyMonitoredItems : 0u, Status(second, other));
    }

    private static (int Users, int Certificates, int Addresses) Holders(PublishFixture plant) =>
        (plant.Engine.Quotas.Users.Count, plant.Engine.Quotas.Certificates.Count, plant.Engine.Quotas.Addresses.Count);

    private static SessionOwner Owner(string name) =>
        new("user " + name, true, "urn:a", true) { Certificate = "certificate " + name, Address = "address " + name };

    private static uint QueueOf(TestClient client, uint subscription, uint size) =>
        client.TryMonitor(subscription, TestClient.Item(1, queueSize: size)).RevisedQueueSize;

    private static uint Status(TestClient client, uint subscription) =>
        client.TryMonitor(subscription, TestClient.Item(3)).StatusCode.Code;

    private static StatusCode TrySubscribe(TestClient client) => client.Session
        .CreateSubscription(new CreateSubscriptionRequest { RequestedPublishingInterval = 100 })
        .ResponseHeader.ServiceResult;
}
