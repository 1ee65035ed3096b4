using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(607, 609)]
public sealed partial class ContentFilterResult
{
    public ContentFilterElementResult[]? ElementResults { get; init; }

    public DiagnosticInfo?[]? ElementDiagnosticInfos { get; init; }
}
