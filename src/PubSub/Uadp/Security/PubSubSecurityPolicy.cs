namespace Gateway.PubSub.Uadp.Security;

/// <summary>A SecurityPolicy for messages that have no SecureChannel: HMAC-SHA2-256 and AES in counter mode.
/// Source: Part 7 PubSub-Aes128-CTR, PubSub-Aes256-CTR; Part 14 §7.2.4.4.3.</summary>
public sealed class PubSubSecurityPolicy
{
    public const int SigningKeyBytes = 32;
    public const int KeyNonceBytes = 4;
    public const int MessageNonceBytes = 8;
    public const int SignatureBytes = 32;

    private const string UriPrefix = "http://opcfoundation.org/UA/SecurityPolicy#";

    private PubSubSecurityPolicy(string name, int encryptingKeyBytes) =>
        (Name, EncryptingKeyBytes) = (name, encryptingKeyBytes);

    public static PubSubSecurityPolicy Aes128Ctr { get; } = new("PubSub-Aes128-CTR", 16);

    public static PubSubSecurityPolicy Aes256Ctr { get; } = new("PubSub-Aes256-CTR", 32);

    /// <summary>Of the URI.</summary>
    public string Name { get; }

    public string Uri => UriPrefix + Name;

    public int EncryptingKeyBytes { get; }

    /// <summary>Signing key, encrypting key and KeyNonce, as GetSecurityKeys returns them in one.</summary>
    public int KeyDataBytes => SigningKeyBytes + EncryptingKeyBytes + KeyNonceBytes;

    /// <summary>By name or URI; null where there is none.</summary>
    public static PubSubSecurityPolicy? Find(string? name)
    {
        if (name == Aes128Ctr.Name || name == Aes128Ctr.Uri)
            return Aes128Ctr;
        return name == Aes256Ctr.Name || name == Aes256Ctr.Uri ? Aes256Ctr : null;
    }
}
