using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Server.Diagnostics;

/// <summary>Puts the diagnostics behind their nodes, where the RolePermissions of the standard's NodeSet guard
/// them. Source: Part 5 §6.3.3, §6.3.4.</summary>
internal static class DiagnosticsNodes
{
    public const uint Subscriptions = 2290;
    public const uint EnabledFlag = 2294;
    public const uint Sessions = 3707;
    public const uint SessionSecurity = 3708;

    /// <summary>Optional, and not kept.</summary>
    private const uint SamplingIntervals = 2289;

    /// <summary>Milliseconds; an array of ten thousand entries is some megabytes.</summary>
    private const double MinimumSamplingInterval = 1000;

    public static void Connect(NodeTable nodes, DiagnosticsValues values, DiagnosticsSource source)
    {
        var batch = new NodeBatch();
        if (nodes.Find(new NodeId(SamplingIntervals)) is { IsNone: false } unused)
            batch.Remove(unused);
        foreach (var node in values.Arrays.Keys)
            batch.Update(node, Slower(nodes, node, source));
        nodes.Apply(batch);
        nodes.SetSource(values.EnabledFlag, source);
        foreach (var node in values.Scalars.Keys)
            nodes.SetSource(node, source);
    }

    private static NodeDefinition Slower(NodeTable nodes, NodeHandle node, DiagnosticsSource source) => new()
    {
        NodeId = nodes.GetNodeId(node),
        NodeClass = nodes.GetNodeClass(node),
        BrowseName = nodes.GetBrowseName(node),
        Variable = nodes.GetVariableFacts(node) with { MinimumSamplingInterval = MinimumSamplingInterval },
        RolePermissions = nodes.GetRolePermissions(node),
        AccessRestrictions = nodes.GetAccessRestrictions(node),
        Source = source,
    };
}
