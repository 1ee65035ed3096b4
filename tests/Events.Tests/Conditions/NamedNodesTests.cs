using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;

namespace Gateway.Events.Tests.Conditions;

/// <summary>R36: a field names no node that somebody who gets the event may not see.</summary>
public sealed class NamedNodesTests
{
    private static readonly NodeId Operator = new(15680);
    private static readonly NodeId Engineer = new(16036);

    private readonly NodeTable _nodes = new();
    private readonly NodeId _open;
    private readonly NodeId _hidden;

    public NamedNodesTests()
    {
        _nodes.Namespaces.GetOrAdd("urn:own");
        _open = new NodeId("open", _nodes.Namespaces.GetOrAdd("urn:open"));
        _hidden = new NodeId("hidden", _nodes.Namespaces.GetOrAdd("urn:hidden"));
        _nodes.Apply(new NodeBatch().AddNode(Define(_open)));
        Rule(_hidden, (Engineer, PermissionType.Browse | PermissionType.ReceiveEvents));
    }

    [Fact]
    public void Hide_SourceWithoutARule_NamesOpenNodesAlone()
    {
        Variant[] values =
        [
            new(_hidden), new(_open), new(_hidden), new(new NodeId(StandardIds.Objects.Server)),
            Variant.FromArray(BuiltInType.NodeId, new[] { _open, _hidden }),
            Variant.FromArray(BuiltInType.NodeId, new[] { _open }), new(7), Variant.Null,
        ];
        var before = values.ToArray();
        NamedNodes.Hide(_nodes, values, first: 1, _nodes.Find(_open));
        (before[2], before[4]) = (Variant.Null, Variant.Null);
        Assert.Equal(before, values);
    }

    [Fact]
    public void Hide_ChangesOfTheModel_NameAllOrNone()
    {
        Variant[] values = [Changes(_open), Changes(_open, _hidden), Changes(_hidden)];
        NamedNodes.Hide(_nodes, values, first: 0, _nodes.Find(_open));
        Assert.Equal([false, true, true], values.Select(static one => one.IsNull));
    }

    /// <summary>As an upstream may put it into a field of any type.</summary>
    [Fact]
    public void Hide_NodesInsideOfOtherValues_AreFound()
    {
        Variant[] Values(NodeId node) =>
        [
            new(new ExpandedNodeId(node)),
            new(new ExpandedNodeId(node.WithNamespace(0), _nodes.Namespaces.GetUri(node.NamespaceIndex))),
            Variant.FromArray(BuiltInType.ExpandedNodeId, new ExpandedNodeId[] { node }),
            Variant.FromArray(BuiltInType.Variant, new Variant[] { new(7), new(node) }),
            Variant.FromMatrix(BuiltInType.NodeId, new Matrix(new[] { node, node, node, node }, [2, 2])),
            new(new DataValue(new Variant(node))),
            Variant.FromStructure(new AddNodesItem { ParentNodeId = node }),
            Variant.FromStructure(new DeleteReferencesItem { TargetNodeId = node }),
        ];
        var (open, hidden) = (Values(_open), Values(_hidden));
        var before = open.ToArray();

        NamedNodes.Hide(_nodes, open, first: 0, _nodes.Find(_open));
        NamedNodes.Hide(_nodes, hidden, first: 0, _nodes.Find(_open));

        Assert.Equal(before, open);
        Assert.All(hidden, static one => Assert.True(one.IsNull));
    }

    /// <summary>The node may be there or not: its namespace says it.</summary>
    [Theory]
    [InlineData(true, PermissionType.ReceiveEvents, true)]
    [InlineData(false, PermissionType.ReceiveEvents, false)]
    [InlineData(false, PermissionType.Browse, true)]
    public void MayName_SourceWithARule_GoesByThoseWhoReceiveItsEvents(
        bool isEngineer, PermissionType permission, bool expected)
    {
        var source = new NodeId("source", _nodes.Namespaces.GetOrAdd("urn:source"));
        Rule(source, (isEngineer ? Engineer : Operator, permission), (Engineer, PermissionType.ReceiveEvents));
        _nodes.Apply(new NodeBatch().AddNode(Define(source)));
        Assert.Equal(expected, NamedNodes.MayName(_nodes, _hidden, _nodes.Find(source)));
        _nodes.Apply(new NodeBatch().AddNode(Define(_hidden)));
        Assert.Equal(expected, NamedNodes.MayName(_nodes, _hidden, _nodes.Find(source)));
    }

    /// <summary>A node that only protected channels may browse is not named to those who need none.</summary>
    [Fact]
    public void MayName_NodeWithRestrictionsThatTheSourceHasNot_IsNotNamed()
    {
        const AccessRestrictionType Protected =
            AccessRestrictionType.EncryptionRequired | AccessRestrictionType.ApplyRestrictionsToBrowse;
        var secret = new NodeId("secret", _nodes.Namespaces.GetOrAdd("urn:secret"));
        _nodes.SetDefaultRule(
            secret.NamespaceIndex, new AccessRule(null, Protected));
        Assert.False(NamedNodes.MayName(_nodes, secret, _nodes.Find(_open)));
        _nodes.SetDefaultRule(
            _open.NamespaceIndex, new AccessRule(null, Protected));
        Assert.True(NamedNodes.MayName(_nodes, secret, _nodes.Find(_open)));
    }

    private void Rule(NodeId of, params (NodeId Role, PermissionType Permissions)[] entries) => _nodes.SetDefaultRule(
        of.NamespaceIndex, new AccessRule(
            Array.ConvertAll(entries, static one => new RolePermissionType
            {
                RoleId = one.Role,
                Permissions = one.Permissions,
            }), null));

    private static Variant Changes(params NodeId[] affected) => Variant.FromArray(
        BuiltInType.ExtensionObject,
        Array.ConvertAll(affected, static one => new ExtensionObject(
            new ModelChangeStructureDataType { Affected = one })));

    private static NodeDefinition Define(NodeId id) => new()
    {
        NodeId = id,
        NodeClass = NodeClass.Object,
        BrowseName = new QualifiedName(id.String),
    };
}
