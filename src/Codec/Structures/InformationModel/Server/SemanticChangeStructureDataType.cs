using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(897, 899)]
public sealed partial class SemanticChangeStructureDataType
{
    public NodeId Affected { get; init; }

    public NodeId AffectedType { get; init; }
}
