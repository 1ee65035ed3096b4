using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(836, 838)]
public sealed partial class TransferResult
{
    public StatusCode StatusCode { get; init; }

    public uint[]? AvailableSequenceNumbers { get; init; }
}
