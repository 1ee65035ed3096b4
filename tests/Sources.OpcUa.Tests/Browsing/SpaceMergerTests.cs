using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

public sealed class SpaceMergerTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly UpstreamFixture _gateway = new();
    private readonly NamespaceMap _map;
    private readonly SpaceMerger _merger;

    public SpaceMergerTests()
    {
        var index = _gateway.Nodes.Namespaces.GetOrAdd("urn:data");
        _map = new NamespaceMap([0, 0, index]);
        var source = new StoreSource(_gateway.Values, _gateway.Time);
        _merger = new SpaceMerger(
            new NodeId(StandardIds.Objects.ObjectsFolder), source, source, _gateway.Nodes, _gateway.Values,
            new SharedModel(), 100);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    /// <summary>The nodes are there: at the next connect they are still this upstream's.</summary>
    [Fact]
    public void Merge_ListenerFailsAndANodeIsGoneTheNextTime_ItIsRemoved()
    {
        using (_gateway.Nodes.Listen(new FailingListener()))
            Assert.Throws<InvalidOperationException>(() => _merger.Merge(Space("Speed", "Level"), _map));
        Assert.Equal(2, _merger.Count);

        Assert.Equal(1, _merger.Merge(Space("Speed"), _map).Removed);

        Assert.False(_gateway.Find("Speed").IsNone);
        Assert.True(_gateway.Find("Level").IsNone);
    }

    [Fact]
    public void Merge_BatchRefused_NothingIsServed()
    {
        _gateway.Nodes.Apply(new NodeBatch().AddObject(
            new NodeId("Here", 1), new QualifiedName("Here", 1), new NodeId(StandardIds.Objects.ObjectsFolder)));
        var unregistered = new NamespaceMap([0, 0, 99]);

        Assert.Throws<ArgumentException>(() => _merger.Merge(Space("Speed"), unregistered));

        Assert.Equal(0, _merger.Count);
    }

    private static BrowsedSpace Space(params string[] variables)
    {
        var space = new BrowsedSpace();
        foreach (var name in variables)
        {
            var id = new NodeId(name, 2);
            space.Nodes.Add(id, new BrowsedNode
            {
                Id = id,
                NodeClass = NodeClass.Variable,
                BrowseName = new QualifiedName(name, 2),
                Facts = new VariableFacts(new NodeId(11)),
            });
            space.References.Add(new BrowsedReference(default, new NodeId(35), id));
        }

        return space;
    }

    private sealed class FailingListener : INodeListener
    {
        public void OnApplied(in NodeChanges changes) => throw new InvalidOperationException();
    }
}
