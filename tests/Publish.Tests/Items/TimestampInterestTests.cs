using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>A source pushes samples that differ only in their time where somebody's trigger asks for them. Source: Part
/// 4 §7.22.2.</summary>
public sealed class TimestampInterestTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Stamped = 500;

    private static readonly DataChangeFilter Timestamps =
        new() { Trigger = DataChangeTrigger.StatusValueTimestamp };

    private readonly PublishFixture _plant = new();
    private readonly StampingSource _source = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public TimestampInterestTests()
    {
        _plant.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId(Stamped, 1), new QualifiedName("Stamped", 1), new(new NodeId(11)), _source, default));
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(100);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Items_WithTheTrigger_FirstAndLastAreTold()
    {
        var plain = Monitor(null);
        var (one, two) = (Monitor(Timestamps), Monitor(Timestamps));
        _client.DeleteItem(_subscription, one);
        Assert.Equal([true], _source.Told);

        _client.DeleteItem(_subscription, two);

        Assert.Equal([true, false], _source.Told);
        _client.DeleteItem(_subscription, plain);
        Assert.Equal([true, false], _source.Told);
    }

    [Fact]
    public void Modify_TheTriggerComesAndGoes_Told()
    {
        var item = Monitor(null);
        Modify(item, Timestamps);
        Modify(item, Timestamps);
        Assert.Equal([true], _source.Told);

        Modify(item, null);

        Assert.Equal([true, false], _source.Told);
        _client.Delete(_subscription);
        Assert.Equal([true, false], _source.Told);
    }

    [Fact]
    public void Disabled_WantsNothing_UntilItIsEnabled()
    {
        var item = Monitor(Timestamps);
        SetMode(item, MonitoringMode.Disabled);
        Modify(item, null);
        Modify(item, Timestamps);
        Assert.Equal([true, false], _source.Told);

        SetMode(item, MonitoringMode.Sampling);

        Assert.Equal([true, false, true], _source.Told);
    }

    private uint Monitor(MonitoringFilter? filter)
    {
        var created = _client.TryMonitor(_subscription, TestClient.Item(Stamped, filter: filter));
        Assert.Equal(StatusCodes.Good, created.StatusCode.Code);
        return created.MonitoredItemId;
    }

    private void Modify(uint item, MonitoringFilter? filter) => Assert.Equal(
        StatusCodes.Good,
        Assert.Single(_client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            ItemsToModify =
            [
                new()
                {
                    MonitoredItemId = item,
                    RequestedParameters = new() { Filter = filter is null ? default : new ExtensionObject(filter) },
                },
            ],
        }).Results!).StatusCode.Code);

    private void SetMode(uint item, MonitoringMode mode) => _client.Session.SetMonitoringMode(
        new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        });

    private sealed class StampingSource : ITimestampSource
    {
        public List<bool> Told { get; } = [];

        public void OnInterest(NodeHandle node, bool wanted)
        {
        }

        public void OnTimestampInterest(NodeHandle node, bool wanted) => Told.Add(wanted);
    }
}
