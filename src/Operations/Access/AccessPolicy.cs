using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Operations.Access;

/// <summary>
/// The one permission check. Services, monitored items, REST and streams all ask it and nothing else (R36). The
/// RolePermissions of the node decide, otherwise those of its namespace, otherwise the defaults of the caller's roles.
/// Then the AccessRestrictions of the node may require a protected channel. A node without either costs one bit test.
/// Thread-safe. Source: Part 3 §5.2.9, §5.2.11, §8.55, §8.56; docs/access.md.
/// </summary>
public sealed class AccessPolicy(NodeTable nodes)
{
    private const PermissionType ObserverPermissions =
        PermissionType.Browse | PermissionType.Read | PermissionType.ReadHistory | PermissionType.ReceiveEvents;

    private const PermissionType OperatorPermissions =
        ObserverPermissions | PermissionType.Write | PermissionType.Call;

    private const PermissionType EngineerPermissions = OperatorPermissions | PermissionType.ReadRolePermissions;

    /// <summary>The caller's permissions for a node now, with the security of the caller's channel.</summary>
    public PermissionType PermissionsOf(Caller caller, NodeHandle node)
    {
        if (!nodes.HasAccessRule(node))
            return DefaultsOf(caller.Roles);
        var rule = nodes.GetAccessRule(node);
        return GrantedBy(rule, caller) & ~BlockedBy(rule.Restrictions, caller);
    }

    public bool Allows(Caller caller, NodeHandle node, PermissionType permission) =>
        (PermissionsOf(caller, node) & permission) == permission;

    /// <summary>Errors: Bad_UserAccessDenied if the caller's roles lack the permission; Bad_SecurityModeInsufficient if
    /// only the channel's protection is too weak.</summary>
    public StatusCode Check(Caller caller, NodeHandle node, PermissionType permission)
    {
        if (Allows(caller, node, permission))
            return StatusCode.Good;
        var isGranted = nodes.HasAccessRule(node) &&
            (GrantedBy(nodes.GetAccessRule(node), caller) & permission) == permission;
        return isGranted ? StatusCodes.BadSecurityModeInsufficient : StatusCodes.BadUserAccessDenied;
    }

    /// <summary>True for a refusal by permissions: the audit log has a line for it.</summary>
    public static bool IsRefusal(StatusCode status) =>
        status.CodeBits is StatusCodes.BadUserAccessDenied or StatusCodes.BadSecurityModeInsufficient;

    /// <summary>The role or protection that a refused caller lacks, as text for the operator.</summary>
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

    /// <summary>The permissions of the gateway's roles for every node without a rule of its own.</summary>
    public static PermissionType DefaultsOf(Roles roles)
    {
        if ((roles & Roles.Engineer) != 0)
            return EngineerPermissions;
        if ((roles & Roles.Operator) != 0)
            return OperatorPermissions;
        return (roles & (Roles.Observer | Roles.SecurityAdmin)) != 0 ? ObserverPermissions : PermissionType.None;
    }

    /// <summary>Checks an operation on the gateway itself. Errors: Bad_UserAccessDenied. The roles follow those
    /// that the standard's NodeSet names for the same facts below ServerDiagnostics: docs/access.md.</summary>
    public static StatusCode Check(Caller caller, GatewayPermission permission) =>
        (caller.Roles & RolesFor(permission)) != 0 ? StatusCode.Good : StatusCodes.BadUserAccessDenied;

    /// <summary>Audit events: a role for them, and an encrypted channel. Source: Part 4 §6.5, Part 18 §4.</summary>
    public static bool SeesAudit(Caller caller) =>
        caller.IsEncrypted && !Check(caller, GatewayPermission.ReadAudit).IsBad;

    /// <summary>The roles that a refused caller lacks, in words.</summary>
    public static string NeedOf(GatewayPermission permission) => "needs the role " + string.Join(
        " or ", Enum.GetValues<Roles>().Where(role => (role & RolesFor(permission)) != 0));

    private static Roles RolesFor(GatewayPermission permission) => permission switch
    {
        GatewayPermission.ReadState => Roles.Observer | Roles.Operator | Roles.Engineer | Roles.SecurityAdmin,
        GatewayPermission.ReadClients => Roles.Observer | Roles.Operator | Roles.Engineer | Roles.SecurityAdmin,
        GatewayPermission.AnswerAlarms => Roles.Operator | Roles.Engineer,
        GatewayPermission.EndClients or GatewayPermission.ReadConfiguration => Roles.Engineer | Roles.SecurityAdmin,
        GatewayPermission.ManageConfiguration or GatewayPermission.TestUpstreams or GatewayPermission.ManageAlarms =>
            Roles.Engineer,
        GatewayPermission.ReadIdentities or GatewayPermission.ManageCertificates or GatewayPermission.ReadAudit =>
            Roles.SecurityAdmin,
        _ => Roles.None,
    };

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

    /// <summary>Browse stays allowed if only the channel is too weak and the node does not restrict Browse.</summary>
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
