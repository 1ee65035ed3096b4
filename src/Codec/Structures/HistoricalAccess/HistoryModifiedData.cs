namespace Gateway.Codec.Structures;

[Structure(11217, 11227)]
public sealed partial class HistoryModifiedData : HistoryData
{
    public ModificationInfo[]? ModificationInfos { get; init; }
}
