using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>The attributes that few nodes have.</summary>
internal sealed class NodeExtras
{
    public LocalizedText DisplayName { get; init; }

    public LocalizedText Description { get; init; }

    public LocalizedText InverseName { get; init; }

    public NodeTexts? Texts { get; init; }

    public DataTypeDefinition? DataTypeDefinition { get; init; }

    public AccessRestrictionType? AccessRestrictions { get; init; }

    public RolePermissionType[]? RolePermissions { get; init; }

    /// <summary>Null where BrowseName says it all, a string where only the DisplayName's text differs.</summary>
    public static object? For(NodeDefinition node)
    {
        var sameName = node.DisplayName.IsNull ||
            (node.DisplayName.Text == node.BrowseName.Name && string.IsNullOrEmpty(node.DisplayName.Locale));
        var bare = node.Description.IsNull && node.InverseName.IsNull && node.DataTypeDefinition is null &&
            node.AccessRestrictions is null && node.RolePermissions is null && node.Texts is null;
        if (bare && sameName)
            return null;
        if (bare && string.IsNullOrEmpty(node.DisplayName.Locale))
            return node.DisplayName.Text;
        return new NodeExtras
        {
            DisplayName = sameName ? default : node.DisplayName,
            Description = node.Description,
            InverseName = node.InverseName,
            Texts = node.Texts,
            DataTypeDefinition = node.DataTypeDefinition,
            AccessRestrictions = node.AccessRestrictions,
            RolePermissions = node.RolePermissions,
        };
    }
}
