using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;
using static Gateway.Codec.Types.StandardIds.Variables;

namespace Gateway.Server.Diagnostics;

/// <summary>Puts the diagnostics behind their nodes, where the RolePermissions of the standard's NodeSet guard
/// them. Source: Part 5 §6.3.3, §6.3.4.</summary>
internal static class DiagnosticsNodes
{
    public const uint Subscriptions = Server_ServerDiagnostics_SubscriptionDiagnosticsArray;
    public const uint EnabledFlag = Server_ServerDiagnostics_EnabledFlag;

    public const uint Sessions =
        Server_ServerDiagnostics_SessionsDiagnosticsSummary_SessionDiagnosticsArray;

    public const uint SessionSecurity =
        Server_ServerDiagnostics_SessionsDiagnosticsSummary_SessionSecurityDiagnosticsArray;

    /// <summary>Optional, and not kept.</summary>
    private const uint SamplingIntervals = Server_ServerDiagnostics_SamplingIntervalDiagnosticsArray;

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
