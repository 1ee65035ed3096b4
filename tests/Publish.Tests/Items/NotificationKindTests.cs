using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Subscriptions;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Events beside data changes: the same queue, the same message, a list for each kind.</summary>
public sealed class NotificationKindTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint EventHandle = 1000;

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;

    public NotificationKindTests()
    {
        for (var tag = 1u; tag <= 10; tag++)
            _plant.Set(tag, 0);
        _client = _plant.OpenClient();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Sweep_ValueAndEvents_OneMessageWithAListForEachKind()
    {
        var subscription = Subscribe(out var item);
        _client.Monitor(subscription.Id, 1);
        Raise(item, "first", 1);
        Raise(item, "second", 2);
        _client.Publish();
        _plant.Advance(100);

        var data = _client.Next().Response!.NotificationMessage.NotificationData!;
        var change = Assert.Single(Assert.IsType<DataChangeNotification>(data[0].Body).MonitoredItems!);
        var events = Assert.IsType<EventNotificationList>(data[1].Body).Events!;
        Assert.Equal(2, data.Length);
        Assert.Equal(1u, change.ClientHandle);
        Assert.Equal([EventHandle, EventHandle], events.Select(one => one.ClientHandle));
        Assert.Equal(["first", "second"], events.Select(one => one.EventFields![0].AsString()));
        Assert.Equal([1, 2], events.Select(one => one.EventFields![1].AsInt32()));
        Assert.False(subscription.HasNotifications);
        Assert.Equal((1u, 2u), (subscription.Counts.DataChanges, subscription.Counts.Events));
    }

    [Fact]
    public void Sweep_EventsAlone_NoListOfDataChanges()
    {
        _ = Subscribe(out var item);
        Raise(item, "only", 1);
        _client.Publish();
        _plant.Advance(100);
        var data = Assert.Single(_client.Next().Response!.NotificationMessage.NotificationData!);
        Assert.Single(Assert.IsType<EventNotificationList>(data.Body).Events!);
    }

    [Fact]
    public void Sweep_MoreThanAMessageHolds_KindsTakeTurnsAndNothingIsLost()
    {
        var subscription = Subscribe(out var item, maxNotifications: 3);
        for (var tag = 1u; tag <= 10; tag++)
            _client.Monitor(subscription.Id, tag);
        for (var i = 0; i < 5; i++)
            Raise(item, "event", i);
        for (var i = 0; i < 5; i++)
            _client.Publish();
        _plant.Advance(100);

        var messages = _client.All().ConvertAll(answer => answer.Response!.NotificationMessage.NotificationData!);
        string[] kinds = [.. messages.Select(data => string.Join('+', data.Select(one => one.Body switch
        {
            DataChangeNotification changes => "d" + changes.MonitoredItems!.Length,
            EventNotificationList list => "e" + list.Events!.Length,
            _ => "?",
        })))];
        Assert.Equal(["d3", "e3", "d3", "e2+d1", "d3"], kinds);
        Assert.False(subscription.HasNotifications);
    }

    [Fact]
    public void OnEvent_QueueFull_OldestGoesAndIsCounted()
    {
        var subscription = Subscribe(out var item, queueSize: 2);
        for (var i = 0; i < 3; i++)
            Raise(item, "event", i);
        _client.Publish();
        _plant.Advance(100);
        var list = Assert.IsType<EventNotificationList>(
            Assert.Single(_client.Next().Response!.NotificationMessage.NotificationData!).Body);
        Assert.Equal([1, 2], list.Events!.Select(one => one.EventFields![1].AsInt32()));
        Assert.Equal(1u, subscription.Counts.QueueOverflows);
    }

    [Fact]
    public void OnValue_OfAnItemForEvents_IsNotReported()
    {
        var subscription = Subscribe(out var item);
        var used = _plant.Store.CreatedValues - _plant.Store.IdleValues;
        lock (subscription.Shard.Lock)
        {
            var values = subscription.Shard.Values;
            item.OnValue(values.Make(new DataValue(StatusCodes.BadNodeIdUnknown)), values);
        }

        Assert.False(subscription.HasNotifications);
        Assert.Equal(used, _plant.Store.CreatedValues - _plant.Store.IdleValues);
    }

    private Subscription Subscribe(out MonitoredItem item, uint maxNotifications = 0, int queueSize = 10)
    {
        var id = _client.Subscribe(maxNotifications: maxNotifications);
        var subscription = _client.Session.Find(id)!;
        item = new MonitoredItem(subscription, ++subscription.LastItemId, AttributeId.EventNotifier)
        {
            ClientHandle = EventHandle,
            Mode = MonitoringMode.Reporting,
            DiscardOldest = true,
            Queue = new ItemQueue(queueSize),
        };
        lock (subscription.Shard.Lock)
            subscription.Items.Add(item.Id, item);
        return subscription;
    }

    private static void Raise(MonitoredItem item, string name, int severity)
    {
        var shard = item.Subscription.Shard;
        lock (shard.Lock)
        {
            var fields = Variant.FromArray(BuiltInType.Variant, new Variant[] { new(name), new(severity) });
            var value = shard.Values.Make(new DataValue(fields));
            item.OnEvent(value, NotificationBits.None, shard.Values);
        }
    }
}
