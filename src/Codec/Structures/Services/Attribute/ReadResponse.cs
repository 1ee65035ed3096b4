using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.11.2.</summary>
[Structure(632, 634)]
public sealed partial class ReadResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public DataValue[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
