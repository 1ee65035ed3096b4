using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.11.4.</summary>
[Structure(674, 676)]
public sealed partial class WriteResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public StatusCode[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
