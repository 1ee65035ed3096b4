using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>ModifyMonitoredItems, SetMonitoringMode, SetTriggering. Source: Part 4 §5.13.3 to §5.13.5.</summary>
public sealed class ItemChangeTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public ItemChangeTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 100, lifetime: 1000);
        _plant.Set(1, 0);
        _plant.Set(2, 0);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private MonitoredItemNotification[] Sweep()
    {
        _client.Publish();
        _plant.Advance(100);
        return [.. _client.All().SelectMany(answer => answer.Changes)];
    }

    private static double[] Values(MonitoredItemNotification[] changes) =>
        [.. changes.Select(change => change.Value.Value.AsDouble())];

    private MonitoredItemModifyResult Modify(uint item, MonitoringParameters parameters) => Assert.Single(
        _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            TimestampsToReturn = TimestampsToReturn.Neither,
            ItemsToModify = [new() { MonitoredItemId = item, RequestedParameters = parameters }],
        }).Results!);

    private StatusCode SetMode(uint item, MonitoringMode mode) => Assert.Single(
        _client.Session.SetMonitoringMode(new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        }).Results!);

    [Fact]
    public void Modify_SmallerQueue_DiscardsByPolicyAndFlags()
    {
        var item = _client.Monitor(_subscription, 1, queueSize: 5);
        for (var i = 1; i <= 4; i++)
            _plant.Set(1, i);
        _plant.Advance(0);
        var result = Modify(item, new() { ClientHandle = 77, QueueSize = 2, DiscardOldest = true });
        Assert.Equal((2u, 0.0), (result.RevisedQueueSize, result.RevisedSamplingInterval));
        var changes = Sweep();
        Assert.Equal([3, 4], Values(changes));
        Assert.Equal([0x480u, 0u], changes.Select(change => change.Value.Status.Code));
        Assert.All(changes, change => Assert.Equal(77u, change.ClientHandle));
        Assert.All(changes, change => Assert.Equal(default, change.Value.SourceTimestamp));
        Assert.Equal(2, _plant.Engine.Counters.QueueCapacity);
    }

    [Fact]
    public void Modify_SamplingToEveryChange_TakesWhatWaits()
    {
        var item = _client.Monitor(_subscription, 1, queueSize: 10, samplingMs: 5000);
        Sweep();
        _plant.Set(1, 1);
        _plant.Advance(0);
        Modify(item, new() { QueueSize = 10, SamplingInterval = 0 });
        _plant.Set(1, 2);
        Assert.Equal([1, 2], Values(Sweep()));
    }

    [Fact]
    public void Modify_UnknownItemOrBadFilter_IsRefused()
    {
        var item = _client.Monitor(_subscription, 1);
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, Modify(99, default).StatusCode.Code);
        var filter = new ExtensionObject(new EventFilter());
        Assert.Equal(
            StatusCodes.BadFilterNotAllowed, Modify(item, new() { Filter = filter }).StatusCode.Code);
    }

    [Fact]
    public void SetMode_Disabled_EmptiesAndUnwatches_EnabledStartsAnew()
    {
        var item = _client.Monitor(_subscription, 1, queueSize: 5);
        _plant.Set(1, 1);
        _plant.Advance(0);
        Assert.Equal(StatusCode.Good, SetMode(item, MonitoringMode.Disabled));
        Assert.False(_plant.Store.IsWatched(_plant.Handle(1)));
        Assert.Empty(Sweep());
        _plant.Set(1, 2);
        SetMode(item, MonitoringMode.Reporting);
        Assert.Equal([2], Values(Sweep()));
        _plant.Set(1, 3);
        Assert.Equal([3], Values(Sweep()));
    }

    [Fact]
    public void SetMode_SamplingThenReporting_QueueGoesOut()
    {
        var item = _client.Monitor(_subscription, 1, queueSize: 5);
        SetMode(item, MonitoringMode.Sampling);
        _plant.Set(1, 1);
        Assert.Empty(Sweep());
        SetMode(item, MonitoringMode.Reporting);
        Assert.Equal([0, 1], Values(Sweep()));
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, SetMode(99, MonitoringMode.Reporting).Code);
    }

    [Fact]
    public void SetTriggering_TriggerReports_SampledItemGoesWithIt()
    {
        var trigger = _client.Monitor(_subscription, 1);
        var sampled = _client.Monitor(_subscription, 2, queueSize: 5, mode: MonitoringMode.Sampling);
        var response = _client.Session.SetTriggering(new SetTriggeringRequest
        {
            SubscriptionId = _subscription,
            TriggeringItemId = trigger,
            LinksToAdd = [sampled, 99],
            LinksToRemove = [98],
        });
        Assert.Equal([0, StatusCodes.BadMonitoredItemIdInvalid], response.AddResults!.Select(r => r.Code));
        Assert.Equal([StatusCodes.BadMonitoredItemIdInvalid], response.RemoveResults!.Select(r => r.Code));
        Assert.Equal([1u], Sweep().Select(change => change.ClientHandle));
        _plant.Set(2, 5);
        Assert.Empty(Sweep());
        _plant.Set(1, 1);
        Assert.Equal([1u, 2u, 2u], Sweep().Select(change => change.ClientHandle));
        _plant.Set(2, 6);
        Assert.Empty(Sweep());
        _client.DeleteItem(_subscription, sampled);
        _plant.Set(1, 2);
        Assert.Equal([1u], Sweep().Select(change => change.ClientHandle));
    }

    [Theory]
    [InlineData(5, true, new[] { 1, 2, 3, 4 }, -1)]
    [InlineData(2, true, new[] { 3, 4 }, 0)]
    [InlineData(2, false, new[] { 1, 2 }, 1)]
    [InlineData(1, false, new[] { 4 }, -1)]
    public void Resize_ByPolicy_KeepsAndFlags(int size, bool discardOldest, int[] kept, int flagged)
    {
        var queue = new ItemQueue(4);
        for (var i = 1; i <= 4; i++)
            queue.Enqueue(_plant.Store.Make(new DataValue(new Variant((double)i))), true, NotificationBits.None);
        queue.Resize(size, discardOldest);
        Assert.Equal(kept.Length, queue.Count);
        for (var i = 0; i < kept.Length; i++)
        {
            var entry = queue.Dequeue();
            Assert.Equal((kept[i], i == flagged), ((int)entry.Value.Numeric, entry.Bits == NotificationBits.Overflow));
            entry.Value.Release();
        }
    }
}
