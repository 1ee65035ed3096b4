using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>Finds the references of an upstream's nodes that are here still and no longer there. Nobody but the
/// upstream's merger adds references to its nodes. Owner: one merge.</summary>
internal sealed class GoneReferences(NodeTable nodes)
{
    private readonly NodeHandle _hasTypeDefinition = Find(nodes, StandardIds.ReferenceTypes.HasTypeDefinition);
    private readonly NodeHandle _hasSubtype = Find(nodes, StandardIds.ReferenceTypes.HasSubtype);
    private readonly NodeHandle _hasEncoding = Find(nodes, StandardIds.ReferenceTypes.HasEncoding);

    private readonly HashSet<(NodeHandle Source, NodeHandle Type, NodeHandle Target)> _there = [];

    /// <summary>The upstream has it.</summary>
    public void Keep(NodeId source, NodeId referenceType, NodeId target) =>
        _there.Add((nodes.Find(source), nodes.Find(referenceType), nodes.Find(target)));

    /// <summary>Those that are gone go with the batch.</summary>
    /// <param name="root">The upstream's own object here.</param>
    /// <param name="own">Nodes that stay, and that nobody else serves.</param>
    /// <param name="isServed">Also what others serve, and the standard's nodes.</param>
    public void Find(NodeBatch batch, NodeId root, HashSet<NodeId> own, Predicate<NodeId> isServed)
    {
        var top = nodes.Find(root);
        foreach (var id in own)
        {
            var node = nodes.Find(id);
            foreach (var reference in nodes.References(node))
            {
                // A reference from another node of its own is met there.
                if (reference.IsExternal || !(reference.IsForward
                    ? IsOfUpstream(reference, own)
                    : reference.Target == top || reference.ReferenceType == _hasSubtype))
                    continue;
                var (source, target) =
                    reference.IsForward ? (node, reference.Target) : (reference.Target, node);
                if (isServed(nodes.GetNodeId(reference.Target)) &&
                    !_there.Contains((source, reference.ReferenceType, target)))
                    batch.RemoveReference(source, reference.ReferenceType, target);
            }
        }
    }

    /// <summary>The type of a node belongs to its identity. Subtypes and encodings are said by the target's side, too.
    /// </summary>
    private bool IsOfUpstream(in Reference reference, HashSet<NodeId> own) =>
        reference.ReferenceType != _hasTypeDefinition && reference.ReferenceType != _hasSubtype &&
        (reference.ReferenceType != _hasEncoding || own.Contains(nodes.GetNodeId(reference.Target)));

    private static NodeHandle Find(NodeTable nodes, uint id) => nodes.Find(new NodeId(id));
}
