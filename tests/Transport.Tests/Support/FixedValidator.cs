using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;

namespace Gateway.Transport.Tests.Support;

/// <summary>Accepts everything but the blobs it is told to refuse.</summary>
internal sealed class FixedValidator : ICertificateValidator
{
    public byte[]? Refused { get; set; }

    /// <summary>That each certificate takes.</summary>
    public int SignatureChecks { get; init; }

    public int Calls { get; private set; }

    /// <summary>Certificates that were remembered.</summary>
    public int Proofs { get; private set; }

    public void Proven(CertificateVerdict verdict) => Proofs++;

    public CertificateVerdict Validate(
        ReadOnlyMemory<byte> certificateBlob, ICertificateKeyRule? policy, string? applicationUri)
    {
        Calls++;
        var blob = certificateBlob.ToArray();
        var leaf = DerCertificate.LeafOf(blob).ToArray();
        var thumbprint = Convert.ToHexString(DerCertificate.ThumbprintOf(leaf));
        return Refused is not null && leaf.AsSpan().SequenceEqual(Refused)
            ? new CertificateVerdict(StatusCodes.BadSecurityChecksFailed, StatusCodes.BadCertificateUntrusted,
                CertificateFault.Untrusted, "secret detail", leaf, thumbprint)
            {
                SignatureChecks = SignatureChecks,
            }
            : new CertificateVerdict(StatusCode.Good, StatusCode.Good, CertificateFault.None, "", leaf, thumbprint)
            {
                SignatureChecks = SignatureChecks,
            };
    }
}
