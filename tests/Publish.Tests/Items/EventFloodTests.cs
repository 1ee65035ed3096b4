using Gateway.Codec.Types;
using Gateway.Events.Model;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Clients that never take their events, in a flood of them: what they hold is bounded, they are told what
/// they have lost once they are back, and the others get all. Their sockets are the transport's: it ends a connection
/// that does not read (R10).</summary>
public sealed class EventFloodTests : RefreshTest
{
    private const int Rounds = 10, EventsOfARound = 500, QueueSize = 1_000, All = Rounds * EventsOfARound;

    /// <summary>Of the tags, the notices, and messages on their way.</summary>
    private const int Others = 100;

    private static readonly SessionOwner Mallory = new("UserName:mallory", false, "urn:m", true);

    private readonly List<string> _told = [];
    private int _raised;

    [Fact]
    public void Flood_ClientNeverPublishes_KeepsTheNewestAndIsToldOnceItDoes()
    {
        Watch(_client, _subscription);
        var idle = OpenWith(queueSize: uint.MaxValue);

        for (var round = 0; round < Rounds; round++)
            Flood();

        AssertOthersHaveAll();
        Assert.InRange(_plant.Store.OutstandingValues, QueueSize, QueueSize + Others);
        Assert.Equal(0, idle.Sends);
        Assert.Equal(["overflow", .. Newest], Told(idle));
        Assert.InRange(_plant.Store.OutstandingValues, 0, Others);
    }

    /// <summary>Its requests are answered as long as the connection takes messages, then the connection is ended.
    /// </summary>
    [Fact]
    public void Flood_ClientPublishesAndNeverReads_KeepsTheNewestAndIsToldByItsNextConnection()
    {
        Watch(_client, _subscription);
        var stuck = OpenWith(queueSize: uint.MaxValue);
        var subscription = stuck.Session.Subscriptions[0];
        for (var i = 0; i < 3; i++)
            stuck.Publish();

        for (var round = 0; round < Rounds; round++)
        {
            stuck.IsOpen = round < 2;
            Flood();
        }

        AssertOthersHaveAll();
        Assert.InRange(_plant.Store.OutstandingValues, QueueSize, QueueSize + Others);
        var back = _plant.OpenClient(Mallory);
        var transfer = back.Transfer(subscription.Id);
        Assert.Equal(StatusCode.Good, transfer.StatusCode);
        Assert.InRange(transfer.AvailableSequenceNumbers!.Length, 1, 3);
        Assert.Equal(["overflow", .. Newest], Told(back));
    }

    private static IEnumerable<string> Newest => Enumerable.Range(All - QueueSize + 1, QueueSize).Select(Name);

    private TestClient OpenWith(uint queueSize)
    {
        var client = _plant.OpenClient(Mallory);
        Watch(client, client.Subscribe(), queueSize: queueSize);
        return client;
    }

    private void Flood()
    {
        var hub = _plant.Engine.Events;
        for (var i = 0; i < EventsOfARound; i++)
            hub.Raise(hub.Maker.Make(StandardEvents.SystemEvent, default, Name(++_raised), "words", 500));
        _told.AddRange(Told(_client, milliseconds: 100));
    }

    private void AssertOthersHaveAll()
    {
        Assert.Equal(Enumerable.Range(1, All).Select(Name), _told);
        Assert.Equal(0, _plant.Engine.Events.Lost);
    }

    private static string Name(int number) => $"{number}";
}
