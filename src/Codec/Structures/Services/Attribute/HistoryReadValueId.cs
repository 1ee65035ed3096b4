using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(635, 637)]
public sealed partial class HistoryReadValueId
{
    public NodeId NodeId { get; init; }

    public string? IndexRange { get; init; }

    public QualifiedName DataEncoding { get; init; }

    public byte[]? ContinuationPoint { get; init; }
}
