using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(382, 384)]
public sealed partial class DeleteNodesItem
{
    public NodeId NodeId { get; init; }

    public bool DeleteTargetReferences { get; init; }
}
