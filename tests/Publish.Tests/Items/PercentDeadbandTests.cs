using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Percent deadbands, and the SemanticsChanged bit. Source: Part 8 §5.3.2.3, §7.2.</summary>
public sealed class PercentDeadbandTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint SemanticsChanged = 0x4000;

    private readonly PublishFixture _plant = new();
    private readonly AnalogTag _tag;
    private readonly TestClient _client;
    private readonly uint _subscription;

    public PercentDeadbandTests()
    {
        _tag = new AnalogTag(_plant);
        _tag.SetRange(-50, 150);
        _tag.SetUnit(1);
        _plant.Set(1, 0);
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 1000, lifetime: 10_000);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private static DataChangeFilter Percent(
        double percent, DataChangeTrigger trigger = DataChangeTrigger.StatusValue) => new()
        {
            Trigger = trigger,
            DeadbandType = (uint)DeadbandType.Percent,
            DeadbandValue = percent,
        };

    private (double Value, uint Status)[] Sweep()
    {
        _client.Publish();
        _plant.Advance(100);
        return [.. _client.All().SelectMany(a => a.Changes)
            .Select(c => (c.Value.Value.AsDouble(), c.Value.Status.Code))];
    }

    private (double Value, uint Status)[] Sweep(params double[] values)
    {
        foreach (var value in values)
            _plant.Set(1, value);
        return Sweep();
    }

    [Fact]
    public void Change_TenPercentOfTwoHundred_MoreThanTwentyReports()
    {
        _client.Monitor(_subscription, 1, queueSize: 10, filter: Percent(10));
        Assert.Equal([(0, 0u), (20.5, 0u), (41, 0u)], Sweep(20, -20, 20.5, 40.5, 41));
    }

    [Fact]
    public void Change_Zero_EveryChangeReports()
    {
        _client.Monitor(_subscription, 1, queueSize: 10, filter: Percent(0));
        Assert.Equal([(0, 0u), (1e-9, 0u)], Sweep(1e-9, 1e-9));
    }

    [Fact]
    public void Change_Array_OneElementIsEnough()
    {
        SetArray(0, 0);
        _client.Monitor(_subscription, 1, queueSize: 10, filter: Percent(10));
        SetArray(20, -20);
        SetArray(20, 21);
        Assert.Equal(2, Sweep().Length);
    }

    [Fact]
    public void RangeChanges_DeadbandFollowsAndBitTells()
    {
        _client.Monitor(_subscription, 1, queueSize: 10, filter: Percent(10));
        Assert.Equal([(0, 0u)], Sweep());
        _tag.SetRange(0, 10);
        Assert.Equal([(0, SemanticsChanged)], Sweep());
        Assert.Equal([(1.5, 0u)], Sweep(0.5, 1.5));
        _tag.SetRange(0, 10);
        Assert.Empty(Sweep());
    }

    [Fact]
    public void UnitChanges_EveryItemOfTheTagHearsOnce()
    {
        _client.Monitor(_subscription, 1);
        _client.Monitor(_subscription, 1, queueSize: 5, samplingMs: 100);
        _client.Monitor(_subscription, 2);
        Sweep();
        _tag.SetUnit(2);
        Assert.Equal([(0, SemanticsChanged), (0, SemanticsChanged)], Sweep());
        Assert.Equal([(3, 0u), (3, 0u)], Sweep(3));
    }

    [Fact]
    public void UnitChanges_ValueWaitsForItsSample_CarriesTheBit()
    {
        _client.Monitor(_subscription, 1, samplingMs: 500);
        Sweep();
        Assert.Empty(Sweep(5));
        _tag.SetUnit(2);
        Assert.Empty(Sweep());
        Assert.Equal([(5, SemanticsChanged)], Enumerable.Range(0, 5).SelectMany(_ => Sweep()));
    }

    [Fact]
    public void UnitChanges_QueueOfOneOverwritten_BitStays()
    {
        _client.Monitor(_subscription, 1);
        Sweep();
        _tag.SetUnit(2);
        Assert.Equal([(7, SemanticsChanged)], Sweep(6, 7));
    }

    [Fact]
    public void RangeUnknown_EveryChangeReportsUntilItComes()
    {
        _plant.Store.Clear(_plant.Handle(AnalogTag.EURange));
        _client.Monitor(_subscription, 1, queueSize: 10, filter: Percent(10));
        Assert.Equal([(0, 0u), (1, 0u)], Sweep(1));
        _tag.SetRange(0, 100);
        Assert.Empty(Sweep());
        Assert.Equal([(12, 0u)], Sweep(9, 12));
    }

    [Fact]
    public void LastItemGoes_PropertiesAreWatchedNoMore()
    {
        var first = _client.Monitor(_subscription, 1);
        var second = _client.Monitor(_subscription, 1);
        Assert.True(_plant.Store.IsWatched(_plant.Handle(AnalogTag.EURange)));
        _client.DeleteItem(_subscription, first);
        Assert.True(_plant.Store.IsWatched(_plant.Handle(AnalogTag.EURange)));
        _client.DeleteItem(_subscription, second);
        Assert.False(_plant.Store.IsWatched(_plant.Handle(AnalogTag.EURange)));
        Assert.Equal(0, _plant.Engine.Shards[0].Changes.Book.Nodes);
        Assert.Equal(3, _plant.Store.CreatedValues - _plant.Store.IdleValues);
    }

    [Fact]
    public void PropertyItself_IsMonitoredToo()
    {
        _client.Monitor(_subscription, 1);
        _client.Monitor(_subscription, AnalogTag.EngineeringUnits);
        Assert.Equal(2, Sweep().Length);
        _tag.SetUnit(9);
        Assert.Equal([0u, SemanticsChanged], Sweep().Select(change => change.Status).Order());
    }

    [Fact]
    public void Modify_ToPercentAndBack_Holds()
    {
        var item = _client.Monitor(_subscription, 1, queueSize: 10);
        Sweep();
        Modify(item, Percent(10));
        Assert.Equal([(21, 0u)], Sweep(20, 21));
        Modify(item, null);
        _tag.SetRange(0, 1);
        Assert.Equal([(21, SemanticsChanged), (21.1, 0u)], Sweep().Concat(Sweep(21.1)));
    }

    [Fact]
    public void TriggerStatus_PercentIsAcceptedAndValuesDoNotReport()
    {
        _client.Monitor(_subscription, 1, filter: Percent(10, DataChangeTrigger.Status));
        Assert.Single(Sweep());
        Assert.Empty(Sweep(100));
    }

    [Theory]
    [InlineData(1, -0.1, StatusCodes.BadDeadbandFilterInvalid)]
    [InlineData(1, 100.1, StatusCodes.BadDeadbandFilterInvalid)]
    [InlineData(1, double.NaN, StatusCodes.BadDeadbandFilterInvalid)]
    [InlineData(1, 100.0, StatusCodes.Good)]
    [InlineData(2, 10.0, StatusCodes.BadMonitoredItemFilterUnsupported)]
    [InlineData(50, 10.0, StatusCodes.BadDeadbandFilterInvalid)]
    public void Create_Percent_IsChecked(uint node, double percent, uint status)
    {
        _plant.Nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = new NodeId(12),
                NodeClass = NodeClass.DataType,
                BrowseName = new QualifiedName("String"),
            })
            .AddVariable(new NodeId(50, 1), new QualifiedName("Text", 1), new(new NodeId(12)), null, default));
        var result = _client.TryMonitor(_subscription, TestClient.Item(node, filter: Percent(percent)));
        Assert.Equal(status, result.StatusCode.Code);
    }

    private void Modify(uint item, MonitoringFilter? filter)
    {
        var response = _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            ItemsToModify =
            [
                new()
                {
                    MonitoredItemId = item,
                    RequestedParameters = new()
                    {
                        QueueSize = 10,
                        Filter = filter is null ? default : new ExtensionObject(filter),
                    },
                },
            ],
        });
        Assert.Equal(StatusCode.Good, Assert.Single(response.Results!).StatusCode);
    }

    private void SetArray(params double[] values) =>
        _plant.Store.Set(_plant.Handle(1), new DataValue(Variant.FromArray(BuiltInType.Double, values)));
}
