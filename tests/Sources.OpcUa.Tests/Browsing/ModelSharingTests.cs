using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;
using Microsoft.Extensions.Logging.Abstractions;
using static Gateway.Sources.OpcUa.Tests.Browsing.ModelParts;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

/// <summary>Upstreams A and B with one model: a structure "State" with its encoding, and a variable of it.</summary>
public sealed class ModelSharingTests : IAsyncLifetime, IAsyncDisposable
{
    private const string Model = "urn:model";

    private static readonly NodeId State = new("State", 1), Tag = new("Tag", 1);
    private static readonly NodeId Pump = new("Pump", 1);

    private readonly UpstreamFixture _gateway = new();
    private readonly SharedModel _shared = new();
    private readonly Lazy<NamespaceClaims> _claims;

    public ModelSharingTests() => _claims = new(() => new NamespaceClaims(
        Nodes.Namespaces, UpstreamLimits.Default,
        new NamespaceRecords(null, ["A", "B"], UpstreamLimits.Default, NullLogger.Instance)));

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    private NodeTable Nodes => _gateway.Nodes;

    [Fact]
    public void Merge_SameType_ThereOnceAndEachInstanceItsOwn()
    {
        Merger("A").Merge(Space("speed"), Map("A"));
        var merged = Merger("B").Merge(Space("speed"), Map("B"));

        Assert.Equal(0, merged.Differing);
        Assert.True(Find("State", "urn:gateway:B:urn:model").IsNone);
        foreach (var uri in new[] { Model, "urn:gateway:B:urn:model" })
            Assert.Equal(Nodes.GetNodeId(Find("State")), Nodes.GetVariableFacts(Find("Tag", uri)).DataType);
        Assert.Equal(Find("Tag").Index, Nodes.Find(new NodeId("Tag", Index(Model))).Index);
        Assert.Equal(
            Index(Model), Nodes.GetBrowseName(Find("Tag", "urn:gateway:B:urn:model")).NamespaceIndex);
    }

    [Fact]
    public void Merge_OtherFields_ServedBesideTheFirstWithItsEncoding()
    {
        Merger("A").Merge(Space("speed"), Map("A"));
        var merged = Merger("B").Merge(Space("level"), Map("B"));

        Assert.Equal((1, State), (merged.Differing, merged.FirstDiffering));
        AssertField("speed", Find("State"));
        AssertField("level", Find("State", "urn:gateway:B:urn:model"));
        var definitions = new TableDefinitions(Nodes);
        var moved = Nodes.GetNodeId(Find("State", "urn:gateway:B:urn:model"));
        Assert.Equal(new NodeId("Binary", Index("urn:gateway:B:urn:model")), definitions.BinaryEncodingOf(moved));
        Assert.Equal(moved, Nodes.GetVariableFacts(Find("Tag", "urn:gateway:B:urn:model")).DataType);
        Assert.Equal(new NodeId("Binary", Index(Model)), definitions.BinaryEncodingOf(Nodes.GetNodeId(Find("State"))));
    }

    /// <summary>The URI is A's, the type that is there B's.</summary>
    [Fact]
    public void Merge_OtherFieldsOfTheUrisOwner_ServedBesideTheFirst()
    {
        var map = Map("A");
        Merger("B").Merge(Space("level"), Map("B"));
        var merged = Merger("A").Merge(Space("speed"), map);

        Assert.Equal(1, merged.Differing);
        AssertField("level", Find("State"));
        AssertField("speed", Find("State", "urn:gateway:A:urn:model"));
        Assert.False(Find("Tag").IsNone);
    }

    [Fact]
    public void RemoveAll_TypeThatAnotherHas_GoesWithTheLast()
    {
        var (first, second) = (Merger("A"), Merger("B"));
        first.Merge(Space("speed"), Map("A"));
        second.Merge(Space("speed"), Map("B"));

        first.RemoveAll();
        Assert.False(Find("State").IsNone);
        Assert.True(Find("Tag").IsNone);

        second.RemoveAll();
        Assert.True(Find("State").IsNone);
    }

    [Fact]
    public void Merge_TypeOfANodeSet_SharedAndLeftThere()
    {
        var index = Nodes.Namespaces.GetOrAdd(Model);
        Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId("State", index),
            NodeClass = NodeClass.DataType,
            BrowseName = new QualifiedName("State", index),
            DataTypeDefinition = Definition("speed"),
        }));
        var merger = Merger("A");
        merger.Merge(Space("speed"), Map("A"));
        merger.Merge(Space("speed"), Map("A"));

        Assert.Equal(
            new NodeId("State", index), Nodes.GetVariableFacts(Find("Tag", "urn:gateway:A:urn:model")).DataType);
        // An upstream adds nothing to the NodeSet's namespace.
        Assert.True(Find("Binary").IsNone);
        merger.RemoveAll();
        Assert.False(Find("State").IsNone);
    }

    /// <summary>Values of the first are read by what it says of its types.</summary>
    [Fact]
    public void Merge_OtherSupertypeAndEncoding_OfASharedTypeLeftOut()
    {
        Merger("A").Merge(Space("speed"), Map("A"));
        var space = Space("speed");
        var other = new NodeId("OtherBinary", 1);
        Add(space, other, NodeClass.Object, isModel: true);
        space.References.Add(new BrowsedReference(new NodeId(29), new NodeId(45), State));
        space.References.Add(new BrowsedReference(State, new NodeId(38), other));
        Merger("B").Merge(space, Map("B"));

        Assert.Equal(new NodeId(22), Nodes.GetNodeId(Nodes.GetSuperType(Find("State"))));
        Assert.DoesNotContain(
            References(Find("State")), one => one.Target == Find("OtherBinary"));
    }

    private static readonly (NodeClass NodeClass, Action<BrowsedNode> Change)[] Versions =
    [
        (NodeClass.ObjectType, static node => node.IsAbstract = true),
        (NodeClass.VariableType, static node => node.Facts = new VariableFacts(new NodeId(10))),
        (NodeClass.VariableType, static node => node.Facts = new VariableFacts(new NodeId(11), ValueRank: 1)),
        (NodeClass.ReferenceType, static node => node.Symmetric = true),
        (NodeClass.ReferenceType, static node => node.InverseName = new LocalizedText("IsFedBy")),
    ];

    /// <summary>With what belongs to it; and its subtype is another type, too.</summary>
    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Merge_AnotherVersionOfAType_ServedBesideTheFirstAndTold(int version)
    {
        var (nodeClass, change) = Versions[version];
        Merger("A").Merge(Types(Type(nodeClass)), Map("A"));

        var merged = Merger("B").Merge(Types(Type(nodeClass, change)), Map("B"));

        Assert.Equal((2, Pump), (merged.Differing, merged.FirstDiffering));
        const string Moved = "urn:gateway:B:urn:model";
        Assert.Equal(Find("Pump", Moved), Nodes.GetSuperType(Find("Feed", Moved)));
        Assert.Equal(Find("Pump"), Nodes.GetSuperType(Find("Feed")));
        Assert.Equal(Find("Limit", Moved), Target(Find("Pump", Moved), 47));
        Assert.Equal(Find("Limit"), Target(Find("Pump"), 47));
        Assert.Equal(Find("Feed", Moved), Target(Find("Motor", Moved), 40));
    }

    /// <summary>The last part is told of first, as a server may do that wants to cost us much: looked through once for
    /// each part, the references of this one took minutes, while other upstreams waited (R42, R44).</summary>
    [Fact]
    public void Merge_PartsOfPartsInTheWorstOrder_AllMoveWithTheirType()
    {
        const int Depth = 20_000;
        Merger("A").Merge(Types(Type(NodeClass.ObjectType)), Map("A"));
        var space = Types(Type(NodeClass.ObjectType, static node => node.IsAbstract = true));
        for (var i = Depth; i > 0; i--)
        {
            var part = new NodeId($"Part{i}", 1);
            Add(space, part, NodeClass.Object, isModel: true);
            space.References.Add(new BrowsedReference(
                i == 1 ? Pump : new NodeId($"Part{i - 1}", 1), new NodeId(47), part));
        }

        var merged = Merger("B", maxNodes: 2 * Depth).Merge(space, Map("B"));

        Assert.Equal(Pump, merged.FirstDiffering);
        Assert.False(Find($"Part{Depth}", "urn:gateway:B:urn:model").IsNone);
        Assert.True(Find($"Part{Depth}").IsNone);
    }

    /// <summary>Each uses the one before, and one has them all: they were all compared once for each level, so that
    /// some thousand of a hostile server took minutes, while other upstreams waited (R42, R44).</summary>
    [Fact]
    public void Settle_TypesThatUseEachOther_EachIsComparedAFewTimes()
    {
        const int Depth = 2_000;
        Merger("A", maxNodes: 2 * Depth).Merge(Chain("speed"), Map("A"));
        var (space, map) = (Chain("flow"), Map("B"));

        var sharing = new ModelSharing(space, Nodes, map, _shared, []);
        sharing.Settle([]);

        Assert.Equal(Depth + 1, sharing.Differing);
        // Of the URI, which is the first one's, it has nothing.
        Assert.Empty(map.Exceptions);
        Assert.InRange(sharing.Compared, Depth, 3 * Depth);

        static BrowsedSpace Chain(string field)
        {
            var space = new BrowsedSpace();
            // The worst order: the one that differs comes last.
            Add(space, new NodeId("All", 1), NodeClass.DataType, isModel: true).Definition = Uses(
                [.. Enumerable.Range(0, Depth).Select(static i => new NodeId($"Type{i}", 1))]);
            for (var i = Depth - 1; i > 0; i--)
                Add(space, new NodeId($"Type{i}", 1), NodeClass.DataType, isModel: true).Definition =
                    Uses(new NodeId($"Type{i - 1}", 1));
            Add(space, new NodeId("Type0", 1), NodeClass.DataType, isModel: true).Definition = Definition(field);
            foreach (var id in space.Nodes.Keys)
                space.References.Add(new BrowsedReference(new NodeId(22), new NodeId(45), id));
            return space;
        }
    }

    /// <summary>That its supertype differs is not what moves it.</summary>
    [Fact]
    public void Settle_DataTypeWithAFieldThatMovesLater_MovesToo()
    {
        Merger("A").Merge(Family("speed"), Map("A"));

        var sharing = new ModelSharing(Family("flow"), Nodes, Map("B"), _shared, []);
        sharing.Settle([]);

        Assert.Equal(4, sharing.Differing);

        static BrowsedSpace Family(string field)
        {
            var space = new BrowsedSpace();
            foreach (var (name, definition, super) in new[]
            {
                ("Field", Uses(new NodeId("Last", 1)), new NodeId(22)), ("Super", Definition(field), new NodeId(22)),
                ("Sub", Uses(new NodeId("Field", 1)), new NodeId("Super", 1)),
                ("Last", Definition(field), new NodeId(22)),
            })
            {
                Add(space, new NodeId(name, 1), NodeClass.DataType, isModel: true).Definition = definition;
                space.References.Add(new BrowsedReference(super, new NodeId(45), new NodeId(name, 1)));
            }

            return space;
        }
    }

    /// <summary>The attributes could not be read: those of a browsed node are the defaults.</summary>
    [Fact]
    public void Merge_TypeThatSaysNothingOfItself_IsTheSame()
    {
        Merger("A").Merge(Types(Type(NodeClass.ObjectType, static node => node.IsAbstract = true)), Map("A"));
        var silent = Type(NodeClass.ObjectType, static node => node.HasTypeFacts = false);

        Assert.Equal(0, Merger("B").Merge(Types(silent), Map("B")).Differing);
    }

    [Theory]
    [InlineData(NodeClass.ObjectType)]
    [InlineData(NodeClass.VariableType)]
    [InlineData(NodeClass.ReferenceType)]
    public void Merge_SameTypeWithOneDeclarationMore_ThereOnceWithBoth(NodeClass nodeClass)
    {
        Merger("A").Merge(Types(Type(nodeClass)), Map("A"));
        var space = Types(Type(nodeClass));
        Add(space, new NodeId("Added", 1), NodeClass.Variable, isModel: true);
        space.References.Add(new BrowsedReference(Pump, new NodeId(46), new NodeId("Added", 1)));

        Assert.Equal(0, Merger("B").Merge(space, Map("B")).Differing);

        Assert.True(Find("Pump", "urn:gateway:B:urn:model").IsNone);
        Assert.Equal(Find("Added"), Target(Find("Pump"), 46));
    }

    /// <summary>Of its first reference of that type.</summary>
    private NodeHandle Target(NodeHandle node, uint type) => References(node)
        .First(one => one.IsForward && Nodes.GetNodeId(one.ReferenceType) == new NodeId(type)).Target;

    private static BrowsedNode Type(NodeClass nodeClass, Action<BrowsedNode>? change = null)
    {
        var node = new BrowsedNode
        {
            Id = Pump,
            NodeClass = nodeClass,
            BrowseName = new QualifiedName("Pump", 1),
            InverseName = nodeClass == NodeClass.ReferenceType ? new LocalizedText("IsFeedOf") : default,
            Facts = nodeClass == NodeClass.VariableType ? new VariableFacts(new NodeId(11)) : default,
            IsModel = true,
            HasTypeFacts = true,
        };
        change?.Invoke(node);
        return node;
    }

    /// <summary>The type with a declaration, its subtype, and an instance of that.</summary>
    private static BrowsedSpace Types(BrowsedNode pump)
    {
        var (feed, limit, motor) = (new NodeId("Feed", 1), new NodeId("Limit", 1), new NodeId("Motor", 1));
        var space = new BrowsedSpace();
        space.Nodes.Add(Pump, pump);
        Add(space, feed, pump.NodeClass, isModel: true).Facts = pump.Facts;
        Add(space, limit, NodeClass.Variable, isModel: true).Facts = new VariableFacts(new NodeId(11));
        Add(space, motor, NodeClass.Object, isModel: false).TypeDefinition = feed;
        space.References.Add(new BrowsedReference(new NodeId(58), new NodeId(45), Pump));
        space.References.Add(new BrowsedReference(Pump, new NodeId(45), feed));
        space.References.Add(new BrowsedReference(Pump, new NodeId(47), limit));
        space.References.Add(new BrowsedReference(default, new NodeId(35), motor));
        return space;
    }

    [Fact]
    public void ToUpstream_InstanceOfTheOther_HasNoCounterpart()
    {
        var (first, second) = (Map("A"), Map("B"));
        Merger("A").Merge(Space("speed"), first);
        Merger("B").Merge(Space("speed"), second);

        Assert.False(second.TryToUpstream(new NodeId("Tag", Index(Model)), out _));
        Assert.True(second.TryToUpstream(new NodeId("State", Index(Model)), out var state));
        Assert.Equal(State, state);
        Assert.True(second.TryToUpstream(new NodeId("Tag", Index("urn:gateway:B:urn:model")), out var tag));
        Assert.Equal(Tag, tag);
    }

    [Fact]
    public void Map_ExpandedNodeIdWithTheUri_MovesLikeTheNode()
    {
        Merger("A").Merge(Space("speed"), Map("A"));
        var map = Map("B");
        Merger("B").Merge(Space("speed"), map);

        var local = map.ToLocal().Map(new ExpandedNodeId(new NodeId("Tag", 0), Model));
        Assert.Equal(new ExpandedNodeId(new NodeId("Tag", Index("urn:gateway:B:urn:model"))), local);
        var upstream = map.ToUpstream().Map(new ExpandedNodeId(new NodeId("Tag", 0), "urn:gateway:B:urn:model"));
        Assert.Equal(new ExpandedNodeId(Tag), upstream);
    }

    private NamespaceMap Map(string upstream) => _claims.Value.Map(upstream, ["http://opcfoundation.org/UA/", Model]);

    private SpaceMerger Merger(string upstream, int maxNodes = 100)
    {
        var source = new StoreSource(_gateway.Values, _gateway.Time);
        var root = UpstreamRoots.Add(Nodes, upstream);
        return new SpaceMerger(root, source, source, Nodes, _gateway.Values, _shared, maxNodes);
    }

    private ushort Index(string uri) =>
        Nodes.Namespaces.TryGetIndex(uri, out var index) ? index : throw new ArgumentException(uri);

    private NodeHandle Find(string name, string uri = Model) =>
        Nodes.Namespaces.TryGetIndex(uri, out var index) ? Nodes.Find(new NodeId(name, index)) : default;

    private void AssertField(string name, NodeHandle dataType)
    {
        Nodes.ReadAttribute(dataType, AttributeId.DataTypeDefinition, out var value);
        Assert.Equal(name, value.AsStructure<StructureDefinition>()!.Fields![0].Name);
    }

    private List<Reference> References(NodeHandle node)
    {
        List<Reference> all = [];
        foreach (var reference in Nodes.References(node))
            all.Add(reference);
        return all;
    }

    private static BrowsedSpace Space(string field)
    {
        var space = new BrowsedSpace();
        Add(space, State, NodeClass.DataType, isModel: true).Definition = Definition(field);
        Add(space, Binary, NodeClass.Object, isModel: true);
        Add(space, Tag, NodeClass.Variable, isModel: false).Facts = new VariableFacts(State);
        space.References.Add(new BrowsedReference(new NodeId(22), new NodeId(45), State));
        space.References.Add(new BrowsedReference(State, new NodeId(38), Binary));
        space.References.Add(new BrowsedReference(default, new NodeId(35), Tag));
        return space;
    }
}
