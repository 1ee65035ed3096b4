using System.Formats.Asn1;

namespace Gateway.Transport.Certificates;

/// <summary>Cuts <c>DER | DER | …</c> (leaf first) into certificates, within bounds checked before any of them is
/// parsed (R11). A certificate behind the leaf is read only if the leaf's path may go through it.</summary>
internal static class CertificateBlob
{
    public const int MaxBytes = 32 * 1024;
    public const int MaxCertificateBytes = 8 * 1024;
    public const int MaxCertificates = 10;

    /// <param name="blob">As the peer sent it.</param>
    /// <param name="parts">Room for <see cref="MaxCertificates"/>.</param>
    /// <param name="count">How many there are.</param>
    public static CertificateFault TryCut(ReadOnlySpan<byte> blob, Span<Range> parts, out int count)
    {
        count = 0;
        if (blob.IsEmpty)
            return CertificateFault.Missing;
        if (blob.Length > MaxBytes)
            return CertificateFault.TooLarge;
        for (var start = 0; start < blob.Length;)
        {
            if (count == MaxCertificates)
                return CertificateFault.ChainTooLong;
            if (!AsnDecoder.TryReadEncodedValue(
                    blob[start..], AsnEncodingRules.DER, out var tag, out _, out _, out var length) ||
                tag != Asn1Tag.Sequence)
                return CertificateFault.Malformed;
            if (length > MaxCertificateBytes)
                return CertificateFault.TooLarge;
            parts[count++] = start..(start + length);
            start += length;
        }
        return CertificateFault.None;
    }
}
