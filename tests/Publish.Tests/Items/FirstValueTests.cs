using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Nodes whose source has to be asked for the first value, and pushes then, as an upstream does. Source: Part
/// 4 §5.13.1.3.</summary>
public sealed class FirstValueTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Asked = 500;
    private const uint Failing = 501;

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public FirstValueTests()
    {
        _plant.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId(Asked, 1), new QualifiedName("Asked", 1), new(new NodeId(11)), new AskedSource(), default));
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 1000, lifetime: 10_000);
        for (var i = 0; i < 5; i++)
            _client.Publish();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private DataValue[] Values() => [.. _client.All().SelectMany(a => a.Changes).Select(c => c.Value)];

    [Theory]
    [InlineData(0)]
    [InlineData(50)]
    [InlineData(3000)]
    public void FirstValue_ComesLater_IsTheFirstNotification(double samplingMs)
    {
        _client.Monitor(_subscription, Asked, queueSize: 10, samplingMs: samplingMs);
        _plant.Advance(1000);
        Assert.Empty(Values());
        _plant.Set(Asked, 7);
        _plant.Advance(100);
        Assert.Equal(7, Assert.Single(Values()).Value.AsDouble());
        _plant.Advance(10_000);
        Assert.Empty(Values());
    }

    [Fact]
    public void FirstStatus_OfTheSource_IsTheFirstNotification()
    {
        _client.Monitor(_subscription, Asked, queueSize: 10);
        _plant.Store.Set(_plant.Handle(Asked), new DataValue(StatusCodes.BadNoCommunication));
        _plant.Advance(100);
        Assert.Equal(StatusCodes.BadNoCommunication, Assert.Single(Values()).Status);
    }

    [Fact]
    public void Nothing_WithinTheBound_ClientIsToldAndGoesOnWaiting()
    {
        _client.Monitor(_subscription, Asked, queueSize: 10, samplingMs: 1000);
        _plant.Advance(4_900);
        Assert.Empty(Values());
        _plant.Advance(200);
        Assert.Equal(StatusCodes.BadWaitingForInitialData, Assert.Single(Values()).Status);
        _plant.Set(Asked, 7);
        _plant.Advance(1_100);
        Assert.Equal(7, Assert.Single(Values()).Value.AsDouble());
    }

    [Fact]
    public void DisabledAndEnabledAgain_WaitsAgain()
    {
        var item = _client.Monitor(_subscription, Asked, queueSize: 10);
        SetMode(item, MonitoringMode.Disabled);
        _plant.Advance(6_000);
        SetMode(item, MonitoringMode.Reporting);
        _plant.Advance(1_000);
        Assert.Empty(Values());
        _plant.Set(Asked, 7);
        _plant.Advance(100);
        Assert.Equal(7, Assert.Single(Values()).Value.AsDouble());
    }

    [Fact]
    public void Deleted_WhileItWaits_NothingComes()
    {
        var item = _client.Monitor(_subscription, Asked, queueSize: 10);
        Assert.Equal(StatusCode.Good, _client.DeleteItem(_subscription, item));
        _plant.Set(Asked, 7);
        _plant.Advance(6_000);
        Assert.Empty(Values());
    }

    [Fact]
    public void FirstValue_SourceFails_StatusIsTheFirstNotificationAndItGoesOn()
    {
        var failing = new NodeBatch().AddVariable(
            new NodeId(Failing, 1), new QualifiedName("Failing", 1), new(new NodeId(11)), new FailingSource(), default);
        _plant.Nodes.Apply(failing);
        _client.Monitor(_subscription, Failing, queueSize: 10);
        _plant.Advance(100);
        Assert.Equal(StatusCodes.BadInternalError, Assert.Single(Values()).Status);

        // Nobody who adds the node again hears of it.
        _plant.Nodes.Apply(new NodeBatch().Remove(_plant.Handle(Failing)));
        _plant.Nodes.Apply(failing);
        _plant.Advance(100);
        _plant.Set(Failing, 7);
        _plant.Advance(100);
        Assert.Equal(7, Values()[^1].Value.AsDouble());
    }

    private void SetMode(uint item, MonitoringMode mode) => _client.Session.SetMonitoringMode(
        new SetMonitoringModeRequest
        {
            SubscriptionId = _subscription,
            MonitoringMode = mode,
            MonitoredItemIds = [item],
        });

    private sealed class AskedSource : INodeSource
    {
        public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
        {
            value = default;
            return false;
        }

        public ValueTask ReadAsync(
            ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct) =>
            ValueTask.CompletedTask;
    }

    private sealed class FailingSource : INodeSource
    {
        public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value) =>
            throw new InvalidOperationException();

        public ValueTask ReadAsync(
            ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct) =>
            ValueTask.CompletedTask;
    }
}
