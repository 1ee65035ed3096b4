namespace Gateway.Codec.Structures;

[Structure(644, 646)]
public partial class ReadEventDetails : HistoryReadDetails
{
    public uint NumValuesPerNode { get; init; }

    public DateTime StartTime { get; init; }

    public DateTime EndTime { get; init; }

    public EventFilter Filter { get; init; } = new();
}
