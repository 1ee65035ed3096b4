using System.Xml.Linq;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>The child elements of a node while it is read. Of several locales the first one is the default.</summary>
internal sealed class NodeSetParts
{
    public List<LocalizedText> DisplayNames { get; } = [];

    public List<LocalizedText> Descriptions { get; } = [];

    public List<LocalizedText> InverseNames { get; } = [];

    /// <summary>Null where there is only one locale of each.</summary>
    public NodeTexts? Texts => DisplayNames.Count > 1 || Descriptions.Count > 1 || InverseNames.Count > 1
        ? new NodeTexts([.. DisplayNames], [.. Descriptions], [.. InverseNames])
        : null;

    public List<RolePermissionType>? RolePermissions { get; set; }

    public OwnFields? Fields { get; set; }

    public XElement? Value { get; set; }
}
