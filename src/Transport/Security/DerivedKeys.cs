using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>Shape: <c>[signing key | encryption key | initialisation vector]</c>. Owner: the code that derived it;
/// cleared on <see cref="Dispose"/>, once the ciphers hold their own copies.</summary>
internal sealed class DerivedKeys(byte[] material, int signingLength, int encryptionLength) : IDisposable
{
    public ReadOnlySpan<byte> SigningKey => material.AsSpan(0, signingLength);

    public ReadOnlySpan<byte> EncryptionKey => material.AsSpan(signingLength, encryptionLength);

    public ReadOnlySpan<byte> InitializationVector => material.AsSpan(signingLength + encryptionLength);

    public void Dispose() => CryptographicOperations.ZeroMemory(material);
}
