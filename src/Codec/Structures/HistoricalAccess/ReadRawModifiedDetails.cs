namespace Gateway.Codec.Structures;

[Structure(647, 649)]
public sealed partial class ReadRawModifiedDetails : HistoryReadDetails
{
    public bool IsReadModified { get; init; }

    public DateTime StartTime { get; init; }

    public DateTime EndTime { get; init; }

    public uint NumValuesPerNode { get; init; }

    public bool ReturnBounds { get; init; }
}
