namespace Gateway.Transport.Security;

/// <summary>How the messages of a channel are protected once its keys are derived. An AEAD is one more value here and
/// one more <c>ChunkProtection</c>.</summary>
public enum SymmetricAlgorithm
{
    None,
    Aes128CbcHmacSha256,
    Aes256CbcHmacSha256,
}
