using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Durable;

/// <summary>Whatever happened to a durable subscription: what a save has written is what the subscription was at that
/// moment.</summary>
public sealed class DurableModelTests
{
    private static readonly PublishLimits Limits = PublishLimits.Default with
    {
        MaxDurableBytesPerSubscription = 6_000,
        MaxRetransmissionMessages = 4,
        MaxPublishRequestsPerSession = 4,
    };

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    public async Task Save_BehindRandomCalls_NextProcessIsTheSame(int seed)
    {
        var random = new Random(seed);
        await using var durable = new DurablePlant(limits: Limits);
        var client = durable.Plant.OpenClient(DurablePlant.Alice);
        var subscription = durable.Subscribe(client);
        var items = new List<uint>();
        for (var step = 0; step < 600; step++)
        {
            Act(random, durable, client, subscription, items);
            if (random.Next(4) != 0)
                continue;
            durable.Saver.Save();
            if (random.Next(4) != 0)
                continue;
            await using var next = durable.Next();
            Assert.Equal(durable.Describe(subscription), next.Describe(subscription));
            Assert.Equal((durable.Book.Bytes, durable.Book.Items), (next.Book.Bytes, next.Book.Items));
        }
    }

    private static void Act(
        Random random, DurablePlant durable, TestClient client, uint subscription, List<uint> items)
    {
        switch (random.Next(12))
        {
            case 0 when items.Count < 8:
                items.Add(client.Monitor(
                    subscription, (uint)random.Next(1, 11), queueSize: (uint)random.Next(1, 12),
                    discardOldest: random.Next(2) == 0, samplingMs: 50 * random.Next(4)));
                break;
            case 1 when items.Count > 0:
                var gone = items[random.Next(items.Count)];
                items.Remove(gone);
                Assert.Equal(StatusCode.Good, client.DeleteItem(subscription, gone));
                break;
            case 2 when items.Count > 0:
                Modify(random, client, subscription, items[random.Next(items.Count)]);
                break;
            case 3 when items.Count > 0:
                client.Session.SetMonitoringMode(new SetMonitoringModeRequest
                {
                    SubscriptionId = subscription,
                    MonitoringMode = (MonitoringMode)random.Next(3),
                    MonitoredItemIds = [items[random.Next(items.Count)]],
                });
                break;
            case 4 when items.Count > 1:
                client.Session.SetTriggering(new SetTriggeringRequest
                {
                    SubscriptionId = subscription,
                    TriggeringItemId = items[0],
                    LinksToAdd = [items[^1]],
                });
                break;
            case 5:
                client.TryPublish(0, (subscription, (uint)random.Next(1, 20)));
                durable.Plant.Advance(100);
                client.All();
                break;
            case 6:
                client.SetPublishing(subscription, random.Next(3) != 0);
                break;
            default:
                for (var i = 0; i < 5; i++)
                    durable.Plant.Set((uint)random.Next(1, 11), random.Next(4));
                durable.Plant.Advance(random.Next(60));
                break;
        }
    }

    private static void Modify(Random random, TestClient client, uint subscription, uint item) =>
        client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToModify =
            [
                new MonitoredItemModifyRequest
                {
                    MonitoredItemId = item,
                    RequestedParameters = new MonitoringParameters
                    {
                        ClientHandle = (uint)random.Next(100),
                        QueueSize = (uint)random.Next(1, 12),
                        DiscardOldest = random.Next(2) == 0,
                        SamplingInterval = 50 * random.Next(4),
                    },
                },
            ],
        });
}
