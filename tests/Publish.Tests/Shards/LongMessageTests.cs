using System.Diagnostics.Metrics;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Subscriptions;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Shards;

/// <summary>Sessions with much to send wait behind those that are due, each message in its turn.</summary>
public sealed class LongMessageTests : IAsyncLifetime, IAsyncDisposable
{
    /// <summary>Of a message: 200 KB, more than the line sends in one turn.</summary>
    private const int PerMessage = 200;

    private const uint DueTag = 20;

    private static readonly SessionOwner Alice = new("UserName:alice", false, "urn:client", true);

    private readonly PublishFixture _plant = new(20, new PublishLimits { MinSubscriptionLifetimeMs = 0 });
    private readonly List<string> _sent = [];

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Sweep_OthersHaveABacklog_TheDueOneLeavesFirstAndTheBacklogInTurns()
    {
        // The wheel gives those of one moment out last first.
        var b = Backlog("b", 2, messages: 2);
        var a = Backlog("a", 1, messages: 2);
        var (due, _) = Subscribe("due", DueTag);
        _plant.Set(DueTag, 1);

        Turn(100);
        Assert.Equal("due a", Sent());
        _plant.Set(DueTag, 2);
        Turn(100);
        Assert.Equal("due b", Sent());
        Turn(0);
        Turn(0);
        Assert.Equal("a b", Sent());

        Assert.Equal(Numbers(0, 2 * PerMessage), Values(a, expectedMessages: 2));
        Assert.Equal(Numbers(0, 2 * PerMessage), Values(b, expectedMessages: 2));
        Assert.Equal(2, due.All().Count);
        Assert.Equal("", Sent());
    }

    [Fact]
    public void Sweep_AlwaysSomebodyDue_TheLineGoesOn()
    {
        var client = Backlog("a", 1, messages: 4);
        var (due, _) = Subscribe("due", DueTag);
        for (var turn = 1; turn <= 4; turn++)
        {
            _plant.Set(DueTag, turn);
            due.Publish();
            Turn(100);
            Assert.Equal("due a", Sent());
        }

        Assert.Equal(Numbers(0, 4 * PerMessage), Values(client, expectedMessages: 4));
    }

    [Fact]
    public void Publish_ForALongMessage_IsAnsweredByTheLoop()
    {
        var client = Backlog("a", 1, messages: 3, requests: 1);
        Turn(100);
        Assert.Equal("a", Sent());
        client.Publish();
        Assert.Equal("", Sent());
        Turn(0);
        Assert.Equal("a", Sent());
        // A session whose requests are all used up has left the line: there is nothing to wait for.
        Assert.True(_plant.Engine.Shards[0].RunOnce() > 0);
        client.Publish();
        Turn(0);

        Assert.Equal(Numbers(0, 3 * PerMessage), Values(client, expectedMessages: 3));
    }

    [Fact]
    public void Tick_InLine_IsNeitherLateNorOver()
    {
        var clients = Enumerable.Range(1, 12).Reverse()
            .Select(i => Backlog($"{i}", (uint)i, messages: 1, lifetime: 3)).ToArray().Reverse().ToArray();
        for (var turn = 1; turn <= clients.Length; turn++)
        {
            Turn(100);
            // Keep-alives of those that have had all come before it.
            Assert.Equal($"{turn}", Sent().Split(' ')[^1]);
            Assert.All(clients.Skip(turn), static one =>
                Assert.Equal(SubscriptionState.Normal, Assert.Single(one.Session.Subscriptions).State));
        }

        Assert.All(clients, static one => Assert.Equal(PerMessage, one.Next().Changes.Length));
        Assert.Equal(0, _plant.Engine.Counters.ExpiredSubscriptions);
    }

    [Fact]
    public void Close_InLine_AnswersAndLeavesIt()
    {
        var gone = Backlog("gone", 2, messages: 1, requests: 1);
        var first = Backlog("first", 1, messages: 1);
        Turn(100);
        Assert.Equal("first", Sent());
        Assert.True(gone.Session.IsInLine);
        gone.Session.Close(deleteSubscriptions: true);
        Assert.Equal(StatusCodes.BadSessionClosed, gone.Next().Fault.Code);
        Turn(0);
        Turn(0);
        Assert.Equal(0, gone.Pending);
        Assert.False(gone.Session.IsInLine);
        Assert.Equal(Numbers(0, PerMessage), Values(first, expectedMessages: 1));
    }

    [Fact]
    public void Sweep_SessionInLineHasAShortMessageToo_EqualsComeInTurn()
    {
        var client = Backlog("a", 1, messages: 3);
        var other = client.Subscribe();
        client.Monitor(other, DueTag);
        Backlog("b", 2, messages: 1);
        for (var cycle = 1; cycle <= 2; cycle++)
        {
            _plant.Set(DueTag, cycle);
            Turn(100);
            for (var turn = 0; turn < 4; turn++)
                Turn(0);
        }

        var messages = client.All().Select(static one => one.Response!).ToArray();
        Assert.Equal([1u, 2u], messages.Where(one => one.SubscriptionId == other)
            .Select(static one => one.NotificationMessage.SequenceNumber));
        Assert.Equal([1u, 2u, 3u], messages.Where(one => one.SubscriptionId != other)
            .Select(static one => one.NotificationMessage.SequenceNumber));
    }

    [Fact]
    public void Turn_ShortOnesAreReadyBesideTheLongOne_TheyGoWithIt()
    {
        var client = Backlog("a", 1, messages: 1);
        var value = client.Subscribe();
        client.Monitor(value, DueTag);
        var keepAlive = client.Subscribe();
        Turn(100);

        Assert.Equal("a a a", Sent());
        Assert.Equal([value - 1, value, keepAlive], client.All().Select(static one => one.SubscriptionId));
        Assert.False(client.Session.IsInLine);
    }

    [Fact]
    public void Publish_LoopSleeps_IsWokenForALongMessage()
    {
        var client = Backlog("a", 1, messages: 2, requests: 1);
        Turn(100);
        Assert.Equal("a", Sent());
        var shard = _plant.Engine.Shards[0];
        var wait = shard.RunOnce();
        while (shard.Sleep(0))
        {
            // It has rung for the items above.
        }

        client.Publish();
        Assert.True(shard.Sleep(wait));
        shard.RunOnce();
        Assert.Equal("a", Sent());
    }

    [Fact]
    public void Turn_AfterAWait_CountsItApartFromLateness()
    {
        List<double> waits = [];
        using var listener = new MeterListener();
        listener.InstrumentPublished = static (instrument, listener) =>
        {
            if (instrument.Name == "gateway_publish_line_wait_seconds")
                listener.EnableMeasurementEvents(instrument);
        };
        // The shards of other tests run on other threads.
        var thread = Environment.CurrentManagedThreadId;
        listener.SetMeasurementEventCallback<double>((_, seconds, _, _) =>
        {
            if (Environment.CurrentManagedThreadId == thread)
                waits.Add(seconds);
        });
        listener.Start();
        Backlog("b", 2, messages: 1);
        Backlog("a", 1, messages: 1);
        Turn(100);
        Assert.Equal("a", Sent());
        Assert.Equal([0], waits);
        Turn(50);
        Assert.Equal("b", Sent());
        Assert.Equal([0, 0.05], waits);
        Assert.Equal(TimeSpan.Zero, _plant.Engine.Counters.TakeWorstLateness());
    }

    [Fact]
    public void Turn_ManyWithNothingToSendAnyMore_TakesSomeOfThem()
    {
        var clients = Enumerable.Range(1, 20)
            .Select(i => Backlog($"{i}", (uint)i, messages: 1)).ToArray();
        Turn(100);
        Assert.Equal("20", Sent());
        foreach (var client in clients)
            client.Session.Close(deleteSubscriptions: true);
        Sent();
        Turn(0);
        Assert.Equal(3, clients.Count(static one => one.Session.IsInLine));
        Turn(0);
        Assert.DoesNotContain(clients, static one => one.Session.IsInLine);
        Assert.Equal("", Sent());
    }

    [Fact]
    public void TimeoutHint_ExpiresInLine_IsAnsweredAndTheMessageGoesWithTheNextRequest()
    {
        var client = Backlog("b", 2, messages: 1, requests: 0);
        Backlog("a", 1, messages: 1);
        client.TryPublish(150);
        Turn(100);
        Assert.Equal("a", Sent());
        Assert.True(client.Session.IsInLine);
        Turn(50);
        Assert.Equal(StatusCodes.BadTimeout, client.Next().Fault.Code);
        Assert.Equal((false, 0), (client.Session.IsInLine, client.Pending));

        client.Publish();
        Turn(0);
        Assert.Equal(Numbers(0, PerMessage), Values(client, expectedMessages: 1));
    }

    /// <summary>Between the sweep of those that are due and its turn.</summary>
    [Fact]
    public void TimeoutHint_ExpiresAtItsTurn_TheMessageGoesInTheSameTurn()
    {
        var client = Backlog("b", 2, messages: 1, requests: 0);
        client.TryPublish(150);
        client.Publish();
        var due = Subscribe("due", DueTag).Client;
        due.Sending = () => _plant.Time.Advance(TimeSpan.FromMilliseconds(50));
        Turn(100);
        Assert.Equal(StatusCodes.BadTimeout, client.Next().Fault.Code);
        Assert.Equal(Numbers(0, PerMessage), Values(client, expectedMessages: 1));
    }

    [Fact]
    public void Transfer_SessionIsInLine_TheHeirGetsTheMessageAndTheOldOneIsToldAtOnce()
    {
        var old = Backlog("b", 2, messages: 2, requests: 2);
        Backlog("a", 1, messages: 1);
        Turn(100);
        Assert.Equal("a", Sent());
        Assert.True(old.Session.IsInLine);
        var heir = _plant.OpenClient(Alice);
        var subscription = Assert.Single(old.Session.Subscriptions).Id;
        Assert.Equal(StatusCode.Good, heir.Transfer(subscription).StatusCode);
        Assert.Equal(StatusCodes.GoodSubscriptionTransferred, old.Next().StatusChange!.Value.Code);
        Assert.Equal(StatusCodes.BadNoSubscription, old.Next().Fault.Code);

        heir.Publish();
        heir.Publish();
        for (var turn = 0; turn < 3; turn++)
            Turn(0);
        Assert.Equal(Numbers(0, 2 * PerMessage), Values(heir, expectedMessages: 2));
        Assert.Equal((false, 0), (old.Session.IsInLine, old.Pending));
    }

    [Fact]
    public void StatusChange_SessionIsInLine_GoesAhead()
    {
        var client = Backlog("b", 2, messages: 1);
        var other = client.Subscribe(intervalMs: 10_000);
        Backlog("a", 1, messages: 1);
        Turn(100);
        Assert.True(client.Session.IsInLine);
        _plant.OpenClient(Alice).Transfer(other);
        var told = client.Next();
        Assert.Equal(
            (other, StatusCodes.GoodSubscriptionTransferred), (told.SubscriptionId, told.StatusChange!.Value.Code));
        Assert.Equal((true, 0), (client.Session.IsInLine, client.Pending));
        Turn(0);
        Assert.Equal(Numbers(0, PerMessage), Values(client, expectedMessages: 1));
    }

    [Fact]
    public void Send_FaultInTurn_EndsThatSessionAndTheLineGoesOn()
    {
        var next = Backlog("b", 2, messages: 1);
        var broken = Backlog("a", 1, messages: 1);
        broken.SendFault = new InvalidOperationException("Of the test.");
        Turn(100);
        Turn(0);
        Assert.Equal(0, broken.Session.SubscriptionCount);
        Assert.Equal(Numbers(0, PerMessage), Values(next, expectedMessages: 1));
    }

    private static IEnumerable<int> Numbers(int start, int count) => Enumerable.Range(start, count);

    /// <summary>All that it was sent, each message behind the other.</summary>
    private static List<int> Values(TestClient client, int expectedMessages)
    {
        var messages = client.All().Where(static one => one.Response is not null)
            .Select(static one => one.Response!).ToArray();
        Assert.Equal(
            Enumerable.Range(1, expectedMessages).Select(static one => (uint)one),
            messages.Select(static one => one.NotificationMessage.SequenceNumber));
        Assert.Equal(
            Enumerable.Range(1, expectedMessages).Select(one => one < expectedMessages),
            messages.Select(static one => one.MoreNotifications));
        return
        [
            .. messages.SelectMany(static one => one.NotificationMessage.NotificationData!)
                .SelectMany(static one => ((DataChangeNotification)one.Body!).MonitoredItems!)
                .Select(static one => int.Parse(one.Value.Value.AsString()!.AsSpan(0, 8))),
        ];
    }

    private (TestClient Client, uint Subscription) Subscribe(string name, uint tag, uint queue = 1, uint lifetime = 30)
    {
        var client = _plant.OpenClient(Alice);
        client.Sending = () => _sent.Add(name);
        var subscription = client.Subscribe(keepAlive: 1, lifetime: lifetime, maxNotifications: PerMessage);
        client.Monitor(subscription, tag, queueSize: queue);
        client.Publish();
        client.Publish();
        return (client, subscription);
    }

    /// <summary>A client with so many messages of 200 KB to get, in the next cycle.</summary>
    private TestClient Backlog(string name, uint tag, int messages, int requests = 10, uint lifetime = 30)
    {
        var client = _plant.OpenClient(Alice);
        client.Sending = () => _sent.Add(name);
        var subscription = client.Subscribe(lifetime: lifetime, maxNotifications: PerMessage);
        for (var i = 0; i < messages * PerMessage; i++)
        {
            _plant.Store.Set(
                _plant.Handle(tag), new DataValue(new Variant($"{i:D8}" + new string('x', 1000))));
            if (i == 0)
                client.Monitor(subscription, tag, queueSize: 1000);
            _plant.Engine.Shards[0].HandOutChanges();
        }

        for (var i = 0; i < requests; i++)
            client.Publish();
        return client;
    }

    private void Turn(double afterMs)
    {
        _plant.Time.Advance(TimeSpan.FromMilliseconds(afterMs));
        _plant.Engine.Shards[0].RunOnce();
    }

    /// <summary>Since the last call.</summary>
    private string Sent()
    {
        var sent = string.Join(' ', _sent);
        _sent.Clear();
        return sent;
    }
}
