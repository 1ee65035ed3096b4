using Gateway.Codec.Structures;
using Gateway.Publish.Quotas;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Model;

/// <summary>Whatever the order of creating, changing, deleting, detaching, transferring and evicting: what counts for a
/// session, a user, a certificate, an address and the server is what is there. Nothing is left in the end.</summary>
public sealed class QuotaModelTests
{
    private static readonly PublishLimits Limits = new()
    {
        MaxSubscriptions = 24,
        MaxSubscriptionsPerUser = 16,
        MaxSubscriptionsPerCertificate = 18,
        MaxSubscriptionsPerAddress = 20,
        MaxSubscriptionsPerSession = 6,
        MaxMonitoredItems = 60,
        MaxMonitoredItemsPerUser = 40,
        MaxMonitoredItemsPerCertificate = 45,
        MaxQueuedValues = 240,
        MaxQueuedValuesPerCertificate = 180,
        MaxQueuedValuesPerSession = 100,
    };

    private readonly List<TestClient> _clients = [];
    private readonly List<TestClient> _closed = [];
    private readonly List<(uint Subscription, uint Item)> _items = [];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public async Task AnyOrder_SumsAreExact(int seed)
    {
        var random = new Random(seed);
        await using var plant = new PublishFixture(limits: Limits, shards: 3);
        for (var i = 0; i < 3_000; i++)
        {
            Step(plant, random);
            AssertExact(plant);
        }

        Assert.True(plant.Engine.Counters.EvictedSubscriptions > 0, "nothing was evicted");
        Assert.True(plant.Engine.Counters.KeptReserves > 0, "no reserve was kept");
        foreach (var client in _clients)
            client.Session.Close(deleteSubscriptions: true);
        plant.Advance(20_000);
        var quotas = plant.Engine.Quotas;
        Assert.Equal(default, plant.Engine.Counters.Server.Amount);
        Assert.Equal(
            (0, 0, 0, 0),
            (quotas.Users.Count, quotas.Certificates.Count, quotas.Addresses.Count, quotas.Detached.Count));
    }

    private void Step(PublishFixture plant, Random random)
    {
        if (_clients.Count == 0 || (_clients.Count < 12 && random.Next(12) == 0))
            _clients.Add(plant.OpenClient(NewOwner(random)));
        var client = _clients[random.Next(_clients.Count)];
        var own = client.Session.Subscriptions.ToArray();
        var subscription = own.Length == 0 ? 0 : own[random.Next(own.Length)].Id;
        var queueSize = (uint)random.Next(1, 12);
        switch (random.Next(12))
        {
            case 0 or 1 or 2:
                client.Session.CreateSubscription(new CreateSubscriptionRequest { RequestedPublishingInterval = 100 });
                break;
            case 3 or 4 or 5 when subscription != 0:
                var created = client.TryMonitor(subscription, TestClient.Item(1, queueSize));
                if (created.StatusCode.IsGood)
                    _items.Add((subscription, created.MonitoredItemId));
                break;
            case 6 when _items.Count > 0:
                var (of, item) = _items[random.Next(_items.Count)];
                client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
                {
                    SubscriptionId = of,
                    TimestampsToReturn = TimestampsToReturn.Both,
                    ItemsToModify =
                    [
                        new MonitoredItemModifyRequest
                        {
                            MonitoredItemId = item,
                            RequestedParameters = new MonitoringParameters { QueueSize = queueSize },
                        },
                    ],
                });
                break;
            case 7 when _items.Count > 0:
                var (gone, goneItem) = _items[random.Next(_items.Count)];
                client.Session.DeleteMonitoredItems(
                    new DeleteMonitoredItemsRequest { SubscriptionId = gone, MonitoredItemIds = [goneItem] });
                break;
            case 8:
                client.Session.DeleteSubscriptions(new DeleteSubscriptionsRequest { SubscriptionIds = [subscription] });
                break;
            case 9:
                Transfer(plant, client, random);
                break;
            case 10:
                client.Session.ChangeUser(client, NewOwner(random) with
                {
                    Certificate = client.Session.Owner.Certificate,
                    Address = client.Session.Owner.Address,
                });
                break;
            case 11 when random.Next(3) == 0:
                client.Session.Close(deleteSubscriptions: random.Next(4) == 0);
                _clients.Remove(client);
                _closed.Add(client);
                break;
        }
    }

    private static void Transfer(PublishFixture plant, TestClient to, Random random)
    {
        List<uint> ids = [];
        foreach (var (id, _) in plant.Engine.Subscriptions)
            ids.Add(id);
        if (ids.Count > 0)
            to.Session.TransferSubscriptions(
                new TransferSubscriptionsRequest { SubscriptionIds = [ids[random.Next(ids.Count)]] });
    }

    private void AssertExact(PublishFixture plant)
    {
        var all = default(Amount);
        var expected = new Dictionary<Usage, Amount>();
        var detached = 0;
        foreach (var (_, subscription) in plant.Engine.Subscriptions)
        {
            var amount = new Amount(1, subscription.Items.Count, subscription.QueueCapacity);
            all += amount;
            var holders = subscription.Consumer.Holders;
            foreach (var holder in new[] { holders.Session, holders.User, holders.Certificate!, holders.Address! })
                expected[holder] = expected.GetValueOrDefault(holder) + amount;
            detached += subscription.Consumer.IsClosed ? 1 : 0;
        }

        Assert.Equal(all, plant.Engine.Counters.Server.Amount);
        Assert.InRange(all.Subscriptions, 0, Limits.MaxSubscriptions);
        Assert.InRange(all.Items, 0, Limits.MaxMonitoredItems);
        Assert.Equal(detached, plant.Engine.Quotas.Detached.Count);
        foreach (var client in _clients.Concat(_closed))
        {
            var holders = client.Session.Holders;
            Assert.Equal(expected.GetValueOrDefault(holders.Session), holders.Session.Amount);
            if (client.Session.IsClosed)
                continue;
            Assert.Equal(expected.GetValueOrDefault(holders.User), holders.User.Amount);
            Assert.Equal(expected.GetValueOrDefault(holders.Certificate!), holders.Certificate!.Amount);
            Assert.Equal(expected.GetValueOrDefault(holders.Address!), holders.Address!.Amount);
        }
    }

    private static SessionOwner NewOwner(Random random) => new($"u{random.Next(4)}", true, "urn:a", true)
    {
        Certificate = $"c{random.Next(4)}",
        Address = $"a{random.Next(4)}",
    };
}
