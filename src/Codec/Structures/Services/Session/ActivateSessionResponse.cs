using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.7.3.</summary>
[Structure(468, 470)]
public sealed partial class ActivateSessionResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public byte[]? ServerNonce { get; init; }

    public StatusCode[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
