using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(692, 694)]
public sealed partial class DeleteEventDetails : HistoryUpdateDetails
{
    public NodeId NodeId { get; init; }

    public byte[]?[]? EventIds { get; init; }
}
