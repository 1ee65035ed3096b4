using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(686, 688)]
public sealed partial class DeleteRawModifiedDetails : HistoryUpdateDetails
{
    public NodeId NodeId { get; init; }

    public bool IsDeleteModified { get; init; }

    public DateTime StartTime { get; init; }

    public DateTime EndTime { get; init; }
}
