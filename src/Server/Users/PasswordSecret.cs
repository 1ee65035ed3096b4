using System.Buffers.Binary;
using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Gateway.Transport.Security;

namespace Gateway.Server.Users;

/// <summary>The legacy encrypted token secret: <c>UInt32 length | secret | serverNonce</c>, in blocks of the server's
/// RSA key. Source: Part 4 §7.40.2.2.</summary>
internal static class PasswordSecret
{
    public const int MaxPasswordBlocks = 8;

    /// <summary>Three KiB and more: a longer token comes as an <see cref="EncryptedSecret"/>, as the standard says.
    /// </summary>
    public const int MaxTokenBlocks = 16;

    /// <summary>False without the reason (R13). Does private-key work: belongs on the lane.</summary>
    public static bool TryDecrypt(
        SecurityPolicy policy, RSA key, byte[] encrypted, byte[] serverNonce, int maxBlocks,
        [NotNullWhen(true)] out byte[]? secret)
    {
        secret = null;
        if (encrypted.Length > maxBlocks * AsymmetricCryptography.CipherBlockLength(key) ||
            !policy.TryDecryptAsymmetric(key, encrypted, out var plain))
            return false;
        try
        {
            return TryTakeApart(plain, serverNonce, out secret);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(plain);
        }
    }

    private static bool TryTakeApart(ReadOnlySpan<byte> plain, byte[] serverNonce,
        [NotNullWhen(true)] out byte[]? secret)
    {
        secret = null;
        if (plain.Length < sizeof(uint))
            return false;
        var length = BinaryPrimitives.ReadUInt32LittleEndian(plain);
        plain = plain[sizeof(uint)..];
        // Some clients fill the last block with zeros.
        if (length > (uint)plain.Length || length < serverNonce.Length
            || plain[(int)length..].ContainsAnyExcept((byte)0))
            return false;
        plain = plain[..(int)length];
        var secretLength = plain.Length - serverNonce.Length;
        if (!CryptographicOperations.FixedTimeEquals(plain[secretLength..], serverNonce))
            return false;
        secret = plain[..secretLength].ToArray();
        return true;
    }
}
