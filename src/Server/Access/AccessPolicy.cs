using System.Collections.Concurrent;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;

namespace Gateway.Server.Access;

/// <summary>
/// The one permission check: every door (services, monitored items, REST, streams) asks here and nowhere else (R36).
/// What a role may do on any node, cut down by the restrictions of single nodes. Thread-safe.
/// Source: Part 3 §8.55 (PermissionType), design §9 (roles).
/// </summary>
public sealed class AccessPolicy
{
    private const PermissionType ObserverPermissions =
        PermissionType.Browse | PermissionType.Read | PermissionType.ReadHistory | PermissionType.ReceiveEvents;

    private const PermissionType OperatorPermissions =
        ObserverPermissions | PermissionType.Write | PermissionType.Call;

    private const PermissionType EngineerPermissions = OperatorPermissions | PermissionType.ReadRolePermissions;

    private readonly ConcurrentDictionary<NodeHandle, NodeRestriction> _restrictions = new();

    /// <summary>What <paramref name="roles"/> may do with a node.</summary>
    public PermissionType PermissionsOf(Roles roles, NodeHandle node)
    {
        var granted = PermissionsOf(roles);
        if (_restrictions.IsEmpty || !_restrictions.TryGetValue(node, out var restriction))
            return granted;
        return (roles & restriction.Roles) != 0 ? granted | restriction.Granted : granted & ~restriction.Denied;
    }

    public bool Allows(Roles roles, NodeHandle node, PermissionType permission) =>
        (PermissionsOf(roles, node) & permission) == permission;

    /// <summary>Only users with one of <paramref name="roles"/> keep <paramref name="permissions"/> on the node; they
    /// have them whatever their roles say elsewhere.</summary>
    public void Restrict(NodeHandle node, PermissionType permissions, Roles roles) =>
        _restrictions[node] = new NodeRestriction(roles, permissions, permissions);

    private static PermissionType PermissionsOf(Roles roles)
    {
        if ((roles & Roles.Engineer) != 0)
            return EngineerPermissions;
        if ((roles & Roles.Operator) != 0)
            return OperatorPermissions;
        return (roles & (Roles.Observer | Roles.SecurityAdmin)) != 0 ? ObserverPermissions : PermissionType.None;
    }

    private readonly record struct NodeRestriction(Roles Roles, PermissionType Denied, PermissionType Granted);
}
