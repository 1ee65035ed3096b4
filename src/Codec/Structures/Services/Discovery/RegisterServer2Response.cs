using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.5.6.</summary>
[Structure(12194, 12212)]
public sealed partial class RegisterServer2Response : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public StatusCode[]? ConfigurationResults { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
