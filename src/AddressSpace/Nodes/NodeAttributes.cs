using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>Which node has which attribute, and its value. UserWriteMask, UserAccessLevel, UserExecutable and
/// UserRolePermissions come as if everything were allowed; the server's access check narrows them. Source: Part 3 §5,
/// Part 4 §7.24 for the answer to an absent attribute.</summary>
internal static class NodeAttributes
{
    /// <summary>Errors: Bad_AttributeIdInvalid.</summary>
    public static StatusCode Read(NodeTable table, in NodeRecord node, AttributeId attribute, out Variant value)
    {
        var extras = node.Extra as NodeExtras;
        switch (attribute)
        {
            case AttributeId.NodeId:
                return Good(new Variant(node.NodeId), out value);
            case AttributeId.NodeClass:
                return Good(new Variant((int)node.Class), out value);
            case AttributeId.BrowseName:
                return Good(new Variant(NodeTable.BrowseName(node)), out value);
            case AttributeId.DisplayName:
                return Good(new Variant(NodeTable.DisplayName(node)), out value);
            case AttributeId.Description when extras is { Description.IsNull: false }:
                return Good(new Variant(extras.Description), out value);
            case AttributeId.WriteMask or AttributeId.UserWriteMask:
                return Good(new Variant(0u), out value);
            case AttributeId.RolePermissions or AttributeId.UserRolePermissions when
                extras?.RolePermissions is { } permissions:
                return Good(Structures(permissions), out value);
            case AttributeId.AccessRestrictions when extras?.AccessRestrictions is { } restrictions:
                return Good(new Variant((ushort)restrictions), out value);
            default:
                return ReadOfClass(table, node, extras, attribute, out value);
        }
    }

    private static StatusCode ReadOfClass(
        NodeTable table, in NodeRecord node, NodeExtras? extras, AttributeId attribute, out Variant value)
    {
        var flag = (node.Flags & NodeRecord.ClassFlag) != 0;
        switch (node.NodeClass)
        {
            case NodeClass.Object when attribute == AttributeId.EventNotifier:
                return Good(new Variant((byte)node.Facts), out value);
            case NodeClass.View when attribute == AttributeId.EventNotifier:
                return Good(new Variant((byte)node.Facts), out value);
            case NodeClass.View when attribute == AttributeId.ContainsNoLoops:
                return Good(new Variant(flag), out value);
            case NodeClass.Method when attribute is AttributeId.Executable or AttributeId.UserExecutable:
                return Good(new Variant(flag && table.IsCallable(node)), out value);
            case NodeClass.ReferenceType when attribute == AttributeId.Symmetric:
                return Good(new Variant(flag), out value);
            case NodeClass.ReferenceType when attribute == AttributeId.InverseName &&
                extras is { InverseName.IsNull: false }:
                return Good(new Variant(extras.InverseName), out value);
            case NodeClass.DataType when attribute == AttributeId.DataTypeDefinition &&
                extras?.DataTypeDefinition is { } definition:
                return Good(Variant.FromStructure((IStructure)definition), out value);
            case NodeClass.ObjectType or NodeClass.VariableType or NodeClass.ReferenceType or NodeClass.DataType when
                attribute == AttributeId.IsAbstract:
                return Good(new Variant((node.Flags & NodeRecord.Abstract) != 0), out value);
            case NodeClass.Variable or NodeClass.VariableType:
                return ReadOfVariable(node.NodeClass, table.Facts(node.Facts), attribute, out value);
            default:
                value = default;
                return StatusCodes.BadAttributeIdInvalid;
        }
    }

    private static StatusCode ReadOfVariable(
        NodeClass nodeClass, in VariableFacts facts, AttributeId attribute, out Variant value)
    {
        switch (attribute)
        {
            case AttributeId.DataType:
                return Good(new Variant(facts.DataType), out value);
            case AttributeId.ValueRank:
                return Good(new Variant(facts.ValueRank), out value);
            case AttributeId.ArrayDimensions:
                return Good(Variant.FromArray(BuiltInType.UInt32, Dimensions(facts)), out value);
            case AttributeId.AccessLevel or AttributeId.UserAccessLevel when nodeClass == NodeClass.Variable:
                return Good(new Variant((byte)facts.AccessLevel), out value);
            case AttributeId.AccessLevelEx when nodeClass == NodeClass.Variable:
                return Good(new Variant((uint)facts.AccessLevel), out value);
            case AttributeId.MinimumSamplingInterval when nodeClass == NodeClass.Variable:
                return Good(new Variant(facts.MinimumSamplingInterval), out value);
            case AttributeId.Historizing when nodeClass == NodeClass.Variable:
                return Good(new Variant(facts.Historizing), out value);
            default:
                value = default;
                return StatusCodes.BadAttributeIdInvalid;
        }
    }

    /// <summary>As many zeros (any length) as there are dimensions where the model names none. Source: Part 3 §5.6.2.
    /// </summary>
    private static uint[]? Dimensions(in VariableFacts facts) =>
        facts.ArrayDimensions ?? (facts.ValueRank > 0 ? new uint[facts.ValueRank] : null);

    private static Variant Structures(RolePermissionType[] permissions)
    {
        var bodies = new ExtensionObject[permissions.Length];
        for (var i = 0; i < bodies.Length; i++)
            bodies[i] = new ExtensionObject(permissions[i]);
        return Variant.FromArray(BuiltInType.ExtensionObject, bodies);
    }

    private static StatusCode Good(Variant found, out Variant value)
    {
        value = found;
        return StatusCodes.Good;
    }
}
