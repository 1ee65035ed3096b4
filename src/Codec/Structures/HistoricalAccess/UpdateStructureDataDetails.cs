using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(11295, 11300)]
public sealed partial class UpdateStructureDataDetails : HistoryUpdateDetails
{
    public NodeId NodeId { get; init; }

    public PerformUpdateType PerformInsertReplace { get; init; }

    public DataValue[]? UpdateValues { get; init; }
}
