using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(15005, 15421)]
public sealed partial class SimpleTypeDescription : DataTypeDescription
{
    public NodeId BaseDataType { get; init; }

    public byte BuiltInType { get; init; }
}
