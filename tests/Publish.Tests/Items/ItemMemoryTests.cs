using Gateway.Codec.Structures;
using Gateway.Publish.Tests.Support;
using Xunit.Abstractions;

namespace Gateway.Publish.Tests.Items;

/// <summary>What an item keeps, in bytes: the figure that capacity is reckoned with. Alone in the process, as the whole
/// heap is measured.</summary>
[Collection(nameof(ItemMemoryTests))]
[CollectionDefinition(nameof(ItemMemoryTests), DisableParallelization = true)]
public sealed class ItemMemoryTests(ITestOutputHelper output)
{
    private const int Items = 20_000;
    private const int PerCall = 1_000;

    [Theory]
    [InlineData("each its own tag, queue of 1", Items, 1u, 0.0, 260)]
    [InlineData("each its own tag, queue of 1, sampled", Items, 1u, 1000.0, 260)]
    [InlineData("all on one tag, queue of 1", 1, 1u, 0.0, 210)]
    [InlineData("all on one tag, queue of 10", 1, 10u, 0.0, 340)]
    public async Task Item_Kept_IsSmall(string what, int tags, uint queueSize, double samplingMs, int bound)
    {
        await using var plant = new PublishFixture(tags);
        for (var i = 1u; i <= tags; i++)
            plant.Set(i, 1);
        var client = plant.OpenClient();
        var subscription = client.Subscribe();
        client.Monitor(subscription, 1);
        var least = long.MaxValue;
        for (var attempt = 0; attempt < 3; attempt++)
        {
            var before = GC.GetTotalMemory(forceFullCollection: true);
            for (var i = 0; i < Items; i += PerCall)
            {
                client.Session.CreateMonitoredItems(new CreateMonitoredItemsRequest
                {
                    SubscriptionId = subscription,
                    ItemsToCreate = [.. Enumerable.Range(i, PerCall).Select(
                        j => TestClient.Item((uint)(j % tags) + 1, queueSize, samplingMs: samplingMs))],
                });
            }

            least = Math.Min(least, GC.GetTotalMemory(forceFullCollection: true) - before);
            client.Delete(subscription);
            subscription = client.Subscribe();
        }

        output.WriteLine($"{what}: {(double)least / Items:F0} bytes an item");
        Assert.InRange(least / Items, 1, bound);
        GC.KeepAlive(plant);
    }
}
