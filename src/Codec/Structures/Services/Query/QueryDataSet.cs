using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(577, 579)]
public sealed partial class QueryDataSet
{
    public ExpandedNodeId NodeId { get; init; }

    public ExpandedNodeId TypeDefinitionNode { get; init; }

    public Variant[]? Values { get; init; }
}
