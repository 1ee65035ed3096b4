namespace Gateway.Admission.Explain;

/// <summary>All that <c>GET /api/v1/admission</c> says. Immutable.</summary>
public sealed record AdmissionReport
{
    /// <summary>Wall clock.</summary>
    public required DateTimeOffset At { get; init; }

    public required bool IsEnabled { get; init; }

    /// <summary>Handshakes that may be under way, and those that are.</summary>
    public required int HandshakeWindow { get; init; }

    public required int HandshakesUnderWay { get; init; }

    /// <summary>Handshakes a second that the private keys serve.</summary>
    public required double HandshakeRate { get; init; }

    /// <summary>Part of the private-key workers' time that handshakes may take, 0.05 to 1.</summary>
    public required double ConcurrencyShare { get; init; }

    /// <summary>In the order in which a client passes them.</summary>
    public required IReadOnlyList<StageReport> Stages { get; init; }

    /// <summary>Busiest first.</summary>
    public required IReadOnlyList<ClientReport> Certificates { get; init; }

    /// <summary>Busiest first.</summary>
    public required IReadOnlyList<ClientReport> Addresses { get; init; }

    /// <summary>Most needed first.</summary>
    public required IReadOnlyList<Advice> Advice { get; init; }
}
