using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>The cost of an alarm does not grow with those who watch it, but for the copy into each message.</summary>
public sealed class ManySubscribersTests : RefreshTest
{
    private const int Sessions = 100;
    private const int Subscriptions = 100;

    [Fact]
    public void Report_TenThousandSubscribers_OneBuildOneEncodingAndEachGetsIt()
    {
        var clients = Enumerable.Range(0, Sessions).Select(_ => _plant.OpenClient(Alice)).ToArray();
        foreach (var client in clients)
        {
            for (var i = 0; i < Subscriptions; i++)
                Watch(client, client.Subscribe());
        }

        // The first, empty message of each.
        Publish(clients);
        var (encoded, built) = (_plant.Store.EncodedValues, _plant.Engine.Conditions.Built);

        Report(1);

        Assert.Equal(Sessions * Subscriptions, Publish(clients).Count(static name => name == "1"));
        Assert.Equal(1, _plant.Store.EncodedValues - encoded);
        Assert.Equal(1, _plant.Engine.Conditions.Built - built);
    }

    private List<string> Publish(TestClient[] clients)
    {
        foreach (var client in clients)
        {
            client.All();
            for (var i = 0; i < Subscriptions; i++)
                client.Publish();
        }

        _plant.Advance(200);
        return [.. clients.SelectMany(static client => Names(client.All()))];
    }
}
