namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.10.4.</summary>
[Structure(622, 624)]
public sealed partial class QueryNextResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public QueryDataSet[]? QueryDataSets { get; init; }

    public byte[]? RevisedContinuationPoint { get; init; }
}
