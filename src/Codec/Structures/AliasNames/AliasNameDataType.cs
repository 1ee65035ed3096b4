using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(23468, 23499)]
public sealed partial class AliasNameDataType
{
    public QualifiedName AliasName { get; init; }

    public ExpandedNodeId[]? ReferencedNodes { get; init; }
}
