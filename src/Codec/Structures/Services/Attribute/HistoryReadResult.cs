using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(638, 640)]
public sealed partial class HistoryReadResult
{
    public StatusCode StatusCode { get; init; }

    public byte[]? ContinuationPoint { get; init; }

    public ExtensionObject HistoryData { get; init; }
}
