using System.Formats.Asn1;

namespace Gateway.Transport.Certificates;

/// <summary>Cuts <c>DER | DER | …</c> (leaf first) into certificates, within bounds checked before any cryptography
/// (R11).</summary>
internal static class CertificateBlob
{
    public const int MaxBytes = 32 * 1024;
    public const int MaxCertificateBytes = 8 * 1024;
    public const int MaxCertificates = 10;

    public static CertificateFault TryParse(ReadOnlySpan<byte> blob, out List<CertificateFacts> certificates)
    {
        certificates = [];
        if (blob.IsEmpty)
            return CertificateFault.Missing;
        if (blob.Length > MaxBytes)
            return CertificateFault.TooLarge;
        while (!blob.IsEmpty)
        {
            if (certificates.Count == MaxCertificates)
                return CertificateFault.ChainTooLong;
            if (!AsnDecoder.TryReadEncodedValue(
                    blob, AsnEncodingRules.DER, out var tag, out _, out _, out var length) || tag != Asn1Tag.Sequence)
                return CertificateFault.Malformed;
            if (length > MaxCertificateBytes)
                return CertificateFault.TooLarge;
            if (CertificateFacts.TryParse(blob[..length]) is not { } facts)
                return CertificateFault.Malformed;
            certificates.Add(facts);
            blob = blob[length..];
        }
        return CertificateFault.None;
    }
}
