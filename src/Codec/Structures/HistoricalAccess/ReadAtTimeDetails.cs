namespace Gateway.Codec.Structures;

[Structure(653, 655)]
public sealed partial class ReadAtTimeDetails : HistoryReadDetails
{
    public DateTime[]? ReqTimes { get; init; }

    public bool UseSimpleBounds { get; init; }
}
