using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests.Nodes;

public sealed class NodeUpdateTests : INodeListener
{
    private static readonly NodeDefinition Tag = new()
    {
        NodeId = new NodeId("Tag", 1),
        NodeClass = NodeClass.Variable,
        BrowseName = new QualifiedName("Tag", 1),
        Variable = new VariableFacts(new NodeId(11)),
    };

    private readonly NodeTable _nodes = new();
    private readonly List<string> _heard = [];

    public NodeUpdateTests()
    {
        _nodes.Namespaces.GetOrAdd("urn:test");
        _nodes.Apply(new NodeBatch().AddNode(Tag));
        _nodes.Listen(this);
    }

    private NodeHandle Node => _nodes.Find(Tag.NodeId);

    void INodeListener.OnApplied(in NodeChanges changes)
    {
        // What is told is in the table already.
        foreach (var node in changes.Removed)
            _heard.Add($"-{_nodes.GetNodeId(node)} {_nodes.Exists(node)}");
        foreach (var node in changes.Updated)
            _heard.Add($"={_nodes.GetDisplayName(node).Text}");
        for (var i = 0; i < changes.AddedCount; i++)
            _heard.Add($"+{changes.Added(i)} {!_nodes.Find(changes.Added(i)).IsNone}");
    }

    [Fact]
    public void Update_AttributesChangeInPlace()
    {
        var before = Node;
        _nodes.Apply(new NodeBatch().Update(before, Tag with
        {
            DisplayName = new LocalizedText("Pressure"),
            Description = new LocalizedText("of the boiler"),
            Variable = new VariableFacts(new NodeId(6), AccessLevel: AccessLevelExType.CurrentWrite),
        }));
        Assert.Equal(before, Node);
        Assert.Equal("Pressure", _nodes.GetDisplayName(Node).Text);
        Assert.Equal(StatusCode.Good, _nodes.ReadAttribute(Node, AttributeId.Description, out var description));
        Assert.Equal("of the boiler", description.AsLocalizedText().Text);
        Assert.Equal(new NodeId(6), _nodes.GetVariableFacts(Node).DataType);
        Assert.True(_nodes.GetVariableFacts(Node).IsWritable);
        Assert.Equal(["=Pressure"], _heard);
    }

    [Fact]
    public void Update_WhatANodeIs_IsRefusedAndNothingChanges()
    {
        var other = new NodeDefinition
        {
            NodeId = new NodeId("Other", 1),
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Other", 1),
        };
        var batch = new NodeBatch().AddNode(other).Update(Node, Tag with { BrowseName = new QualifiedName("No", 1) });
        Assert.Throws<ArgumentException>(() => _nodes.Apply(batch));
        Assert.Throws<ArgumentException>(() => _nodes.Apply(
            new NodeBatch().Update(Node, Tag with { NodeClass = NodeClass.VariableType })));
        Assert.Throws<ArgumentException>(() => _nodes.Apply(
            new NodeBatch().Update(Node, Tag with { NodeId = new NodeId("Elsewhere", 1) })));
        Assert.Throws<ArgumentException>(() => _nodes.Apply(new NodeBatch().Remove(Node).Update(Node, Tag)));
        Assert.Throws<ArgumentException>(() => _nodes.Apply(new NodeBatch().Update(default, Tag)));
        Assert.True(_nodes.Find(other.NodeId).IsNone);
        Assert.False(_nodes.Find(Tag.NodeId).IsNone);
        Assert.Empty(_heard);
    }

    [Fact]
    public void Apply_ReplacedNode_IsToldAfterwards()
    {
        _nodes.Apply(new NodeBatch().Remove(Node).AddNode(Tag));
        Assert.Equal(["-ns=1;s=Tag False", "+ns=1;s=Tag True"], _heard);
    }

    [Fact]
    public void Update_BesideReaders_EachAttributeIsOldOrNew()
    {
        var updates = new[] { Tag, Tag with { DisplayName = new LocalizedText("Druck") } };
        var torn = 0;
        var reader = new Thread(() =>
        {
            for (var i = 0; i < 200_000; i++)
                torn += _nodes.GetDisplayName(Node).Text is "Tag" or "Druck" ? 0 : 1;
        });
        reader.Start();
        for (var i = 0; i < 20_000; i++)
            _nodes.Apply(new NodeBatch().Update(Node, updates[i % 2]));
        reader.Join();
        Assert.Equal((0, 20_000), (torn, _heard.Count));
    }

    [Fact]
    public void RemoveReference_BothEndsLoseItAndKeepTheOthers()
    {
        var (organizes, component) = (Type(35), Type(47));
        _nodes.Apply(new NodeBatch()
            .AddNode(Tag with { NodeId = new NodeId("Line", 1), NodeClass = NodeClass.Object })
            .AddReference(new NodeId("Line", 1), new NodeId(35), Tag.NodeId)
            .AddReference(new NodeId("Line", 1), new NodeId(47), Tag.NodeId));
        var line = _nodes.Find(new NodeId("Line", 1));

        _nodes.Apply(new NodeBatch().RemoveReference(line, organizes, Node));

        Assert.Equal([(component, true, Node)], ReferencesOf(line));
        Assert.Equal([(component, false, line)], ReferencesOf(Node));
    }

    /// <summary>A type that has another supertype: the one of the same batch.</summary>
    [Fact]
    public void RemoveReference_OfASupertype_TheNewOneCounts()
    {
        var hasSubtype = Type(45);
        foreach (var name in (string[])["Base", "Other", "Sub"])
            _nodes.Apply(new NodeBatch().AddNode(Tag with
            {
                NodeId = new NodeId(name, 1),
                NodeClass = NodeClass.DataType,
                BrowseName = new QualifiedName(name, 1),
            }));
        var (before, after, sub) = (Find("Base"), Find("Other"), Find("Sub"));
        _nodes.Apply(new NodeBatch().AddReference(new NodeId("Base", 1), new NodeId(45), new NodeId("Sub", 1)));
        Assert.True(_nodes.IsSubtypeOf(sub, before));
        var version = _nodes.DataTypesVersion;

        _nodes.Apply(new NodeBatch().RemoveReference(before, hasSubtype, sub));
        Assert.False(_nodes.IsSubtypeOf(sub, before));
        Assert.NotEqual(version, _nodes.DataTypesVersion);
        _nodes.Apply(new NodeBatch().AddReference(new NodeId("Base", 1), new NodeId(45), new NodeId("Sub", 1)));
        _nodes.Apply(new NodeBatch().RemoveReference(before, hasSubtype, sub)
            .AddReference(new NodeId("Other", 1), new NodeId(45), new NodeId("Sub", 1)));

        Assert.False(_nodes.IsSubtypeOf(sub, before));
        Assert.True(_nodes.IsSubtypeOf(sub, after));

        NodeHandle Find(string name) => _nodes.Find(new NodeId(name, 1));
    }

    private NodeHandle Type(uint id)
    {
        _nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = new NodeId(id),
            NodeClass = NodeClass.ReferenceType,
            BrowseName = new QualifiedName($"Type{id}"),
        }));
        return _nodes.Find(new NodeId(id));
    }

    private List<(NodeHandle, bool, NodeHandle)> ReferencesOf(NodeHandle node)
    {
        List<(NodeHandle, bool, NodeHandle)> found = [];
        foreach (var reference in _nodes.References(node))
            found.Add((reference.ReferenceType, reference.IsForward, reference.Target));
        return found;
    }
}
