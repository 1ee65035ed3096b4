namespace Gateway.Codec.Structures;

[Structure(11216, 11226)]
public sealed partial class ModificationInfo
{
    public DateTime ModificationTime { get; init; }

    public HistoryUpdateType UpdateType { get; init; }

    public string? UserName { get; init; }
}
