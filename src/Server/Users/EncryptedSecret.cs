using System.Diagnostics.CodeAnalysis;
using System.Security.Cryptography;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;

namespace Gateway.Server.Users;

/// <summary>
/// A secret of any length, encrypted by a key that comes with it: <c>TypeId | 1 | UInt32 length | policy URI | SHA-1 of
/// the certificate | signing time | UInt16 length | keys, by RSA | nonce, secret, padding, UInt16 padding length, by
/// the cipher | HMAC over all before</c>. The keys are three ByteStrings: of the HMAC, of the cipher, its vector.
/// Source: Part 4 §7.40.2.3, §7.40.2.4.
/// </summary>
internal static class EncryptedSecret
{
    /// <summary>The DataType RsaEncryptedSecret.</summary>
    private const uint RsaEncryptedSecretId = 17545;

    private const byte HasBody = 1;
    private const int MaxKeyBlocks = 4;

    /// <summary>Of this format, and not of the older one, which is all cipher text.</summary>
    public static bool Is(ReadOnlySpan<byte> data)
    {
        var reader = new UaBinaryReader(data);
        var isOfIt = reader.ReadNodeId() == new NodeId(RsaEncryptedSecretId) && reader.ReadByte() == HasBody;
        return isOfIt && !reader.Failed;
    }

    /// <summary>False without a word on why (R13): the HMAC is checked before anything is deciphered, so that nobody
    /// learns of a padding. Does private-key work: belongs on the lane.</summary>
    /// <param name="policy">Of the token policy.</param>
    /// <param name="server">The certificate that it must be encrypted for.</param>
    /// <param name="data">All of it.</param>
    /// <param name="serverNonce">That must be in it.</param>
    /// <param name="secret">To be wiped.</param>
    public static bool TryDecrypt(
        SecurityPolicy policy, ApplicationCertificate server, byte[] data, byte[] serverNonce,
        [NotNullWhen(true)] out byte[]? secret)
    {
        secret = null;
        if (!TryTakeApart(policy, server, data, out var keyData, out var payload) ||
            keyData.Length > MaxKeyBlocks * AsymmetricCryptography.CipherBlockLength(server.PrivateKey) ||
            !policy.TryDecryptAsymmetric(server.PrivateKey, keyData, out var plainKeys))
            return false;
        try
        {
            return TryOpen(policy, plainKeys, data, payload, serverNonce, out secret);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(plainKeys);
        }
    }

    private static bool TryTakeApart(
        SecurityPolicy policy, ApplicationCertificate server, byte[] data, out byte[] keyData, out Range payload)
    {
        var reader = new UaBinaryReader(data);
        reader.ReadNodeId();
        reader.ReadByte();
        var length = reader.ReadUInt32();
        var isWhole = length == reader.Remaining;
        var isOfPolicy = reader.ReadString() == policy.Uri;
        var thumbprint = reader.ReadByteString();
        reader.ReadDateTime();
        var keyLength = reader.ReadUInt16();
        var start = reader.Position;
        var end = data.Length - policy.SymmetricSignatureLength;
        keyData = [];
        payload = default;
        if (reader.Failed || !isWhole || !isOfPolicy || start + keyLength >= end ||
            (thumbprint?.Length > 0 && !thumbprint.AsSpan().SequenceEqual(server.ThumbprintBytes.Span)))
            return false;
        keyData = data[start..(start + keyLength)];
        payload = (start + keyLength)..end;
        return true;
    }

    private static bool TryOpen(
        SecurityPolicy policy, byte[] plainKeys, byte[] data, Range payload, byte[] serverNonce,
        [NotNullWhen(true)] out byte[]? secret)
    {
        secret = null;
        var reader = new UaBinaryReader(plainKeys);
        var signing = reader.ReadByteString() ?? [];
        var cipher = reader.ReadByteString() ?? [];
        var vector = reader.ReadByteString() ?? [];
        if (reader.Failed || signing.Length != policy.DerivedSignatureKeyLength ||
            cipher.Length != policy.EncryptionKeyLength || vector.Length != policy.EncryptionBlockSize)
            return false;
        var signed = payload.End.Value;
        var mac = HMACSHA256.HashData(signing, data.AsSpan(0, signed));
        var body = data.AsSpan(payload);
        if (!CryptographicOperations.FixedTimeEquals(mac, data.AsSpan(signed)) ||
            body.Length % policy.EncryptionBlockSize != 0)
            return false;
        using var aes = Aes.Create();
        aes.Key = cipher;
        var plain = aes.DecryptCbc(body, vector, PaddingMode.None);
        try
        {
            return TryRead(plain, serverNonce, out secret);
        }
        finally
        {
            CryptographicOperations.ZeroMemory(plain);
            CryptographicOperations.ZeroMemory(cipher);
            CryptographicOperations.ZeroMemory(signing);
        }
    }

    private static bool TryRead(byte[] plain, byte[] serverNonce, [NotNullWhen(true)] out byte[]? secret)
    {
        var reader = new UaBinaryReader(plain);
        var nonce = reader.ReadByteStringSpan();
        var isOfSession = CryptographicOperations.FixedTimeEquals(nonce, serverNonce);
        secret = reader.ReadByteString();
        if (!reader.Failed && isOfSession && secret is not null &&
            HasPadding(plain.AsSpan(reader.Position)))
            return true;
        CryptographicOperations.ZeroMemory(secret);
        secret = null;
        return false;
    }

    /// <summary>Bytes of the low byte of their number, and the number.</summary>
    private static bool HasPadding(ReadOnlySpan<byte> rest)
    {
        if (rest.Length < sizeof(ushort))
            return false;
        var count = rest.Length - sizeof(ushort);
        return System.Buffers.Binary.BinaryPrimitives.ReadUInt16LittleEndian(rest[count..]) == count &&
            !rest[..count].ContainsAnyExcept((byte)count);
    }
}
