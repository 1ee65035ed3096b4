using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Tests.Support;
using Xunit.Abstractions;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

/// <summary>Alone in the process while it runs: it looks at the heap.</summary>
[Collection(nameof(MirrorMemoryTests))]
[CollectionDefinition(nameof(MirrorMemoryTests), DisableParallelization = true)]
public sealed class MirrorMemoryTests(ITestOutputHelper output) : IAsyncLifetime, IAsyncDisposable
{
    private const int Tags = 100_000;
    private const int MostBytes = 200;

    private readonly UpstreamFixture _gateway = new();

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    /// <summary>Measured the second time, as after a reconnect: what is kept of a browse beside the nodes.</summary>
    [Fact]
    public void Merge_HundredThousandTags_KeepsFewBytesBesideTheNodes()
    {
        var source = new StoreSource(_gateway.Values, _gateway.Time);
        var merger = new SpaceMerger(
            new NodeId(StandardIds.Objects.ObjectsFolder), source, source, _gateway.Nodes, _gateway.Values,
            new SharedModel(), Tags);
        var map = new NamespaceMap([0, 0, _gateway.Nodes.Namespaces.GetOrAdd("urn:data")]);
        merger.Merge(Space(), map);
        var second = merger.Merge(Space(), map);
        var with = GC.GetTotalMemory(forceFullCollection: true);
        Assert.Equal((0, 0, Tags), (second.Added, second.Removed, merger.Count));

        merger = null;
        var bytes = (with - GC.GetTotalMemory(forceFullCollection: true)) / (double)Tags;

        output.WriteLine($"{bytes:F0} bytes a node beside the node itself");
        Assert.InRange(bytes, 0, MostBytes);
        GC.KeepAlive(_gateway);
    }

    private static BrowsedSpace Space()
    {
        var space = new BrowsedSpace();
        for (var i = 0; i < Tags; i++)
        {
            var id = new NodeId($"Unit{i % 100}.Tag{i}", 2);
            space.Nodes.Add(id, new BrowsedNode
            {
                Id = id,
                NodeClass = NodeClass.Variable,
                BrowseName = new QualifiedName($"Tag{i}", 2),
                TypeDefinition = new NodeId(StandardIds.VariableTypes.BaseDataVariableType),
                Facts = new VariableFacts(new NodeId(StandardIds.DataTypes.Double)),
            });
            space.References.Add(new BrowsedReference(default, new NodeId(35), id));
        }

        return space;
    }
}
