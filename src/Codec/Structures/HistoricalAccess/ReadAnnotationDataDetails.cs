namespace Gateway.Codec.Structures;

[Structure(23497, 23500)]
public sealed partial class ReadAnnotationDataDetails : HistoryReadDetails
{
    public DateTime[]? ReqTimes { get; init; }
}
