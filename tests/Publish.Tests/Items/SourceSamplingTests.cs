using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>A source that samples by itself, every 250 ms: nobody is promised more. Source: Part 4 §5.13.1.2.</summary>
public sealed class SourceSamplingTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Slow = 500;

    private readonly PublishFixture _plant = new();
    private readonly SlowSource _source = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public SourceSamplingTests()
    {
        _plant.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId(Slow, 1), new QualifiedName("Slow", 1), new(new NodeId(11)), _source, default));
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(keepAlive: 1000, lifetime: 10_000);
        for (var i = 0; i < 5; i++)
            _client.Publish();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private double[] Values() =>
        [.. _client.All().SelectMany(a => a.Changes).Select(c => c.Value.Value.AsDouble())];

    private MonitoredItemModifyResult Modify(uint item, double samplingMs) => Assert.Single(
        _client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            ItemsToModify =
            [
                new()
                {
                    MonitoredItemId = item,
                    RequestedParameters = new() { ClientHandle = 1, SamplingInterval = samplingMs, QueueSize = 10 },
                },
            ],
        }).Results!);

    [Theory]
    [InlineData(0, 250)]
    [InlineData(20, 250)]
    [InlineData(-1, 250)]
    [InlineData(250, 250)]
    [InlineData(400, 400)]
    public void Asked_Revised_IsNeverBelowTheSources(double asked, double revised)
    {
        var created = _client.TryMonitor(_subscription, TestClient.Item(Slow, samplingMs: asked));
        Assert.Equal(revised, created.RevisedSamplingInterval);
        Assert.Equal(revised, Modify(created.MonitoredItemId, asked).RevisedSamplingInterval);
        _source.IntervalMs = 1000;
        Assert.Equal(1000, Modify(created.MonitoredItemId, asked).RevisedSamplingInterval);
    }

    /// <summary>An upstream publishes several samples together: each had a period of its own there.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void SamplesOfTheSource_ComeTogether_NoneIsLost(bool modified)
    {
        var item = _client.Monitor(_subscription, Slow, queueSize: 10, samplingMs: modified ? 2000 : 20);
        if (modified)
            Modify(item, 20);
        _plant.Set(Slow, 1);
        _plant.Set(Slow, 2);
        _plant.Set(Slow, 3);
        _plant.Advance(100);
        Assert.Equal([1, 2, 3], Values());
    }

    private sealed class SlowSource : ISampledSource
    {
        public double IntervalMs { get; set; } = 250;

        public double SamplingIntervalMs(NodeHandle node) => IntervalMs;

        public bool TryRead(NodeHandle node, double maxAgeMs, out DataValue value)
        {
            value = default;
            return false;
        }

        public ValueTask ReadAsync(
            ReadOnlyMemory<NodeHandle> nodes, double maxAgeMs, Memory<DataValue> results, CancellationToken ct) =>
            ValueTask.CompletedTask;
    }
}
