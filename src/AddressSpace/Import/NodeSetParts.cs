using System.Xml.Linq;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>The child elements of a node while it is read. Of several locales the first one is kept.</summary>
internal sealed class NodeSetParts
{
    public LocalizedText? DisplayName { get; set; }

    public LocalizedText? Description { get; set; }

    public LocalizedText? InverseName { get; set; }

    public List<RolePermissionType>? RolePermissions { get; set; }

    public OwnFields? Fields { get; set; }

    public XElement? Value { get; set; }
}
