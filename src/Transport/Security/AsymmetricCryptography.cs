using System.Diagnostics.CodeAnalysis;
using System.Formats.Asn1;
using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>The private- and public-key primitives of a policy, on spans. Private-key members cost a fraction of a
/// millisecond and belong on the <see cref="PrivateKeyLane"/>. Errors: false, the same for every cause (R13).</summary>
public static class AsymmetricCryptography
{
    public static int SignatureLength(RSA key) => key.KeySize / 8;

    /// <summary>The most plaintext bytes in one encrypted block of this key.</summary>
    public static int PlainBlockLength(this SecurityPolicy policy, RSA key) => key.KeySize / 8 - policy.BlockOverhead();

    public static int CipherBlockLength(RSA key) => key.KeySize / 8;

    public static byte[] SignAsymmetric(this SecurityPolicy policy, RSA privateKey, ReadOnlySpan<byte> data) =>
        policy.IsNone ? [] : privateKey.SignData(data, SecurityPolicy.HashAlgorithm, policy.SignaturePadding());

    /// <returns>Bytes written: <see cref="SignatureLength"/>.</returns>
    public static int SignAsymmetric(
        this SecurityPolicy policy, RSA privateKey, ReadOnlySpan<byte> data, Span<byte> signature) =>
        privateKey.SignData(data, signature, SecurityPolicy.HashAlgorithm, policy.SignaturePadding());

    public static bool VerifyAsymmetric(
        this SecurityPolicy policy, RSA publicKey, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature)
    {
        // Some implementations take one that lacks a leading zero byte (RFC 8017 §8.1.2, step 1).
        if (policy.IsNone || signature.Length != SignatureLength(publicKey))
            return false;
        try
        {
            return publicKey.VerifyData(data, signature, SecurityPolicy.HashAlgorithm, policy.SignaturePadding());
        }
        catch (CryptographicException)
        {
            return false;
        }
    }

    /// <param name="policy">The policy whose algorithm signed.</param>
    /// <param name="certificate">The signer's leaf, DER.</param>
    /// <param name="data">The signed bytes.</param>
    /// <param name="signature">The signature as it came.</param>
    public static bool VerifyAsymmetric(
        this SecurityPolicy policy, byte[] certificate, ReadOnlySpan<byte> data, ReadOnlySpan<byte> signature)
    {
        if (!PublicKeyCache.TryGet(certificate, out var lease))
            return false;
        using (lease)
        {
            var good = policy.VerifyAsymmetric(lease.Key, data, signature);
            if (good)
                lease.Proven();
            return good;
        }
    }

    /// <summary>Any length: whole blocks, the last one shorter. Length: blocks × <see cref="CipherBlockLength"/>.
    /// </summary>
    public static byte[] EncryptAsymmetric(this SecurityPolicy policy, RSA publicKey, ReadOnlySpan<byte> data)
    {
        var plainBlock = policy.PlainBlockLength(publicKey);
        var blocks = Math.Max(1, (data.Length + plainBlock - 1) / plainBlock);
        var result = new byte[blocks * CipherBlockLength(publicKey)];
        policy.EncryptAsymmetric(publicKey, data, result);
        return result;
    }

    /// <returns>Bytes written.</returns>
    public static int EncryptAsymmetric(
        this SecurityPolicy policy, RSA publicKey, ReadOnlySpan<byte> data, Span<byte> destination)
    {
        var plainBlock = policy.PlainBlockLength(publicKey);
        var written = 0;
        do
        {
            var block = data[..Math.Min(plainBlock, data.Length)];
            written += publicKey.Encrypt(block, destination[written..], policy.EncryptionPadding());
            data = data[block.Length..];
        }
        while (data.Length > 0);

        return written;
    }

    /// <summary>Every block is decrypted also after one has failed, so that the time does not tell which.</summary>
    public static bool TryDecryptAsymmetric(
        this SecurityPolicy policy, RSA privateKey, ReadOnlySpan<byte> data, Span<byte> destination, out int written)
    {
        written = 0;
        var cipherBlock = CipherBlockLength(privateKey);
        if (policy.IsNone || data.Length == 0 || data.Length % cipherBlock != 0)
            return false;
        var good = true;
        for (; data.Length > 0; data = data[cipherBlock..])
            good &= TryDecryptBlock(policy, privateKey, data[..cipherBlock], destination, ref written);
        return good;
    }

    public static bool TryDecryptAsymmetric(
        this SecurityPolicy policy, RSA privateKey, ReadOnlySpan<byte> data, [NotNullWhen(true)] out byte[]? plain)
    {
        var buffer = new byte[data.Length];
        var good = policy.TryDecryptAsymmetric(privateKey, data, buffer, out var written);
        plain = good ? buffer[..written] : null;
        CryptographicOperations.ZeroMemory(buffer);
        return good;
    }

    /// <summary>A key of the caller's own. It is taken out of the certificate's bytes: OpenSSL 3 needs twice as long to
    /// make a certificate of them first. Says nothing about the certificate's validity.</summary>
    public static bool TryGetPublicKey(byte[] certificate, [NotNullWhen(true)] out RSA? key)
    {
        key = RSA.Create();
        try
        {
            key.ImportSubjectPublicKeyInfo(SubjectPublicKeyInfo(certificate).Span, out _);
            return true;
        }
        catch (Exception e) when (e is CryptographicException or AsnContentException)
        {
            key.Dispose();
            key = null;
            return false;
        }
    }

    /// <summary>Certificate: SEQUENCE of TBSCertificate, …; TBSCertificate: [0] version, serial number, signature,
    /// issuer, validity, subject, subjectPublicKeyInfo, … Source: RFC 5280 §4.1.</summary>
    private static ReadOnlyMemory<byte> SubjectPublicKeyInfo(byte[] certificate)
    {
        var body = new AsnReader(certificate, AsnEncodingRules.DER).ReadSequence().ReadSequence();
        if (body.PeekTag().HasSameClassAndValue(new Asn1Tag(TagClass.ContextSpecific, 0)))
            body.ReadEncodedValue();
        for (var i = 0; i < 5; i++)
            body.ReadEncodedValue();
        return body.ReadEncodedValue();
    }

    private static bool TryDecryptBlock(
        SecurityPolicy policy, RSA key, ReadOnlySpan<byte> block, Span<byte> destination, ref int written)
    {
        try
        {
            if (!key.TryDecrypt(block, destination[written..], policy.EncryptionPadding(), out var count))
                return false;
            written += count;
            return true;
        }
        catch (CryptographicException)
        {
            return false;
        }
    }

    private static int BlockOverhead(this SecurityPolicy policy) =>
        policy.AsymmetricEncryption == AsymmetricEncryptionAlgorithm.RsaOaepSha256 ? 66 : 42;

    private static RSAEncryptionPadding EncryptionPadding(this SecurityPolicy policy) =>
        policy.AsymmetricEncryption == AsymmetricEncryptionAlgorithm.RsaOaepSha256
            ? RSAEncryptionPadding.OaepSHA256
            : RSAEncryptionPadding.OaepSHA1;

    private static RSASignaturePadding SignaturePadding(this SecurityPolicy policy) =>
        policy.AsymmetricSignature == AsymmetricSignatureAlgorithm.RsaPssSha256
            ? RSASignaturePadding.Pss
            : RSASignaturePadding.Pkcs1;
}
