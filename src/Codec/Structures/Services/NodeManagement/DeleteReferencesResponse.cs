using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.8.5.</summary>
[Structure(507, 509)]
public sealed partial class DeleteReferencesResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public StatusCode[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
