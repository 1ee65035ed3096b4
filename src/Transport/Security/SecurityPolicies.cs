using System.Collections.Frozen;
using System.Diagnostics.CodeAnalysis;

namespace Gateway.Transport.Security;

/// <summary>The table of policies. A further policy is a further row. Deprecated ones (Basic128Rsa15, Basic256) are not
/// in it and so cannot be offered.</summary>
public static class SecurityPolicies
{
    private const string Prefix = "http://opcfoundation.org/UA/SecurityPolicy#";

    public static SecurityPolicy None { get; } = new() { Uri = Prefix + "None", Name = "None" };

    public static SecurityPolicy Basic256Sha256 { get; } = Rsa(
        "Basic256Sha256",
        strength: 2,
        AsymmetricSignatureAlgorithm.RsaPkcs15Sha256,
        AsymmetricEncryptionAlgorithm.RsaOaepSha1,
        SymmetricAlgorithm.Aes256CbcHmacSha256);

    public static SecurityPolicy Aes128Sha256RsaOaep { get; } = Rsa(
        "Aes128_Sha256_RsaOaep",
        strength: 1,
        AsymmetricSignatureAlgorithm.RsaPkcs15Sha256,
        AsymmetricEncryptionAlgorithm.RsaOaepSha1,
        SymmetricAlgorithm.Aes128CbcHmacSha256);

    public static SecurityPolicy Aes256Sha256RsaPss { get; } = Rsa(
        "Aes256_Sha256_RsaPss",
        strength: 3,
        AsymmetricSignatureAlgorithm.RsaPssSha256,
        AsymmetricEncryptionAlgorithm.RsaOaepSha256,
        SymmetricAlgorithm.Aes256CbcHmacSha256);

    /// <summary>Every row but None: offered if nothing else is configured.</summary>
    public static IReadOnlyList<SecurityPolicy> Secured { get; } =
        [Basic256Sha256, Aes128Sha256RsaOaep, Aes256Sha256RsaPss];

    /// <summary>Every row, None first.</summary>
    public static IReadOnlyList<SecurityPolicy> All { get; } = [None, .. Secured];

    private static readonly FrozenDictionary<string, SecurityPolicy> ByUri =
        All.ToFrozenDictionary(p => p.Uri, StringComparer.Ordinal);

    private static readonly FrozenDictionary<string, SecurityPolicy> ByName =
        All.ToFrozenDictionary(p => p.Name, StringComparer.OrdinalIgnoreCase);

    public static bool TryGet(string? uri, [NotNullWhen(true)] out SecurityPolicy? policy)
    {
        policy = null;
        return uri is not null && ByUri.TryGetValue(uri, out policy);
    }

    /// <summary>By the short name that configuration uses, in any case.</summary>
    public static bool TryGetByName(string? name, [NotNullWhen(true)] out SecurityPolicy? policy)
    {
        policy = null;
        return name is not null && ByName.TryGetValue(name, out policy);
    }

    private static SecurityPolicy Rsa(
        string name,
        int strength,
        AsymmetricSignatureAlgorithm signature,
        AsymmetricEncryptionAlgorithm encryption,
        SymmetricAlgorithm symmetric) => new()
        {
            Uri = Prefix + name,
            Name = name,
            Strength = strength,
            AsymmetricSignature = signature,
            AsymmetricEncryption = encryption,
            Symmetric = symmetric,
            SignatureAlgorithmUri = signature == AsymmetricSignatureAlgorithm.RsaPssSha256
                ? "http://opcfoundation.org/UA/security/rsa-pss-sha2-256"
                : "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256",
            EncryptionAlgorithmUri = encryption == AsymmetricEncryptionAlgorithm.RsaOaepSha256
                ? "http://opcfoundation.org/UA/security/rsa-oaep-sha2-256"
                : "http://www.w3.org/2001/04/xmlenc#rsa-oaep",
            SecureChannelNonceLength = 32,
            DerivedSignatureKeyLength = 32,
            EncryptionKeyLength = symmetric == SymmetricAlgorithm.Aes128CbcHmacSha256 ? 16 : 32,
            EncryptionBlockSize = 16,
            SymmetricSignatureLength = 32,
            MinAsymmetricKeyLengthBits = 2048,
            MaxAsymmetricKeyLengthBits = 4096,
        };
}
