using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>
/// The nodes that fields of an upstream's event name beside its source (InputNode, SetpointNode, the nodes of Changes),
/// alone, in arrays, or inside of structures and values: a field is null where somebody who gets the event may not see
/// such a node (R36). Events are built once for all, so the rules decide and not the users: each role that receives
/// events of the source must be one that may browse the node. Thread-safe. Source: Part 3 §8.55, Part 4 §5.13.1.
/// </summary>
public static class NamedNodes
{
    /// <param name="nodes">Of the gateway.</param>
    /// <param name="values">Of the event, in the gateway's ids; fields become null.</param>
    /// <param name="first">Fields before it name the event itself.</param>
    /// <param name="source">Decides who gets the event.</param>
    /// <param name="structures">Of the gateway's DataTypes; null: only declared structures are looked into.</param>
    public static void Hide(
        NodeTable nodes, Variant[] values, int first, NodeHandle source, IJsonStructures? structures = null)
    {
        for (var i = first; i < values.Length; i++)
        {
            if (NamesHidden(nodes, values[i], source, structures))
                values[i] = Variant.Null;
        }
    }

    private static bool NamesHidden(
        NodeTable nodes, in Variant value, NodeHandle source, IJsonStructures? structures)
    {
        if (value.Type == BuiltInType.QualifiedName || !ValueMapper.HasIndexes(value.Type))
            return false;
        if (value.Type == BuiltInType.NodeId && value.IsScalar)
            return !MayName(nodes, value.AsNodeId(), source);
        var ids = new ValueMapper(new NameableNodes(nodes, source), toLocal: true, structures);
        ids.Map(value);
        return ids.Failed;
    }

    /// <summary>Everybody who receives events of the source may see the node. One that is not here goes by the rules of
    /// its namespace.</summary>
    internal static bool MayName(NodeTable nodes, NodeId id, NodeHandle source)
    {
        if (id.IsNull || id.NamespaceIndex == 0)
            return true;
        var rule = nodes.GetAccessRule(id);
        if (rule is { RolePermissions: null, Restrictions: null or 0 })
            return true;
        var ofSource = nodes.HasAccessRule(source) ? nodes.GetAccessRule(source) : default;
        const AccessRestrictionType OfBrowse =
            AccessRestrictionType.ApplyRestrictionsToBrowse | AccessRestrictionType.SessionRequired;
        if (((rule.Restrictions ?? 0) & OfBrowse) != 0 &&
            ((rule.Restrictions ?? 0) & ~(ofSource.Restrictions ?? 0)) != 0)
            return false;
        if (rule.RolePermissions is not { } browsing)
            return true;
        return ofSource.RolePermissions is { } receiving && Array.TrueForAll(receiving, one =>
            (one.Permissions & PermissionType.ReceiveEvents) == 0 ||
            Array.Exists(browsing, other => other.RoleId == one.RoleId &&
                (other.Permissions & PermissionType.Browse) != 0));
    }

    /// <summary>Ids stay as they are; those that may not be named have no counterpart.</summary>
    private sealed class NameableNodes(NodeTable nodes, NodeHandle source) : INamespaceMap
    {
        public bool IsIdentity => false;

        public bool TryToLocal(ushort index, out ushort local)
        {
            local = index;
            return true;
        }

        public bool TryToOther(ushort index, out ushort other) => TryToLocal(index, out other);

        public bool TryToLocal(NodeId id, out NodeId local)
        {
            local = id;
            return MayName(nodes, id, source);
        }

        public bool TryFindUri(string uri, bool toLocal, out ushort index) =>
            nodes.Namespaces.TryGetIndex(uri, out index);
    }
}
