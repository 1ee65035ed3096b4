using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Transport.Certificates;

/// <summary>One parsed certificate and what validation asks of it. Immutable.</summary>
internal sealed class CertificateFacts
{
    private const string RsaOid = "1.2.840.113549.1.1.1";
    private const string EllipticCurveOid = "1.2.840.10045.2.1";
    private const string PoliciesOid = "2.5.29.32";

    private CertificateFacts(X509Certificate2 certificate)
    {
        Certificate = certificate;
        // All that is ever asked is read here: a broken field shows only when it is read, and must not do so later.
        Thumbprint = certificate.Thumbprint;
        SubjectText = certificate.Subject;
        CommonName = certificate.GetNameInfo(X509NameType.SimpleName, forIssuer: false);
        SerialNumber = Convert.ToHexString(certificate.SerialNumberBytes.Span.TrimStart((byte)0));
        NotBefore = certificate.NotBefore.ToUniversalTime();
        NotAfter = certificate.NotAfter.ToUniversalTime();
        Der = certificate.RawData;
        Fingerprint = Convert.ToHexString(SHA256.HashData(Der));
        Signed = SignedObject.Parse(Der);
        Subject = Convert.ToHexString(certificate.SubjectName.RawData);
        Issuer = Convert.ToHexString(certificate.IssuerName.RawData);
        Names = SubjectAltName.Read(certificate);
        foreach (var extension in certificate.Extensions)
            Read(extension);
        IsRsa = certificate.PublicKey.Oid.Value == RsaOid;
        IsEllipticCurve = certificate.PublicKey.Oid.Value == EllipticCurveOid &&
            IsNamedCurve(certificate.PublicKey.EncodedParameters?.RawData ?? []);
        KeyBits = IsRsa ? RsaKeyBits(certificate.PublicKey.EncodedKeyValue.RawData) : 0;
    }

    public X509Certificate2 Certificate { get; }

    public byte[] Der { get; }

    /// <summary>SHA-1 of <see cref="Der"/> in hexadecimal: the name that peers and people use.</summary>
    public string Thumbprint { get; }

    /// <summary>Peer text: not for a log as it is.</summary>
    public string SubjectText { get; }

    /// <summary>Peer text: not for a file name as it is.</summary>
    public string CommonName { get; }

    /// <summary>In hexadecimal, without leading zeros.</summary>
    public string SerialNumber { get; }

    /// <summary>SHA-256 of <see cref="Der"/> in hexadecimal: what makes two certificates the same.</summary>
    public string Fingerprint { get; }

    public SignedObject Signed { get; }

    /// <summary>The encoded names in hexadecimal: compared byte by byte, never by their text.</summary>
    public string Subject { get; }

    public string Issuer { get; }

    public bool IsSelfIssued => Subject == Issuer;

    public SubjectAltName Names { get; }

    public bool IsRsa { get; }

    /// <summary>On one of the curves that the standard names: the cost of a check is known (R11).</summary>
    public bool IsEllipticCurve { get; }

    /// <summary>Size of an RSA modulus; 0 for other keys, and for an exponent that no honest key has.</summary>
    public int KeyBits { get; }

    /// <summary>Null when the extension is absent.</summary>
    public X509KeyUsageFlags? KeyUsage { get; private set; }

    /// <summary>Null when the extension is absent.</summary>
    public string[]? ExtendedKeyUsage { get; private set; }

    public bool IsAuthority { get; private set; }

    public int PathLength { get; private set; } = int.MaxValue;

    public bool HasUnknownCriticalExtension { get; private set; }

    public DateTimeOffset NotBefore { get; }

    public DateTimeOffset NotAfter { get; }

    /// <summary>Null when the bytes are no certificate.</summary>
    public static CertificateFacts? TryParse(ReadOnlySpan<byte> der)
    {
        X509Certificate2? certificate = null;
        try
        {
            certificate = X509CertificateLoader.LoadCertificate(der);
            return new CertificateFacts(certificate);
        }
        catch (Exception error) when (error is CryptographicException or AsnContentException or ArgumentException)
        {
            certificate?.Dispose();
            return null;
        }
    }

    private void Read(X509Extension extension)
    {
        switch (extension)
        {
            case X509KeyUsageExtension usage:
                KeyUsage = usage.KeyUsages;
                break;
            case X509EnhancedKeyUsageExtension extended:
                ExtendedKeyUsage = [.. extended.EnhancedKeyUsages.Cast<Oid>().Select(oid => oid.Value ?? "")];
                break;
            case X509BasicConstraintsExtension constraints:
                IsAuthority = constraints.CertificateAuthority;
                PathLength = constraints.HasPathLengthConstraint ? constraints.PathLengthConstraint : int.MaxValue;
                break;
            case X509SubjectAlternativeNameExtension:
                break;
            default:
                HasUnknownCriticalExtension |= extension.Critical && extension.Oid?.Value != PoliciesOid;
                break;
        }
    }

    /// <summary>P-256, P-384, P-521 and the Brainpool curves of 256, 384 and 512 bits; no curve of the peer's own
    /// making. Source: Part 7, the ECC policies; RFC 5480 §2.1.1.</summary>
    private static bool IsNamedCurve(byte[] parameters) =>
        AsnDecoder.TryReadEncodedValue(parameters, AsnEncodingRules.DER, out var tag, out _, out _, out _) &&
        tag == Asn1Tag.ObjectIdentifier &&
        AsnDecoder.ReadObjectIdentifier(parameters, AsnEncodingRules.DER, out _) is "1.2.840.10045.3.1.7"
            or "1.3.132.0.34" or "1.3.132.0.35" or "1.3.36.3.3.2.8.1.1.7" or "1.3.36.3.3.2.8.1.1.11"
            or "1.3.36.3.3.2.8.1.1.13";

    /// <summary><c>SEQUENCE { modulus, publicExponent }</c>. A huge exponent would make each verification slow (R11).
    /// </summary>
    private static int RsaKeyBits(byte[] key)
    {
        var reader = new AsnReader(key, AsnEncodingRules.DER).ReadSequence();
        var modulus = reader.ReadIntegerBytes().Span.TrimStart((byte)0);
        var exponent = reader.ReadIntegerBytes().Span.TrimStart((byte)0);
        if (modulus.IsEmpty || exponent.Length is 0 or > 4 || exponent is [1 or 2] || (exponent[^1] & 1) == 0)
            return 0;
        return modulus.Length * 8 - int.LeadingZeroCount(modulus[0]) + 24;
    }
}
