using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(707, 709)]
public sealed partial class CallMethodResult
{
    public StatusCode StatusCode { get; init; }

    public StatusCode[]? InputArgumentResults { get; init; }

    public DiagnosticInfo?[]? InputArgumentDiagnosticInfos { get; init; }

    public Variant[]? OutputArguments { get; init; }
}
