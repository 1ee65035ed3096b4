using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(920, 922)]
public sealed partial class HistoryEventFieldList
{
    public Variant[]? EventFields { get; init; }
}
