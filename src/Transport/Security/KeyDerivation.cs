using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>P_SHA256 of RFC 5246 §5 and the keys that a channel takes from it. Source: Part 6 §6.7.5.</summary>
internal static class KeyDerivation
{
    private const int HashLength = 32;

    /// <summary>The keys of one side's messages: secret is the other side's nonce, seed its own.</summary>
    public static DerivedKeys DeriveSenderKeys(
        SecurityPolicy policy, ReadOnlySpan<byte> senderNonce, ReadOnlySpan<byte> receiverNonce)
    {
        var signing = policy.DerivedSignatureKeyLength;
        var encrypting = policy.EncryptionKeyLength;
        var material = new byte[signing + encrypting + policy.EncryptionBlockSize];
        PSha256(receiverNonce, senderNonce, material);
        return new DerivedKeys(material, signing, encrypting);
    }

    public static void PSha256(ReadOnlySpan<byte> secret, ReadOnlySpan<byte> seed, Span<byte> output)
    {
        Span<byte> input = stackalloc byte[HashLength + seed.Length];
        Span<byte> block = stackalloc byte[HashLength];
        seed.CopyTo(input[HashLength..]);
        HMACSHA256.HashData(secret, seed, input[..HashLength]);
        while (output.Length > 0)
        {
            HMACSHA256.HashData(secret, input, block);
            var take = Math.Min(HashLength, output.Length);
            block[..take].CopyTo(output);
            output = output[take..];
            HMACSHA256.HashData(secret, input[..HashLength], block);
            block.CopyTo(input);
        }

        CryptographicOperations.ZeroMemory(input);
        CryptographicOperations.ZeroMemory(block);
    }
}
