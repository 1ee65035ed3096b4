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
    private readonly SharedModel _shared = new();
    private readonly NamespaceMap _map;
    private readonly SpaceMerger _merger;

    public SpaceMergerTests()
    {
        var index = _gateway.Nodes.Namespaces.GetOrAdd("urn:data");
        _map = new NamespaceMap([0, 0, index]);
        var source = new StoreSource(_gateway.Values, _gateway.Time);
        _merger = new SpaceMerger(
            new NodeId(StandardIds.Objects.ObjectsFolder), source, source, _gateway.Nodes, _gateway.Values,
            _shared, 100);
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

    /// <summary>Both ends stay, and so do the items on them.</summary>
    [Fact]
    public void Merge_ReferenceGone_RemovedAtBothEnds()
    {
        _merger.Merge(With(Space("Line", "Speed"), ("Line", 35, "Speed"), ("Line", 47, "Speed")), _map);
        var (line, speed) = (_gateway.Find("Line"), _gateway.Find("Speed"));

        _merger.Merge(With(Space("Line", "Speed"), ("Line", 47, "Speed")), _map);

        Assert.Equal((line, speed), (_gateway.Find("Line"), _gateway.Find("Speed")));
        Assert.Equal([47u, 63u], TypesBetween(line, default));
        Assert.Equal([47u], TypesBetween(line, speed));
        Assert.Equal([47u], TypesBetween(speed, line));
    }

    [Fact]
    public void Merge_RootMovedBelowAnother_NoLongerBelowTheUpstream()
    {
        _merger.Merge(Space("Line", "Speed"), _map);
        var top = _gateway.Nodes.Find(new NodeId(StandardIds.Objects.ObjectsFolder));
        var space = With(Space("Line", "Speed"), ("Line", 47, "Speed"));
        space.References.RemoveAll(static one => one.Source.IsNull && one.Target == new NodeId("Speed", 2));

        _merger.Merge(space, _map);

        Assert.Empty(TypesBetween(_gateway.Find("Speed"), top));
        Assert.Equal([35u], TypesBetween(_gateway.Find("Line"), top));
    }

    /// <summary>It may be that the upstream could not say it.</summary>
    [Fact]
    public void Merge_ReferenceGoneAndAPartNotBrowsed_Stays()
    {
        _merger.Merge(With(Space("Line", "Speed"), ("Line", 47, "Speed")), _map);
        var space = Space("Line", "Speed");
        space.OnRefused(new NodeId("Line", 2), StatusCodes.BadTimeout);

        _merger.Merge(space, _map);

        Assert.Equal([47u], TypesBetween(_gateway.Find("Line"), _gateway.Find("Speed")));
    }

    /// <summary>Another upstream has the type, too, and says it still.</summary>
    [Fact]
    public void Merge_SubtypeGoneOfATypeThatOthersHave_Stays()
    {
        _merger.Merge(With(Types("Pump", "Feed"), ("Pump", 45, "Feed")), _map);
        _shared.Hold(_gateway.Nodes.GetNodeId(_gateway.Find("Feed")));

        _merger.Merge(Types("Pump", "Feed"), _map);
        Assert.Equal([45u], TypesBetween(_gateway.Find("Feed"), _gateway.Find("Pump")));

        _shared.Leave(_gateway.Nodes.GetNodeId(_gateway.Find("Feed")));
        _merger.Merge(Types("Pump", "Feed"), _map);
        Assert.Empty(TypesBetween(_gateway.Find("Feed"), _gateway.Find("Pump")));
    }

    /// <summary>To any node where the other is none of them, but not from a root.</summary>
    private List<uint> TypesBetween(NodeHandle node, NodeHandle other)
    {
        List<uint> types = [];
        foreach (var reference in _gateway.Nodes.References(node))
        {
            if (reference.Target == other || (other.IsNone && reference.IsForward))
                types.Add(TypeNumber(reference));
        }

        types.Sort();
        return types;
    }

    private uint TypeNumber(in Reference reference) =>
        _gateway.Nodes.GetNodeId(reference.ReferenceType) is { NamespaceIndex: 0 } type &&
        type != new NodeId(StandardIds.ReferenceTypes.HasTypeDefinition) ? type.Numeric : 63;

    private static BrowsedSpace With(
        BrowsedSpace space, params (string Source, uint Type, string Target)[] references)
    {
        foreach (var (source, type, target) in references)
            space.References.Add(new BrowsedReference(new NodeId(source, 2), new NodeId(type), new NodeId(target, 2)));
        return space;
    }

    private static BrowsedSpace Types(params string[] types)
    {
        var space = new BrowsedSpace();
        foreach (var name in types)
        {
            var id = new NodeId(name, 2);
            space.Nodes.Add(id, new BrowsedNode
            {
                Id = id,
                NodeClass = NodeClass.ObjectType,
                BrowseName = new QualifiedName(name, 2),
                IsModel = true,
            });
        }

        return space;
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
