using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.10.3.</summary>
[Structure(616, 618)]
public sealed partial class QueryFirstResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public QueryDataSet[]? QueryDataSets { get; init; }

    public byte[]? ContinuationPoint { get; init; }

    public ParsingResult[]? ParsingResults { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }

    public ContentFilterResult FilterResult { get; init; } = new();
}
