using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(24051, 24262)]
public sealed partial class AliasNameVerboseDataType
{
    public QualifiedName AliasName { get; init; }

    public ExpandedNodeId[]? ReferencedNodes { get; init; }

    public string?[]? ServerUris { get; init; }

    public NodeId AliasNameCategoryId { get; init; }
}
