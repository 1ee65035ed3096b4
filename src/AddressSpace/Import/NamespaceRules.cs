using System.Xml.Linq;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>
/// A file's defaults for the nodes of its namespaces that have none of their own: from its Model elements, and from the
/// NamespaceMetadata objects among its nodes, which win because clients see them. A file speaks for namespaces in which
/// it has nodes, and never for the standard's. Source: Part 3 §5.2.9, §5.2.11; Part 5 §6.3.13; Part 6 Annex F.5.
/// </summary>
internal sealed class NamespaceRules(NodeTable nodes, NodeSetFile file)
{
    private const string RolePermissionsName = "DefaultRolePermissions";
    private const string RestrictionsName = "DefaultAccessRestrictions";
    private const string NamespaceUriName = "NamespaceUri";
    private const PermissionType AdminPermissions =
        PermissionType.Browse | PermissionType.ReadRolePermissions | PermissionType.Read;

    /// <summary>"Shall only be readable by administrators" (Part 3 §5.2.9); its existence is no secret.</summary>
    private static readonly RolePermissionType[] ForAdmins =
    [
        new() { RoleId = new NodeId(StandardIds.Objects.WellKnownRole_Anonymous), Permissions = PermissionType.Browse },
        new() { RoleId = new NodeId(StandardIds.Objects.WellKnownRole_SecurityAdmin), Permissions = AdminPermissions },
        new() { RoleId = new NodeId(StandardIds.Objects.WellKnownRole_ConfigureAdmin), Permissions = AdminPermissions },
    ];

    /// <summary>A Model element: its rule, with the role ids of the file mapped.</summary>
    public static AccessRule Of(XElement model, NodeSetReader reader)
    {
        var line = NodeSetXml.Line(model);
        var restrictions = reader.ParseUInt32(
            model.Attribute("AccessRestrictions")?.Value, line, "AccessRestrictions", 0);
        var permissions = new List<RolePermissionType>();
        foreach (var list in model.Elements().Where(e => e.Name.LocalName == "RolePermissions"))
        {
            foreach (var entry in list.Elements())
                permissions.Add(new RolePermissionType
                {
                    RoleId = reader.ParseNodeId(entry.Value, NodeSetXml.Line(entry), "role"),
                    Permissions = (PermissionType)reader.ParseUInt32(
                        entry.Attribute("Permissions")?.Value, NodeSetXml.Line(entry), "Permissions", 0),
                });
        }

        return new AccessRule(
            permissions.Count > 0 ? permissions.ToArray() : null,
            restrictions == 0 ? null : (AccessRestrictionType)restrictions);
    }

    /// <summary>The property that holds a namespace's role permissions is always for administrators. The standard's own
    /// nodes are as their file says.</summary>
    public static NodeDefinition Guard(NodeDefinition node) =>
        node.NodeId.NamespaceIndex != 0 && node.NodeClass == NodeClass.Variable &&
        node.BrowseName == new QualifiedName(RolePermissionsName) &&
        node.RolePermissions is not { Length: > 0 }
            ? node with { RolePermissions = ForAdmins }
            : node;

    /// <summary>Once the file's nodes are in the table.</summary>
    public void Apply(IReadOnlyList<(NodeId Node, Variant Value)> values)
    {
        var rules = new Dictionary<ushort, AccessRule>(file.Rules);
        var byNode = values.ToDictionary(one => one.Node, one => one.Value);
        foreach (var (node, value) in values)
        {
            var name = nodes.GetBrowseName(nodes.Find(node));
            if (name.NamespaceIndex != 0 || name.Name is not (RolePermissionsName or RestrictionsName) ||
                !TryFindNamespace(nodes.Find(node), byNode, out var index))
                continue;
            var rule = rules.GetValueOrDefault(index);
            rules[index] = name.Name == RolePermissionsName
                ? rule with { RolePermissions = PermissionsIn(value) ?? rule.RolePermissions }
                : rule with { Restrictions = (AccessRestrictionType)value.AsUInt32() };
        }

        foreach (var (index, rule) in rules)
        {
            if (rule.RolePermissions is not null || rule.Restrictions is not (null or 0))
                nodes.SetDefaultRule(index, rule);
        }
    }

    /// <summary>That of the NamespaceMetadata object above the property.</summary>
    private bool TryFindNamespace(NodeHandle property, Dictionary<NodeId, Variant> values, out ushort index)
    {
        index = 0;
        foreach (var reference in nodes.References(property))
        {
            if (reference.IsForward || nodes.GetNodeClass(reference.Target) != NodeClass.Object ||
                !IsMetadata(reference.Target))
                continue;
            var uri = UriOf(reference.Target, values);
            if (!nodes.Namespaces.TryGetIndex(uri, out index))
                return false;
            var (found, isOwn) = (index, index != 0);
            return isOwn && file.Nodes.Exists(node => node.Definition.NodeId.NamespaceIndex == found);
        }

        return false;
    }

    private bool IsMetadata(NodeHandle node)
    {
        var type = nodes.Find(new NodeId(StandardIds.ObjectTypes.NamespaceMetadataType));
        foreach (var reference in nodes.References(node))
        {
            if (reference.IsForward && nodes.IsSubtypeOf(reference.Target, type))
                return true;
        }

        return false;
    }

    private string UriOf(NodeHandle metadata, Dictionary<NodeId, Variant> values)
    {
        foreach (var reference in nodes.References(metadata))
        {
            if (reference.IsForward && nodes.GetBrowseName(reference.Target) == new QualifiedName(NamespaceUriName) &&
                values.TryGetValue(nodes.GetNodeId(reference.Target), out var uri) && uri.AsString() is { } text)
                return text;
        }

        return nodes.GetBrowseName(metadata).Name ?? string.Empty;
    }

    /// <summary>Null for none. An entry that cannot be read grants nothing.</summary>
    private static RolePermissionType[]? PermissionsIn(in Variant value) => value.AsArray<ExtensionObject>() switch
    {
        { Length: > 0 } entries => [.. entries.Select(one => one.Body).OfType<RolePermissionType>()],
        _ => null,
    };
}
