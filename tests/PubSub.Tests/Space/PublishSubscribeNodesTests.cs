using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Options;
using Gateway.PubSub.Space;
using Gateway.PubSub.States;
using Gateway.PubSub.Tests.DataSets;

namespace Gateway.PubSub.Tests.Space;

/// <summary>Reports take locks of readers and groups: none is made while a shard asks for a value under its own.
/// </summary>
public sealed class PublishSubscribeNodesTests : IPubSubState, IReaderState
{
    private readonly Plant _plant = new();
    private readonly PublishSubscribeNodes _nodes;
    private readonly NodeHandle _state;
    private int _reports;

    public PublishSubscribeNodesTests()
    {
        _nodes = new PublishSubscribeNodes(_plant.Nodes, this, this, _plant.Time);
        _nodes.Follow(new PubSubOptions
        {
            Connections = [new ConnectionOptions { Name = "c", Address = "mqtt://127.0.0.1" }],
        });
        _state = _plant.Nodes.Find(
            new NodeId("Connections/c/Status/State", _plant.Nodes.Namespaces.GetOrAdd("urn:gateway:pubsub")));
    }

    string IPubSubState.PublisherId => "p";

    [Fact]
    public async Task TryRead_NoReportOrAnOldOne_MakesNoneAndSaysThatItHasToBeAskedFor()
    {
        Assert.False(_nodes.TryRead(_state, 0, out _));
        Assert.Equal(0, _reports);

        Assert.Equal(new Variant((int)PubSubState.Operational), await ReadAsync());
        Assert.True(_nodes.TryRead(_state, 0, out var value));
        Assert.Equal((new Variant((int)PubSubState.Operational), 1), (value.Value, _reports));

        _plant.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.False(_nodes.TryRead(_state, 0, out _));
        Assert.True(_nodes.TryRead(_state, double.MaxValue, out _));
        Assert.Equal(1, _reports);
    }

    [Fact]
    public async Task ReadAsync_AgainAtOnce_MakesOneReport()
    {
        await ReadAsync();
        await ReadAsync();

        Assert.Equal(1, _reports);
    }

    IReadOnlyList<ConnectionReport> IPubSubState.ReadConnections(bool explainsGaps)
    {
        Assert.False(explainsGaps);
        _reports++;
        return [new ConnectionReport("c", "mqtt://127.0.0.1", PubSubState.Operational, "", [], 0, null, [])];
    }

    IReadOnlyList<DataSetReport> IPubSubState.ReadDataSets() => [];

    IReadOnlyCollection<string> IPubSubState.FindDataSets(NodeId node) => [];

    IReadOnlyList<ReaderReport> IReaderState.ReadReaders() => [];

    IReadOnlyList<ReaderConnectionReport> IReaderState.ReadReaderConnections() => [];

    private async Task<Variant> ReadAsync()
    {
        var results = new DataValue[1];
        await _nodes.ReadAsync(new[] { _state }, 0, results, default);
        return results[0].Value;
    }
}
