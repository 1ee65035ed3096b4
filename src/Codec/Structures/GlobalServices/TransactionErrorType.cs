using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(32285, 32382)]
public sealed partial class TransactionErrorType
{
    public NodeId TargetId { get; init; }

    public StatusCode Error { get; init; }

    public LocalizedText Message { get; init; }
}
