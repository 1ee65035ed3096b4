using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(573, 575)]
public sealed partial class NodeTypeDescription
{
    public ExpandedNodeId TypeDefinitionNode { get; init; }

    public bool IncludeSubTypes { get; init; }

    public QueryDataDescription[]? DataToReturn { get; init; }
}
