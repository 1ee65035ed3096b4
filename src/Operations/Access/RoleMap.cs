using Gateway.Codec.Types;
using static Gateway.Codec.Types.StandardIds.Objects;

namespace Gateway.Operations.Access;

/// <summary>Maps the gateway's roles to the standard's. The gateway has four; its Engineer has the standard's Engineer,
/// Supervisor and ConfigureAdmin.</summary>
public static class RoleMap
{
    private const NodeRoles Engineer =
        NodeRoles.Observer | NodeRoles.Operator | NodeRoles.Engineer | NodeRoles.Supervisor | NodeRoles.ConfigureAdmin;

    public static NodeRoles ToNodeRoles(Roles roles)
    {
        var result = NodeRoles.None;
        if ((roles & (Roles.Observer | Roles.SecurityAdmin)) != 0)
            result |= NodeRoles.Observer;
        if ((roles & Roles.Operator) != 0)
            result |= NodeRoles.Observer | NodeRoles.Operator;
        if ((roles & Roles.Engineer) != 0)
            result |= Engineer;
        if ((roles & Roles.SecurityAdmin) != 0)
            result |= NodeRoles.SecurityAdmin;
        return result;
    }

    /// <summary>None for a role that no user has here: roles of other models, and of services that the gateway does not
    /// offer.</summary>
    public static NodeRoles FromNodeId(in NodeId role)
    {
        if (role.NamespaceIndex != 0 || role.IdType != IdType.Numeric)
            return NodeRoles.None;
        return role.Numeric switch
        {
            WellKnownRole_Anonymous => NodeRoles.Anonymous,
            WellKnownRole_AuthenticatedUser => NodeRoles.AuthenticatedUser,
            WellKnownRole_TrustedApplication => NodeRoles.TrustedApplication,
            WellKnownRole_Observer => NodeRoles.Observer,
            WellKnownRole_Operator => NodeRoles.Operator,
            WellKnownRole_Engineer => NodeRoles.Engineer,
            WellKnownRole_Supervisor => NodeRoles.Supervisor,
            WellKnownRole_ConfigureAdmin => NodeRoles.ConfigureAdmin,
            WellKnownRole_SecurityAdmin => NodeRoles.SecurityAdmin,
            _ => NodeRoles.None,
        };
    }
}
