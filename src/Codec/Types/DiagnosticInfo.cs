namespace Gateway.Codec.Types;

/// <summary>Vendor diagnostics; the indexes point into the ResponseHeader's StringTable, −1 means absent.
/// Source: Part 4 §7.12, Part 6 §5.2.2.12.</summary>
public sealed record DiagnosticInfo
{
    public int SymbolicId { get; init; } = -1;

    public int NamespaceUri { get; init; } = -1;

    public int Locale { get; init; } = -1;

    public int LocalizedText { get; init; } = -1;

    public string? AdditionalInfo { get; init; }

    public StatusCode? InnerStatusCode { get; init; }

    public DiagnosticInfo? InnerDiagnosticInfo { get; init; }
}
