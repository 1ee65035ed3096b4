using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(704, 706)]
public sealed partial class CallMethodRequest
{
    public NodeId ObjectId { get; init; }

    public NodeId MethodId { get; init; }

    public Variant[]? InputArguments { get; init; }
}
