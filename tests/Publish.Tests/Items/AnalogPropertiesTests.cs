using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>What an upstream says of a Variable's properties costs a bounded part of the shard's lock (R44).</summary>
public sealed class AnalogPropertiesTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint FirstProperty = 2_000;

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public AnalogPropertiesTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe();
        _plant.Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId(StandardIds.ReferenceTypes.HasProperty),
            NodeClass = NodeClass.ReferenceType,
            BrowseName = new QualifiedName("HasProperty"),
        }));
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Monitor_ManyPropertiesOfOneName_OneOfEachIsWatched()
    {
        AddProperties(Enumerable.Repeat("EngineeringUnits", 50).Concat(Enumerable.Repeat("EURange", 50)));
        _client.Monitor(_subscription, 1);
        Assert.Equal(3, _plant.Engine.Shards[0].Changes.Book.Nodes);
    }

    [Fact]
    public void Monitor_ManyReferences_NotAllAreLookedAt()
    {
        AddProperties(Enumerable.Range(0, 1_000).Select(i => $"Note{i}").Append("EURange"));
        _client.Monitor(_subscription, 1);
        Assert.Equal(1, _plant.Engine.Shards[0].Changes.Book.Nodes);
        var item = TestClient.Item(1, filter: new DataChangeFilter
        {
            Trigger = DataChangeTrigger.StatusValue,
            DeadbandType = (uint)DeadbandType.Percent,
            DeadbandValue = 10,
        });
        Assert.Equal(
            StatusCodes.BadMonitoredItemFilterUnsupported, _client.TryMonitor(_subscription, item).StatusCode.Code);
    }

    private void AddProperties(IEnumerable<string> names)
    {
        var batch = new NodeBatch();
        var id = FirstProperty;
        foreach (var name in names)
        {
            batch.AddProperty(
                new NodeId(id++, 1), new QualifiedName(name), new VariableFacts(new NodeId(884)), null,
                new NodeId(1, 1));
        }

        _plant.Nodes.Apply(batch);
    }
}
