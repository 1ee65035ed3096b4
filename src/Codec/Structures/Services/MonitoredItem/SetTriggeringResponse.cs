using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.13.5.</summary>
[Structure(776, 778)]
public sealed partial class SetTriggeringResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public StatusCode[]? AddResults { get; init; }

    public DiagnosticInfo?[]? AddDiagnosticInfos { get; init; }

    public StatusCode[]? RemoveResults { get; init; }

    public DiagnosticInfo?[]? RemoveDiagnosticInfos { get; init; }
}
