using Gateway.Codec.Types;

namespace Gateway.Transport.Certificates;

/// <summary>The result of a validation. Immutable, shared between calls.</summary>
/// <param name="PublicStatus">The code that the peer may see: Good or Bad_SecurityChecksFailed.</param>
/// <param name="Status">The standard's exact code, for the log, audit events and our own client role.</param>
/// <param name="Fault">All that is wrong; <see cref="CertificateFault.None"/> when accepted.</param>
/// <param name="Detail">For the operator: which certificate, which checks, what to do. Peer text in it is escaped
/// (R24).
/// </param>
/// <param name="Leaf">DER of the peer's own certificate, without its issuers; empty where there is none.</param>
/// <param name="Thumbprint">SHA-1 of the leaf in upper-case hexadecimal; empty where there is none.</param>
public sealed record CertificateVerdict(
    StatusCode PublicStatus, StatusCode Status, CertificateFault Fault, string Detail, byte[] Leaf, string Thumbprint)
{
    /// <summary>Of a peer that needs no certificate.</summary>
    public static CertificateVerdict None { get; } =
        new(StatusCode.Good, StatusCode.Good, CertificateFault.None, "", [], "");

    /// <summary>Of the leaf, escaped; empty where there is none.</summary>
    public string Subject { get; init; } = "";

    /// <summary>The leaf, then those issuers on its path that only the peer knew: what a later check needs. The same
    /// array as <see cref="Leaf"/> where there are none.</summary>
    public byte[] Chain { get; init => field = value.Length == 0 ? Leaf : value; } = Leaf;

    /// <summary>Signature checks that it took: 0 where it was known.</summary>
    public int SignatureChecks { get; init; }

    /// <summary>The facts to cache once the peer has shown that it holds the key; null if the validator caches nothing.
    /// </summary>
    internal ChainAnalysis? Analysis { get; init; }

    public bool IsAccepted => Fault == CertificateFault.None;
}
