using System.Globalization;
using Gateway.Codec.Types;

namespace Gateway.Codec.Text;

/// <summary>The text forms of NodeId and ExpandedNodeId. Source: Part 6 §5.1.12.</summary>
public static class NodeIdText
{
    public static string Format(NodeId value) => FormatIdentifier(value, value.NamespaceIndex == 0
        ? string.Empty
        : string.Create(CultureInfo.InvariantCulture, $"ns={value.NamespaceIndex};"));

    public static string Format(ExpandedNodeId value)
    {
        var server = value.ServerIndex == 0
            ? string.Empty
            : string.Create(CultureInfo.InvariantCulture, $"svr={value.ServerIndex};");
        return string.IsNullOrEmpty(value.NamespaceUri)
            ? server + Format(value.NodeId)
            : FormatIdentifier(value.NodeId, $"{server}nsu={value.NamespaceUri};");
    }

    private static string FormatIdentifier(NodeId value, string prefix) => value.IdType switch
    {
        IdType.Numeric => prefix + "i=" + value.Numeric.ToString(CultureInfo.InvariantCulture),
        IdType.String => prefix + "s=" + value.String,
        IdType.Guid => prefix + "g=" + value.Guid.ToString("D"),
        _ => prefix + "b=" + Convert.ToBase64String(value.Opaque!),
    };
}
