using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>A source that is looked at learns the fastest rate of all its items, twice in a period.</summary>
public sealed class SourceRateTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Tag = 500;

    private readonly PublishFixture _plant = new();
    private readonly RatedSource _source = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public SourceRateTests()
    {
        _plant.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId(Tag, 1), new QualifiedName("Tag", 1), new(new NodeId(11)), _source, default));
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe(100);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    /// <summary>Each period of the item has a look of its own.</summary>
    [Theory]
    [InlineData(0, 0)]
    [InlineData(250, 100)]
    [InlineData(1_000, 500)]
    [InlineData(1_999, 500)]
    [InlineData(10_000, 5_000)]
    [InlineData(3_600_000, 30_000)]
    public void Item_OfARate_ToldBeforeTheInterest(double samplingMs, double told)
    {
        Monitor(samplingMs);
        Assert.Equal([told, -1], _source.Told);
    }

    [Fact]
    public void Items_FastestCounts_UntilItGoes()
    {
        var slow = Monitor(5_000);
        var fast = Monitor(1_000);
        Monitor(2_000);
        _client.DeleteItem(_subscription, fast);
        _client.DeleteItem(_subscription, slow);
        Assert.Equal([2_500, -1, 500, 1_000], Told(1_000));

        List<double> Told(double last) => [.. _source.Told.TakeWhile(one => one != last), last];
    }

    [Fact]
    public void Modify_Told()
    {
        var item = Monitor(5_000);
        Modify(item, 1_000);
        Modify(item, 20_000);
        Assert.Equal([2_500, -1, 500, 10_000], _source.Told);
    }

    [Fact]
    public void Source_Throws_TheItemIsThere()
    {
        _source.Throws = true;
        Assert.NotEqual(0u, Monitor(1_000));
    }

    private uint Monitor(double samplingMs)
    {
        var created = _client.TryMonitor(_subscription, TestClient.Item(Tag, samplingMs: samplingMs));
        Assert.Equal(StatusCodes.Good, created.StatusCode.Code);
        return created.MonitoredItemId;
    }

    private void Modify(uint item, double samplingMs) => Assert.Equal(
        StatusCodes.Good,
        Assert.Single(_client.Session.ModifyMonitoredItems(new ModifyMonitoredItemsRequest
        {
            SubscriptionId = _subscription,
            ItemsToModify =
            [
                new() { MonitoredItemId = item, RequestedParameters = new() { SamplingInterval = samplingMs } },
            ],
        }).Results!).StatusCode.Code);

    private sealed class RatedSource : IRatedSource
    {
        public bool Throws { get; set; }

        /// <summary>−1: the interest.</summary>
        public List<double> Told { get; } = [];

        public void OnInterest(NodeHandle node, bool wanted) => Told.Add(wanted ? -1 : -2);

        public void OnRate(NodeHandle node, double intervalMs)
        {
            Told.Add(intervalMs);
            if (Throws)
                throw new InvalidOperationException("A source that breaks its contract.");
        }
    }
}
