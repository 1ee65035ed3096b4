using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(24106, 24109)]
public sealed partial class PortableNodeId
{
    public string? NamespaceUri { get; init; }

    public NodeId Identifier { get; init; }
}
