using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(604, 606)]
public sealed partial class ContentFilterElementResult
{
    public StatusCode StatusCode { get; init; }

    public StatusCode[]? OperandStatusCodes { get; init; }

    public DiagnosticInfo?[]? OperandDiagnosticInfos { get; init; }
}
