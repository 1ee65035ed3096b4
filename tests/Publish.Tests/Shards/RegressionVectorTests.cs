using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Shards;

/// <summary>The field's regression: 50 sessions × 5 subscriptions with exactly five Publish requests a session, 10 ms
/// apart. All are answered, one by each subscription, none starved.</summary>
public sealed class RegressionVectorTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(4)]
    public async Task FiveRequestsForFiveSubscriptions_FiftySessions_AllAreAnswered(int shards)
    {
        await using var plant = new PublishFixture(5, shards: shards);
        var clients = Enumerable.Range(0, 50).Select(_ => plant.OpenClient()).ToArray();
        var subscriptions = clients
            .Select(client => Enumerable.Range(0, 5).Select(_ => client.Subscribe(intervalMs: 1000)).ToArray())
            .ToArray();
        for (var i = 0; i < clients.Length; i++)
        {
            foreach (var subscription in subscriptions[i])
                clients[i].Monitor(subscription, 1);
        }

        for (var request = 0; request < 5; request++)
        {
            foreach (var client in clients)
                client.Publish();
            plant.Advance(10);
        }

        plant.Advance(1000);
        for (var i = 0; i < clients.Length; i++)
        {
            var answers = clients[i].All();
            Assert.Equal(subscriptions[i].Order(), answers.Select(answer => answer.SubscriptionId).Order());
            Assert.All(answers, answer => Assert.Single(answer.Changes));
            Assert.Equal(0, clients[i].Session.HeldPublishRequests);
        }

        Assert.Equal(250, plant.Engine.Counters.Messages);
    }

    [Fact]
    public async Task OneRequestForFiveSubscriptions_AnsweredInTurn_NoneStarves()
    {
        await using var plant = new PublishFixture(5);
        var client = plant.OpenClient();
        var served = Enumerable.Range(0, 5).ToDictionary(_ => client.Subscribe(keepAlive: 1), _ => 0);
        foreach (var subscription in served.Keys)
            client.Monitor(subscription, 1);
        for (var cycle = 0; cycle < 100; cycle++)
        {
            plant.Set(1, cycle);
            plant.Advance(50);
            client.Publish();
            foreach (var answer in client.All())
                served[answer.SubscriptionId]++;
        }

        Assert.True(served.Values.Max() - served.Values.Min() <= 1);
        Assert.True(served.Values.Sum() >= 95);
    }
}
