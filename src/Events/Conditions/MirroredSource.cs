using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>The node that decides who may see an event of an upstream: its source, or the object of the upstream where
/// the source is not among the gateway's nodes, or has an id of the standard: the upstream's Server object is not the
/// gateway's (R36).</summary>
public static class MirroredSource
{
    /// <summary>False: the source is no node here, and its namespace has rules, which no node shows; or the upstream
    /// has no object. Nobody gets the event.</summary>
    /// <param name="nodes">Of the gateway.</param>
    /// <param name="source">SourceNode of the event, as the gateway's id.</param>
    /// <param name="root">The object of the upstream.</param>
    /// <param name="found">Decides.</param>
    public static bool TryFind(NodeTable nodes, NodeId source, NodeHandle root, out NodeHandle found)
    {
        var isOfUpstream = source.NamespaceIndex != 0;
        found = isOfUpstream ? nodes.Find(source) : default;
        if (!found.IsNone)
            return true;
        found = root;
        return !root.IsNone && (!isOfUpstream || !nodes.HasDefaultRule(source.NamespaceIndex));
    }
}
