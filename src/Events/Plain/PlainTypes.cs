using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Events.Plain;

/// <summary>The types of events by their names.</summary>
public static class PlainTypes
{
    /// <summary>More than any plant has; the walk ends there.</summary>
    private const int MaxWalked = 10_000;

    private static readonly NodeId BaseEventType = new(StandardIds.ObjectTypes.BaseEventType);
    private static readonly NodeId HasSubtype = new(StandardIds.ReferenceTypes.HasSubtype);

    public static bool IsOne(NodeTable nodes, NodeId type) => nodes.IsSubtypeOf(type, BaseEventType);

    /// <summary>BaseEventType and all below it, those above first.</summary>
    public static List<NodeHandle> All(NodeTable nodes) => Below(nodes, [nodes.Find(BaseEventType)]);

    /// <summary>Those types and all below them.</summary>
    public static List<NodeHandle> Below(NodeTable nodes, IEnumerable<NodeHandle> types)
    {
        var found = new List<NodeHandle>();
        var hasSubtype = nodes.Find(HasSubtype);
        var open = new Queue<NodeHandle>(types);
        var seen = new HashSet<NodeHandle>();
        while (seen.Count < MaxWalked && open.TryDequeue(out var type))
        {
            if (!nodes.Exists(type) || !seen.Add(type))
                continue;
            found.Add(type);
            foreach (var reference in nodes.References(type))
            {
                if (reference.IsForward && reference.ReferenceType == hasSubtype && !reference.IsExternal)
                    open.Enqueue(reference.Target);
            }
        }

        return found;
    }

    /// <summary>By BrowseName, without its namespace; the highest of those with the same name.</summary>
    /// <param name="nodes">Of the address space.</param>
    /// <param name="isVisible">For whom it is.</param>
    public static Dictionary<string, NodeId> ByName(NodeTable nodes, Func<NodeHandle, bool> isVisible)
    {
        var found = new Dictionary<string, NodeId>(StringComparer.Ordinal);
        foreach (var type in All(nodes))
        {
            if (nodes.GetBrowseName(type).Name is { } name && isVisible(type))
                found.TryAdd(name, nodes.GetNodeId(type));
        }

        return found;
    }
}
