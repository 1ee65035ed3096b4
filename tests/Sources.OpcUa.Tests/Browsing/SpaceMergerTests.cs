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

    /// <summary>A client that asks for references of the type finds them, once.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void Merge_ReferenceTypeBecomesAnotherNode_ReferencesOfItGoWithIt(bool isPartUnbrowsed)
    {
        _merger.Merge(WithFeeds(name: "Feeds"), _map);
        var (line, speed, before) = (_gateway.Find("Line"), _gateway.Find("Speed"), _gateway.Find("Feeds"));
        var space = WithFeeds(name: "Supplies");
        if (isPartUnbrowsed)
            space.OnRefused(new NodeId("Speed", 2), StatusCodes.BadTimeout);

        _merger.Merge(space, _map);

        var type = _gateway.Find("Feeds");
        Assert.NotEqual(before, type);
        Assert.Equal((line, speed), (_gateway.Find("Line"), _gateway.Find("Speed")));
        Assert.Equal("Supplies", _gateway.Nodes.GetBrowseName(type).Name);
        Assert.Equal([type], TypeHandles(line, speed));
        Assert.Equal([type], TypeHandles(speed, line));
    }

    [Fact]
    public void Merge_ReferenceTypeHasOtherFacts_TakenOverWhereItIs()
    {
        _merger.Merge(WithFeeds(inverseName: "FedBy"), _map);
        var type = _gateway.Find("Feeds");

        _merger.Merge(WithFeeds(inverseName: "SuppliedBy", isSymmetric: true), _map);

        Assert.Equal(type, _gateway.Find("Feeds"));
        Assert.Equal([type], TypeHandles(_gateway.Find("Line"), _gateway.Find("Speed")));
        _gateway.Nodes.ReadAttribute(type, AttributeId.Symmetric, out var symmetric);
        _gateway.Nodes.ReadAttribute(type, AttributeId.InverseName, out var inverse);
        Assert.Equal((true, "SuppliedBy"), (symmetric.AsBoolean(), inverse.AsLocalizedText().Text));
    }

    [Fact]
    public void Merge_ReferenceTypeHasAnotherSupertype_BelowThatOneOnly()
    {
        _merger.Merge(WithFeeds(supertype: StandardIds.ReferenceTypes.NonHierarchicalReferences), _map);
        var type = _gateway.Find("Feeds");

        _merger.Merge(WithFeeds(supertype: StandardIds.ReferenceTypes.Organizes), _map);

        Assert.Equal(type, _gateway.Find("Feeds"));
        var (now, before) = (
            _gateway.Nodes.Find(new NodeId(StandardIds.ReferenceTypes.Organizes)),
            _gateway.Nodes.Find(new NodeId(StandardIds.ReferenceTypes.NonHierarchicalReferences)));
        Assert.Equal(now, _gateway.Nodes.GetSuperType(type));
        Assert.Equal([45u], TypesBetween(type, now));
        Assert.Empty(TypesBetween(type, before));
        Assert.True(_gateway.Nodes.IsSubtypeOf(type, now));
        Assert.False(_gateway.Nodes.IsSubtypeOf(type, before));
    }

    /// <summary>The instance stays, and so do the items on it.</summary>
    [Fact]
    public void Merge_TypeBecomesAnotherNode_ItsInstanceHasItStill()
    {
        _merger.Merge(WithPump("PumpType"), _map);
        var pump = _gateway.Find("Pump1");

        _merger.Merge(WithPump("PumpTypeOfNow"), _map);

        Assert.Equal(pump, _gateway.Find("Pump1"));
        var type = _gateway.Find("PumpType");
        Assert.Equal("PumpTypeOfNow", _gateway.Nodes.GetBrowseName(type).Name);
        Assert.Equal([63u], TypesBetween(pump, type));
        Assert.Equal([63u], TypesBetween(pump, default));
    }

    private static BrowsedSpace WithPump(string typeName)
    {
        var space = new BrowsedSpace();
        foreach (var (id, name, nodeClass, type) in new[]
        {
            ("PumpType", typeName, NodeClass.ObjectType, default(NodeId)),
            ("Pump1", "Pump1", NodeClass.Object, new NodeId("PumpType", 2)),
        })
            space.Nodes.Add(new NodeId(id, 2), new BrowsedNode
            {
                Id = new NodeId(id, 2),
                NodeClass = nodeClass,
                BrowseName = new QualifiedName(name, 2),
                TypeDefinition = type,
                IsModel = nodeClass == NodeClass.ObjectType,
            });
        space.References.Add(new BrowsedReference(default, new NodeId(35), new NodeId("Pump1", 2)));
        space.References.Add(new BrowsedReference(
            new NodeId(StandardIds.ObjectTypes.BaseObjectType), new NodeId(45), new NodeId("PumpType", 2)));
        return space;
    }

    /// <summary>Line feeds Speed, by a type of its own.</summary>
    private static BrowsedSpace WithFeeds(
        string name = "Feeds", string inverseName = "FedBy", bool isSymmetric = false,
        uint supertype = StandardIds.ReferenceTypes.NonHierarchicalReferences)
    {
        var space = Space("Line", "Speed");
        var feeds = new NodeId("Feeds", 2);
        space.Nodes.Add(feeds, new BrowsedNode
        {
            Id = feeds,
            NodeClass = NodeClass.ReferenceType,
            BrowseName = new QualifiedName(name, 2),
            InverseName = new LocalizedText(inverseName),
            Symmetric = isSymmetric,
            IsModel = true,
        });
        space.References.Add(new BrowsedReference(new NodeId(supertype), new NodeId(45), feeds));
        space.References.Add(new BrowsedReference(new NodeId("Line", 2), feeds, new NodeId("Speed", 2)));
        return space;
    }

    private List<NodeHandle> TypeHandles(NodeHandle node, NodeHandle other)
    {
        List<NodeHandle> types = [];
        foreach (var reference in _gateway.Nodes.References(node))
        {
            if (reference.Target == other)
                types.Add(reference.ReferenceType);
        }

        return types;
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
