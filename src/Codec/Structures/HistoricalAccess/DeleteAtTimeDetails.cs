using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(689, 691)]
public sealed partial class DeleteAtTimeDetails : HistoryUpdateDetails
{
    public NodeId NodeId { get; init; }

    public DateTime[]? ReqTimes { get; init; }
}
