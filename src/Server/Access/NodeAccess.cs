using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Server.Access;

/// <summary>The access levels of nodes and the permissions of roles in one answer. Thread-safe.</summary>
internal sealed class NodeAccess(NodeTable nodes, AccessPolicy policy)
{
    /// <summary>The roles of namespace 0 that our roles are. Source: Part 18 §4.3.</summary>
    private static readonly (Roles Role, uint NodeId)[] WellKnownRoles =
    [
        (Roles.Observer, 15668),
        (Roles.Operator, 15680),
        (Roles.Engineer, 16036),
        (Roles.SecurityAdmin, 15704),
    ];

    /// <summary>Whether the node exists for these roles at all; one that does not is answered like an unknown one.
    /// </summary>
    public bool IsVisible(Roles roles, NodeHandle node) => policy.Allows(roles, node, PermissionType.Browse);

    /// <summary>Errors: Bad_NodeIdUnknown, Bad_UserAccessDenied, Bad_NotReadable.</summary>
    public StatusCode CheckRead(Roles roles, NodeHandle node, AttributeId attribute)
    {
        var permissions = policy.PermissionsOf(roles, node);
        if ((permissions & PermissionType.Browse) == 0)
            return node.IsNone || roles != Roles.None ? StatusCodes.BadNodeIdUnknown : StatusCodes.BadUserAccessDenied;
        if (attribute != AttributeId.Value || nodes.GetNodeClass(node) != NodeClass.Variable)
            return StatusCode.Good;
        if (!nodes.GetVariableFacts(node).IsReadable)
            return StatusCodes.BadNotReadable;
        return (permissions & PermissionType.Read) != 0 ? StatusCode.Good : StatusCodes.BadUserAccessDenied;
    }

    /// <summary>Of a Variable's Value. Errors: Bad_NodeIdUnknown, Bad_NotWritable, Bad_UserAccessDenied.</summary>
    public StatusCode CheckWrite(Roles roles, NodeHandle node)
    {
        var permissions = policy.PermissionsOf(roles, node);
        if ((permissions & PermissionType.Browse) == 0 && roles != Roles.None)
            return StatusCodes.BadNodeIdUnknown;
        if (!nodes.GetVariableFacts(node).IsWritable)
            return StatusCodes.BadNotWritable;
        return (permissions & PermissionType.Write) != 0 ? StatusCode.Good : StatusCodes.BadUserAccessDenied;
    }

    public bool MayCall(Roles roles, NodeHandle node, NodeHandle method) =>
        policy.Allows(roles, node, PermissionType.Browse) && policy.Allows(roles, method, PermissionType.Call);

    /// <summary>The attributes that depend on who asks; false for all others.</summary>
    public bool TryReadUserAttribute(Roles roles, NodeHandle node, AttributeId attribute, out Variant value)
    {
        value = default;
        var nodeClass = nodes.GetNodeClass(node);
        switch (attribute)
        {
            case AttributeId.UserAccessLevel when nodeClass == NodeClass.Variable:
                value = new Variant((byte)UserAccessLevel(roles, node));
                return true;
            case AttributeId.UserExecutable when nodeClass == NodeClass.Method:
                nodes.ReadAttribute(node, AttributeId.Executable, out var executable);
                value = new Variant(executable.AsBoolean() && policy.Allows(roles, node, PermissionType.Call));
                return true;
            case AttributeId.UserWriteMask:
                value = new Variant(0u);
                return true;
            case AttributeId.UserRolePermissions:
                value = UserRolePermissions(roles, node);
                return true;
            default:
                return false;
        }
    }

    private AccessLevelType UserAccessLevel(Roles roles, NodeHandle node)
    {
        var level = (AccessLevelType)(byte)nodes.GetVariableFacts(node).AccessLevel;
        var permissions = policy.PermissionsOf(roles, node);
        if ((permissions & PermissionType.Read) == 0)
            level &= ~AccessLevelType.CurrentRead;
        if ((permissions & PermissionType.Write) == 0)
            level &= ~(AccessLevelType.CurrentWrite | AccessLevelType.StatusWrite | AccessLevelType.TimestampWrite);
        if ((permissions & PermissionType.ReadHistory) == 0)
            level &= ~AccessLevelType.HistoryRead;
        return level;
    }

    private Variant UserRolePermissions(Roles roles, NodeHandle node)
    {
        var permissions = new List<ExtensionObject>();
        foreach (var (role, nodeId) in WellKnownRoles)
        {
            if ((roles & role) == 0)
                continue;
            permissions.Add(new ExtensionObject(new RolePermissionType
            {
                RoleId = new NodeId(nodeId),
                Permissions = policy.PermissionsOf(role, node),
            }));
        }

        return Variant.FromArray(BuiltInType.ExtensionObject, permissions.ToArray());
    }
}
