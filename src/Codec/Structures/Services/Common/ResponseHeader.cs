using Gateway.Codec.Types;

namespace Gateway.Codec.Structures;

[Structure(392, 394)]
public readonly partial record struct ResponseHeader
{
    public DateTime Timestamp { get; init; }

    public uint RequestHandle { get; init; }

    public StatusCode ServiceResult { get; init; }

    public DiagnosticInfo? ServiceDiagnostics { get; init; }

    public string?[]? StringTable { get; init; }

    public ExtensionObject AdditionalHeader { get; init; }
}
