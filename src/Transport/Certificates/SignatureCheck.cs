using System.Formats.Asn1;
using System.Security.Cryptography;
using System.Security.Cryptography.X509Certificates;

namespace Gateway.Transport.Certificates;

/// <summary>Verifies the signature of a certificate or revocation list with its issuer's public key.</summary>
internal static class SignatureCheck
{
    private const string RsaPssOid = "1.2.840.113549.1.1.10";

    /// <summary>MD5 and SHA-1 in any use: forgeable, so they prove nothing (R33).</summary>
    public static bool IsWeak(SignedObject signed)
    {
        try
        {
            return HashOf(signed) is not { } hash || hash == HashAlgorithmName.MD5 || hash == HashAlgorithmName.SHA1;
        }
        catch (AsnContentException)
        {
            return true;
        }
    }

    /// <summary>False also for an algorithm that is not known, and for a key of another kind.</summary>
    public static bool Verify(SignedObject signed, X509Certificate2 issuer)
    {
        try
        {
            return HashOf(signed) is { } hash && Verify(signed, issuer, hash);
        }
        catch (Exception error) when (error is CryptographicException or AsnContentException or NotSupportedException)
        {
            return false;
        }
    }

    private static bool Verify(SignedObject signed, X509Certificate2 issuer, HashAlgorithmName hash)
    {
        if (signed.AlgorithmOid.StartsWith("1.2.840.10045.", StringComparison.Ordinal))
        {
            using var ecdsa = issuer.GetECDsaPublicKey();
            return ecdsa is not null && ecdsa.VerifyData(
                signed.ToBeSigned.Span, signed.Signature, hash, DSASignatureFormat.Rfc3279DerSequence);
        }
        using var rsa = issuer.GetRSAPublicKey();
        var padding = signed.AlgorithmOid == RsaPssOid ? RSASignaturePadding.Pss : RSASignaturePadding.Pkcs1;
        return rsa is not null && rsa.VerifyData(signed.ToBeSigned.Span, signed.Signature, hash, padding);
    }

    private static HashAlgorithmName? HashOf(SignedObject signed) => signed.AlgorithmOid switch
    {
        "1.2.840.113549.1.1.4" => HashAlgorithmName.MD5,
        "1.2.840.113549.1.1.5" or "1.2.840.10045.4.1" => HashAlgorithmName.SHA1,
        "1.2.840.113549.1.1.11" or "1.2.840.10045.4.3.2" => HashAlgorithmName.SHA256,
        "1.2.840.113549.1.1.12" or "1.2.840.10045.4.3.3" => HashAlgorithmName.SHA384,
        "1.2.840.113549.1.1.13" or "1.2.840.10045.4.3.4" => HashAlgorithmName.SHA512,
        RsaPssOid => PssHash(signed.Parameters),
        _ => null,
    };

    /// <summary><c>SEQUENCE { [0] hashAlgorithm DEFAULT sha1, … }</c>. Source: RFC 4055 §3.1.</summary>
    private static HashAlgorithmName? PssHash(ReadOnlyMemory<byte> parameters)
    {
        var reader = new AsnReader(parameters, AsnEncodingRules.DER).ReadSequence();
        var tag = new Asn1Tag(TagClass.ContextSpecific, 0);
        if (!reader.HasData || !reader.PeekTag().HasSameClassAndValue(tag))
            return HashAlgorithmName.SHA1;
        return reader.ReadSequence(tag).ReadSequence().ReadObjectIdentifier() switch
        {
            "1.3.14.3.2.26" => HashAlgorithmName.SHA1,
            "2.16.840.1.101.3.4.2.1" => HashAlgorithmName.SHA256,
            "2.16.840.1.101.3.4.2.2" => HashAlgorithmName.SHA384,
            "2.16.840.1.101.3.4.2.3" => HashAlgorithmName.SHA512,
            _ => null,
        };
    }
}
