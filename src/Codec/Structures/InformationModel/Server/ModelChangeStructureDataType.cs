using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(877, 879)]
public sealed partial class ModelChangeStructureDataType
{
    public NodeId Affected { get; init; }

    public NodeId AffectedType { get; init; }

    public byte Verb { get; init; }
}
