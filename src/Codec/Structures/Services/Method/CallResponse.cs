using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

/// <summary>Source: Part 4 §5.12.2.</summary>
[Structure(713, 715)]
public sealed partial class CallResponse : IServiceResponse
{
    public ResponseHeader ResponseHeader { get; set; }

    public CallMethodResult[]? Results { get; init; }

    public DiagnosticInfo?[]? DiagnosticInfos { get; init; }
}
