using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(610, 612)]
public sealed partial class ParsingResult
{
    public StatusCode StatusCode { get; init; }

    public StatusCode[]? DataStatusCodes { get; init; }

    public DiagnosticInfo?[]? DataDiagnosticInfos { get; init; }
}
