using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(18597, 18600)]
public sealed partial class ActionMethodDataType
{
    public NodeId ObjectId { get; init; }

    public NodeId MethodId { get; init; }
}
