using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Operations.Access;

/// <summary>
/// The one permission check: every door (services, monitored items, REST, streams) asks here and nowhere else (R36).
/// RolePermissions of the node decide, else those of its namespace, else what the caller's roles may do anywhere; then
/// AccessRestrictions ask for protection of the channel. A node without either costs one bit test. Thread-safe.
/// Source: Part 3 §5.2.9, §5.2.11, §8.55, §8.56; docs/access.md.
/// </summary>
public sealed class AccessPolicy(NodeTable nodes)
{
    private const PermissionType ObserverPermissions =
        PermissionType.Browse | PermissionType.Read | PermissionType.ReadHistory | PermissionType.ReceiveEvents;

    private const PermissionType OperatorPermissions =
        ObserverPermissions | PermissionType.Write | PermissionType.Call;

    private const PermissionType EngineerPermissions = OperatorPermissions | PermissionType.ReadRolePermissions;

    /// <summary>What the caller may do with a node now, his channel being what it is.</summary>
    public PermissionType PermissionsOf(Caller caller, NodeHandle node)
    {
        if (!nodes.HasAccessRule(node))
            return DefaultsOf(caller.Roles);
        var rule = nodes.GetAccessRule(node);
        return GrantedBy(rule, caller) & ~BlockedBy(rule.Restrictions, caller);
    }

    public bool Allows(Caller caller, NodeHandle node, PermissionType permission) =>
        (PermissionsOf(caller, node) & permission) == permission;

    /// <summary>Errors: Bad_UserAccessDenied where his roles do not do, Bad_SecurityModeInsufficient where they would
    /// on a better protected channel.</summary>
    public StatusCode Check(Caller caller, NodeHandle node, PermissionType permission)
    {
        if (Allows(caller, node, permission))
            return StatusCode.Good;
        var isGranted = nodes.HasAccessRule(node) &&
            (GrantedBy(nodes.GetAccessRule(node), caller) & permission) == permission;
        return isGranted ? StatusCodes.BadSecurityModeInsufficient : StatusCodes.BadUserAccessDenied;
    }

    /// <summary>By rights: what the audit log tells.</summary>
    public static bool IsRefusal(StatusCode status) =>
        status.CodeBits is StatusCodes.BadUserAccessDenied or StatusCodes.BadSecurityModeInsufficient;

    /// <summary>What a caller who was refused lacks, in words for the operator.</summary>
    public string NeedOf(Caller caller, NodeHandle node, PermissionType permission)
    {
        var rule = nodes.HasAccessRule(node) ? nodes.GetAccessRule(node) : default;
        if (Check(caller, node, permission).CodeBits == StatusCodes.BadSecurityModeInsufficient)
            return (rule.Restrictions & AccessRestrictionType.EncryptionRequired) != 0
                ? "needs an encrypted channel (SignAndEncrypt)"
                : "needs a signed channel (Sign or SignAndEncrypt)";
        var roles = rule.RolePermissions is { } entries
            ? entries.Where(entry => (entry.Permissions & permission) == permission)
                .Select(entry => RoleMap.FromNodeId(entry.RoleId))
                .Where(role => role != NodeRoles.None)
                .Select(role => role.ToString())
            : Enum.GetValues<Roles>()
                .Where(role => (DefaultsOf(role) & permission) == permission)
                .Select(role => role.ToString());
        var names = string.Join(" or ", roles.Distinct());
        return names.Length == 0 ? "is for no role that users have here" : "needs the role " + names;
    }

    /// <summary>What the gateway's roles may do with every node that has no rule of its own.</summary>
    public static PermissionType DefaultsOf(Roles roles)
    {
        if ((roles & Roles.Engineer) != 0)
            return EngineerPermissions;
        if ((roles & Roles.Operator) != 0)
            return OperatorPermissions;
        return (roles & (Roles.Observer | Roles.SecurityAdmin)) != 0 ? ObserverPermissions : PermissionType.None;
    }

    /// <summary>All that any of the caller's roles is given. A role that the node does not name has nothing there,
    /// whatever it may do elsewhere.</summary>
    private static PermissionType GrantedBy(in AccessRule rule, Caller caller)
    {
        if (rule.RolePermissions is not { } entries)
            return DefaultsOf(caller.Roles);
        var granted = PermissionType.None;
        foreach (var entry in entries)
        {
            if ((caller.NodeRoles & RoleMap.FromNodeId(entry.RoleId)) != 0)
                granted |= entry.Permissions;
        }

        return granted;
    }

    /// <summary>Browse is left where only the channel is too weak and the node does not forbid that.</summary>
    private static PermissionType BlockedBy(AccessRestrictionType? given, Caller caller)
    {
        const PermissionType All = (PermissionType)uint.MaxValue;
        if (given is not { } restrictions)
            return PermissionType.None;
        if ((restrictions & AccessRestrictionType.SessionRequired) != 0 && !caller.HasSession)
            return All;
        var isMet = ((restrictions & AccessRestrictionType.SigningRequired) == 0 || caller.IsSigned) &&
            ((restrictions & AccessRestrictionType.EncryptionRequired) == 0 || caller.IsEncrypted);
        if (isMet)
            return PermissionType.None;
        return (restrictions & AccessRestrictionType.ApplyRestrictionsToBrowse) != 0
            ? All
            : All & ~PermissionType.Browse;
    }
}
