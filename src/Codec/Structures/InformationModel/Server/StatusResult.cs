using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(299, 301)]
public readonly partial record struct StatusResult
{
    public StatusCode StatusCode { get; init; }

    public DiagnosticInfo? DiagnosticInfo { get; init; }
}
