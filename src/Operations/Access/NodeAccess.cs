using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Operations.Access;

/// <summary>Combines the access levels of nodes with the permissions of roles. Thread-safe.</summary>
public sealed class NodeAccess(NodeTable nodes, AccessPolicy policy)
{
    /// <summary>The standard's node for each of the gateway's roles. Source: Part 18 §4.3.</summary>
    private static readonly (Roles Role, uint NodeId)[] WellKnownRoles =
    [
        (Roles.Observer, StandardIds.Objects.WellKnownRole_Observer),
        (Roles.Operator, StandardIds.Objects.WellKnownRole_Operator),
        (Roles.Engineer, StandardIds.Objects.WellKnownRole_Engineer),
        (Roles.SecurityAdmin, StandardIds.Objects.WellKnownRole_SecurityAdmin),
    ];

    /// <summary>Whether the node exists for the caller; an invisible node is answered like an unknown one.</summary>
    public bool IsVisible(Caller caller, NodeHandle node) => policy.Allows(caller, node, PermissionType.Browse);

    /// <summary>True for a ReferenceType that the caller can see.</summary>
    public bool IsReferenceType(Caller caller, NodeHandle node) =>
        nodes.GetNodeClass(node) == NodeClass.ReferenceType && IsVisible(caller, node);

    /// <summary>Errors: Bad_NodeIdUnknown, Bad_UserAccessDenied, Bad_SecurityModeInsufficient, Bad_NotReadable.
    /// </summary>
    public StatusCode CheckRead(Caller caller, NodeHandle node, AttributeId attribute)
    {
        var permissions = policy.PermissionsOf(caller, node);
        if ((permissions & PermissionType.Browse) == 0)
            return Hidden(caller, node);
        if (attribute == AttributeId.RolePermissions && nodes.GetRolePermissions(node) is not null)
            return policy.Check(caller, node, PermissionType.ReadRolePermissions);
        if (attribute != AttributeId.Value || nodes.GetNodeClass(node) != NodeClass.Variable)
            return StatusCode.Good;
        if (!nodes.GetVariableFacts(node).IsReadable)
            return StatusCodes.BadNotReadable;
        return (permissions & PermissionType.Read) != 0
            ? StatusCode.Good
            : policy.Check(caller, node, PermissionType.Read);
    }

    /// <summary>For the events of a notifier or a source. Errors: Bad_NodeIdUnknown, Bad_UserAccessDenied,
    /// Bad_SecurityModeInsufficient.</summary>
    public StatusCode CheckEvents(Caller caller, NodeHandle node)
    {
        var permissions = policy.PermissionsOf(caller, node);
        if ((permissions & PermissionType.Browse) == 0)
            return Hidden(caller, node);
        return (permissions & PermissionType.ReceiveEvents) != 0
            ? StatusCode.Good
            : policy.Check(caller, node, PermissionType.ReceiveEvents);
    }

    /// <summary>For a Variable's Value. Errors: Bad_NodeIdUnknown, Bad_NotWritable, Bad_UserAccessDenied,
    /// Bad_SecurityModeInsufficient.</summary>
    public StatusCode CheckWrite(Caller caller, NodeHandle node)
    {
        var permissions = policy.PermissionsOf(caller, node);
        if ((permissions & PermissionType.Browse) == 0)
            return Hidden(caller, node);
        if (!nodes.GetVariableFacts(node).IsWritable)
            return StatusCodes.BadNotWritable;
        return (permissions & PermissionType.Write) != 0
            ? StatusCode.Good
            : policy.Check(caller, node, PermissionType.Write);
    }

    /// <summary>For a method on an object; both must allow the call (Part 3 §8.55). Errors: Bad_NodeIdUnknown,
    /// Bad_MethodInvalid if the caller cannot see the method, Bad_UserAccessDenied, Bad_SecurityModeInsufficient.
    /// </summary>
    public StatusCode CheckCall(Caller caller, NodeHandle on, NodeHandle method)
    {
        if (!IsVisible(caller, on))
            return StatusCodes.BadNodeIdUnknown;
        if (!IsVisible(caller, method))
            return StatusCodes.BadMethodInvalid;
        var status = policy.Check(caller, method, PermissionType.Call);
        return status.IsBad ? status : policy.Check(caller, on, PermissionType.Call);
    }

    /// <summary>The missing role or protection and the node, for the audit log, which cuts a long id.</summary>
    public string RefusalInWords(Caller caller, in NodeId id, PermissionType permission) =>
        $"{policy.NeedOf(caller, nodes.Find(id), permission)} for {id}";

    /// <summary>The same for a Read.</summary>
    public string RefusalInWords(in Caller caller, in NodeId id, AttributeId attribute) =>
        RefusalInWords(caller, id, attribute switch
        {
            AttributeId.Value => PermissionType.Read,
            AttributeId.RolePermissions => PermissionType.ReadRolePermissions,
            _ => PermissionType.Browse,
        });

    /// <summary>The same for a Call: names the object or the method, whichever the caller may not call.</summary>
    public string RefusalInWords(Caller caller, in NodeId on, in NodeId method) =>
        policy.Allows(caller, nodes.Find(method), PermissionType.Call)
            ? RefusalInWords(caller, on, PermissionType.Call)
            : RefusalInWords(caller, method, PermissionType.Call);

    /// <summary>Reads an attribute that depends on the caller; false for all others.</summary>
    public bool TryReadUserAttribute(Caller caller, NodeHandle node, AttributeId attribute, out Variant value)
    {
        value = default;
        var nodeClass = nodes.GetNodeClass(node);
        switch (attribute)
        {
            case AttributeId.UserAccessLevel when nodeClass == NodeClass.Variable:
                value = new Variant((byte)UserAccessLevel(caller, node));
                return true;
            case AttributeId.UserExecutable when nodeClass == NodeClass.Method:
                nodes.ReadAttribute(node, AttributeId.Executable, out var executable);
                value = new Variant(executable.AsBoolean() && MayCallSomewhere(caller, node));
                return true;
            case AttributeId.UserWriteMask:
                value = new Variant(0u);
                return true;
            case AttributeId.UserRolePermissions:
                value = UserRolePermissions(caller, node);
                return true;
            case AttributeId.DisplayName or AttributeId.Description or AttributeId.InverseName:
                if (!nodes.TryGetText(node, attribute, caller.Locales, out var text))
                    return false;
                value = new Variant(text);
                return true;
            default:
                return false;
        }
    }

    /// <summary>A caller without any role gets Bad_UserAccessDenied for a node without a rule, so that the cause shows.
    /// </summary>
    private StatusCode Hidden(Caller caller, NodeHandle node) =>
        node.IsNone || caller.Roles != Roles.None || nodes.HasAccessRule(node)
            ? StatusCodes.BadNodeIdUnknown
            : StatusCodes.BadUserAccessDenied;

    private AccessLevelType UserAccessLevel(Caller caller, NodeHandle node)
    {
        var level = (AccessLevelType)(byte)nodes.GetVariableFacts(node).AccessLevel;
        var permissions = policy.PermissionsOf(caller, node);
        if ((permissions & PermissionType.Read) == 0)
            level &= ~AccessLevelType.CurrentRead;
        if ((permissions & PermissionType.Write) == 0)
            level &= ~(AccessLevelType.CurrentWrite | AccessLevelType.StatusWrite | AccessLevelType.TimestampWrite);
        if ((permissions & PermissionType.ReadHistory) == 0)
            level &= ~AccessLevelType.HistoryRead;
        return level;
    }

    /// <summary>On any of the objects and types that have the method.</summary>
    private bool MayCallSomewhere(Caller caller, NodeHandle method)
    {
        if (!policy.Allows(caller, method, PermissionType.Call))
            return false;
        var hasComponent = nodes.Find(new NodeId(StandardIds.ReferenceTypes.HasComponent));
        var hasOwner = false;
        foreach (var reference in nodes.References(method))
        {
            if (reference.IsForward || reference.IsExternal ||
                !nodes.IsSubtypeOf(reference.ReferenceType, hasComponent))
                continue;
            hasOwner = true;
            if (policy.Allows(caller, reference.Target, PermissionType.Browse | PermissionType.Call))
                return true;
        }

        return !hasOwner;
    }

    /// <summary>The entries of the caller's roles: from the node, its namespace, or the gateway's defaults. Source:
    /// Part 3 §5.2.10.</summary>
    private Variant UserRolePermissions(Caller caller, NodeHandle node)
    {
        var permissions = new List<ExtensionObject>();
        if (nodes.GetAccessRule(node).RolePermissions is { } entries)
        {
            foreach (var entry in entries)
            {
                if ((caller.NodeRoles & RoleMap.FromNodeId(entry.RoleId)) != 0)
                    permissions.Add(new ExtensionObject(entry));
            }

            return Variant.FromArray(BuiltInType.ExtensionObject, permissions.ToArray());
        }

        foreach (var (role, nodeId) in WellKnownRoles)
        {
            if ((caller.Roles & role) == 0)
                continue;
            permissions.Add(new ExtensionObject(new RolePermissionType
            {
                RoleId = new NodeId(nodeId),
                Permissions = AccessPolicy.DefaultsOf(role),
            }));
        }

        return Variant.FromArray(BuiltInType.ExtensionObject, permissions.ToArray());
    }
}
