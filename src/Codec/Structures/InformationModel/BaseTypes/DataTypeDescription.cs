using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(14525, 125)]
public partial class DataTypeDescription
{
    public NodeId DataTypeId { get; init; }

    public QualifiedName Name { get; init; }
}
