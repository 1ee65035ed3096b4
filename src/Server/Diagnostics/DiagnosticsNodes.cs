using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Access;

namespace Gateway.Server.Diagnostics;

/// <summary>Puts the diagnostics behind their nodes, with the permissions that the standard gives them. Source: Part 5
/// §6.3.3, §6.3.4; their RolePermissions in the standard's NodeSet.</summary>
internal static class DiagnosticsNodes
{
    public const uint Subscriptions = 2290;
    public const uint EnabledFlag = 2294;
    public const uint Sessions = 3707;
    public const uint SessionSecurity = 3708;

    /// <summary>Optional, and not kept.</summary>
    private const uint SamplingIntervals = 2289;

    public static void Connect(NodeTable nodes, AccessPolicy access, DiagnosticsValues values, DiagnosticsSource source)
    {
        if (nodes.Find(new NodeId(SamplingIntervals)) is { IsNone: false } unused)
            nodes.Apply(new NodeBatch().Remove(unused));
        nodes.SetSource(values.EnabledFlag, source);
        foreach (var node in values.Scalars.Keys)
            nodes.SetSource(node, source);
        foreach (var node in values.Arrays.Keys)
            nodes.SetSource(node, source);
        access.Restrict(values.EnabledFlag, PermissionType.Write, Roles.Engineer | Roles.SecurityAdmin);
        access.Restrict(
            nodes.Find(new NodeId(SessionSecurity)), PermissionType.Browse | PermissionType.Read, Roles.SecurityAdmin);
    }
}
