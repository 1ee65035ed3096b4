using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>The node that decides who may see a condition of the gateway: its source, or the Server object where the
/// condition has none or it is gone, as after the end of an upstream (R36). As <see cref="MirroredSource"/>.</summary>
public static class ConditionSource
{
    private static readonly NodeId Server = new(StandardIds.Objects.Server);

    /// <summary>False: the source is gone, and its namespace has rules, which no node shows. Nobody gets the
    /// condition.</summary>
    public static bool TryFind(NodeTable nodes, NodeId source, out NodeHandle found)
    {
        found = source.IsNull ? default : nodes.Find(source);
        if (!found.IsNone)
            return true;
        found = nodes.Find(Server);
        return source.IsNull || !nodes.HasDefaultRule(source.NamespaceIndex);
    }
}
