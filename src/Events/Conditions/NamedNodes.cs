using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Events.Conditions;

/// <summary>
/// The nodes that fields of an upstream's event name beside its source (InputNode, SetpointNode, the nodes of Changes):
/// a field is null where somebody who gets the event may not see such a node (R36). Events are built once for all, so
/// the rules decide and not the users: each role that receives events of the source must be one that may browse the
/// node. Thread-safe. Source: Part 3 §8.55, Part 4 §5.13.1.
/// </summary>
public static class NamedNodes
{
    /// <param name="nodes">Of the gateway.</param>
    /// <param name="values">Of the event, in the gateway's ids; fields become null.</param>
    /// <param name="first">Fields before it name the event itself.</param>
    /// <param name="source">Decides who gets the event.</param>
    public static void Hide(NodeTable nodes, Variant[] values, int first, NodeHandle source)
    {
        for (var i = first; i < values.Length; i++)
        {
            if (NamesHidden(nodes, values[i], source))
                values[i] = Variant.Null;
        }
    }

    private static bool NamesHidden(NodeTable nodes, in Variant value, NodeHandle source) => value.Type switch
    {
        BuiltInType.NodeId => value.IsArray
            ? value.AsArray<NodeId>() is { } ids && Array.Exists(ids, id => !MayName(nodes, id, source))
            : !MayName(nodes, value.AsNodeId(), source),
        BuiltInType.ExtensionObject => value.IsArray
            ? value.AsArray<ExtensionObject>() is { } all && Array.Exists(all, one => NamesHidden(nodes, one, source))
            : NamesHidden(nodes, value.AsExtensionObject(), source),
        _ => false,
    };

    private static bool NamesHidden(NodeTable nodes, in ExtensionObject value, NodeHandle source) => value.Body switch
    {
        ModelChangeStructureDataType model =>
            !MayName(nodes, model.Affected, source) || !MayName(nodes, model.AffectedType, source),
        SemanticChangeStructureDataType semantic =>
            !MayName(nodes, semantic.Affected, source) || !MayName(nodes, semantic.AffectedType, source),
        _ => false,
    };

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
}
