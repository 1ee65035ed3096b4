using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Subscriptions;

/// <summary>A large subscription is gone at once; its items leave in slices of the shard's lock and count until then
/// (R43, R44).</summary>
public sealed class LeavingTests
{
    private const int Items = 5000;

    [Fact]
    public async Task Delete_LargeSubscription_ItemsLeaveInSlices()
    {
        await using var fixture = new PublishFixture();
        var client = fixture.OpenClient();
        var large = Fill(client, Items);
        var small = Fill(client, 100);

        Assert.Equal(StatusCode.Good, Delete(client, large));
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, Delete(client, large).CodeBits);
        Assert.Equal(1, client.Session.SubscriptionCount);
        Assert.Equal(Items + 100, client.Session.MonitoredItemCount);
        fixture.Engine.Shards[0].RunOnce();
        Assert.InRange(client.Session.MonitoredItemCount, 101, Items + 99);

        fixture.Set(1, 7);
        fixture.Advance(200);
        Assert.Equal(100, client.Session.MonitoredItemCount);
        Assert.Equal(StatusCode.Good, Delete(client, small));
        Assert.Equal(0, client.Session.MonitoredItemCount);
        Assert.Equal(0, fixture.Engine.Shards[0].Changes.Book.Nodes);
    }

    [Fact]
    public async Task Close_ManyLargeSubscriptions_NothingIsLeftOfThem()
    {
        await using var fixture = new PublishFixture();
        var client = fixture.OpenClient();
        for (var i = 0; i < 5; i++)
            Fill(client, 1000);

        client.Session.Close(deleteSubscriptions: true);
        Assert.Equal(0, client.Session.SubscriptionCount);
        fixture.Set(1, 7);
        fixture.Advance(200);

        Assert.Equal(0, client.Session.MonitoredItemCount);
        Assert.Equal(0, fixture.Engine.Counters.Server.Items);
        Assert.Equal(0, fixture.Engine.Counters.Server.QueuedValues);
        Assert.Equal(0, fixture.Engine.Shards[0].Changes.Book.Nodes);
    }

    [Fact]
    public async Task SetTriggering_ManyItemsTriggerOne_AtMostTheLimit()
    {
        await using var fixture = new PublishFixture(limits: new PublishLimits { MaxTriggeredItemsPerItem = 3 });
        var client = fixture.OpenClient();
        var subscription = Fill(client, 6);
        var results = Enumerable.Range(2, 5).Select(triggering => client.Session.SetTriggering(
            new SetTriggeringRequest
            {
                SubscriptionId = subscription,
                TriggeringItemId = (uint)triggering,
                LinksToAdd = [1],
            }).AddResults![0].CodeBits);

        Assert.Equal(
            [0u, 0u, 0u, StatusCodes.BadTooManyMonitoredItems, StatusCodes.BadTooManyMonitoredItems], results);
    }

    private static StatusCode Delete(TestClient client, uint subscription) => client.Session.DeleteSubscriptions(
        new DeleteSubscriptionsRequest { SubscriptionIds = [subscription] }).Results![0];

    private static uint Fill(TestClient client, int items)
    {
        var subscription = client.Subscribe();
        var response = client.Session.CreateMonitoredItems(new CreateMonitoredItemsRequest
        {
            SubscriptionId = subscription,
            TimestampsToReturn = TimestampsToReturn.Both,
            ItemsToCreate = [.. Enumerable.Range(0, items).Select(i => TestClient.Item((uint)(1 + (i % 10))))],
        });
        Assert.All(response.Results!, result => Assert.Equal(StatusCode.Good, result.StatusCode));
        return subscription;
    }
}
