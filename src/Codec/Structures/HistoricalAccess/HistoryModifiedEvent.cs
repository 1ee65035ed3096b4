namespace Gateway.Codec.Structures;

[Structure(32824, 32825)]
public sealed partial class HistoryModifiedEvent : HistoryEvent
{
    public ModificationInfo[]? ModificationInfos { get; init; }
}
