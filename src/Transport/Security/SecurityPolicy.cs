using System.Security.Cryptography;
using Gateway.Transport.Certificates;

namespace Gateway.Transport.Security;

/// <summary>One row of the table of policies: algorithms, sizes and the keys that it takes. Lengths are in bytes unless
/// the name says bits. Source: Part 7 §6.6 and the profile database.</summary>
public sealed class SecurityPolicy : ICertificateKeyRule
{
    public required string Uri { get; init; }

    /// <summary>The URI's part behind the <c>#</c>: what configuration, logs and metrics say.</summary>
    public required string Name { get; init; }

    /// <summary>Ours, for a choice between policies: a larger number is stronger; None is 0.</summary>
    public int Strength { get; init; }

    public AsymmetricSignatureAlgorithm AsymmetricSignature { get; init; }

    public AsymmetricEncryptionAlgorithm AsymmetricEncryption { get; init; }

    public SymmetricAlgorithm Symmetric { get; init; }

    /// <summary>The URI that a SignatureData names; null where nothing is signed.</summary>
    public string? SignatureAlgorithmUri { get; init; }

    /// <summary>The URI that an encrypted user token names; null where nothing is encrypted.</summary>
    public string? EncryptionAlgorithmUri { get; init; }

    public int SecureChannelNonceLength { get; init; }

    public int DerivedSignatureKeyLength { get; init; }

    public int EncryptionKeyLength { get; init; }

    /// <summary>Of the symmetric cipher; also the length of its initialisation vector.</summary>
    public int EncryptionBlockSize { get; init; }

    public int SymmetricSignatureLength { get; init; }

    public int MinAsymmetricKeyLengthBits { get; init; }

    public int MaxAsymmetricKeyLengthBits { get; init; }

    /// <summary>True: sequence numbers start below 1024 and wrap within 1024 of the maximum (Part 6 §6.7.2.4). False:
    /// they start at 0 and use the whole range, as the ECC policies ask for.</summary>
    public bool LegacySequenceNumbers { get; init; } = true;

    public bool IsNone => AsymmetricSignature == AsymmetricSignatureAlgorithm.None;

    /// <summary>The digest of both the signature and the signatures inside certificates.</summary>
    public static HashAlgorithmName HashAlgorithm => HashAlgorithmName.SHA256;

    public bool AcceptsKeyLength(int bits) => bits >= MinAsymmetricKeyLengthBits && bits <= MaxAsymmetricKeyLengthBits;

    int ICertificateKeyRule.MinimumRsaKeyBits => MinAsymmetricKeyLengthBits;

    int ICertificateKeyRule.MaximumRsaKeyBits => MaxAsymmetricKeyLengthBits;

    public override string ToString() => Name;
}
