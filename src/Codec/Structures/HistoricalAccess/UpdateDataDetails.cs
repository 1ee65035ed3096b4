using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(680, 682)]
public sealed partial class UpdateDataDetails : HistoryUpdateDetails
{
    public NodeId NodeId { get; init; }

    public PerformUpdateType PerformInsertReplace { get; init; }

    public DataValue[]? UpdateValues { get; init; }
}
