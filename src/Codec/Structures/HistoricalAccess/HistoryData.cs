using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(656, 658)]
public partial class HistoryData
{
    public DataValue[]? DataValues { get; init; }
}
