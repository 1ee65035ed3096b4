using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(99, 122)]
public sealed partial class StructureDefinition : DataTypeDefinition
{
    public NodeId DefaultEncodingId { get; init; }

    public NodeId BaseDataType { get; init; }

    public StructureType StructureType { get; init; }

    public StructureField[]? Fields { get; init; }
}
