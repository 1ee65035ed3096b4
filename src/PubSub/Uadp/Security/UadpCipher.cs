using System.Buffers.Binary;
using System.Numerics;
using System.Runtime.InteropServices;
using System.Security.Cryptography;

namespace Gateway.PubSub.Uadp.Security;

/// <summary>
/// Seals and opens with one key. .NET has AES in counter mode only as its building block: the keystream is the block
/// operation over counter blocks <c>KeyNonce[4], MessageNonce[8], counter UInt32 big-endian from 1</c>, and the data is
/// combined with it bit by bit. The signature is HMAC-SHA2-256 over all that stands before it. 0 B a call. Owner: one
/// sealer or opener; one thread at a time. Source: Part 14 §7.2.4.4.3.
/// </summary>
internal sealed class UadpCipher : IDisposable
{
    private const int BlockBytes = 16;
    private const int BlocksAtOnce = 64;
    private const int CounterOffset = PubSubSecurityPolicy.KeyNonceBytes + PubSubSecurityPolicy.MessageNonceBytes;

    private readonly byte[] _signingKey;
    private readonly byte[] _keyNonce;
    private readonly byte[] _counters = new byte[BlockBytes * BlocksAtOnce];
    private readonly byte[] _keystream = new byte[BlockBytes * BlocksAtOnce];
    private readonly Aes _aes;
    private readonly ICryptoTransform _blocks;

    public UadpCipher(SecurityKey key)
    {
        _signingKey = key.SigningKey.ToArray();
        _keyNonce = key.KeyNonce.ToArray();
        _aes = Aes.Create();
        _aes.Mode = CipherMode.ECB;
        _aes.Padding = PaddingMode.None;
        _aes.SetKey(key.EncryptingKey);
        _blocks = _aes.CreateEncryptor();
        (TokenId, Fingerprint) = (key.TokenId, key.Fingerprint);
    }

    public uint TokenId { get; }

    public string Fingerprint { get; }

    /// <summary>Encrypts and decrypts, in place.</summary>
    /// <param name="messageNonce">Its eight bytes as they stand in the message.</param>
    /// <param name="data">Of any length.</param>
    public void Apply(ReadOnlySpan<byte> messageNonce, Span<byte> data)
    {
        uint counter = 1;
        while (data.Length > 0)
        {
            var length = Math.Min(data.Length, _keystream.Length);
            var blocks = (length + BlockBytes - 1) / BlockBytes;
            for (var i = 0; i < blocks; i++)
            {
                var block = _counters.AsSpan(i * BlockBytes, BlockBytes);
                _keyNonce.CopyTo(block);
                messageNonce.CopyTo(block[PubSubSecurityPolicy.KeyNonceBytes..]);
                BinaryPrimitives.WriteUInt32BigEndian(block[CounterOffset..], counter++);
            }

            _blocks.TransformBlock(_counters, 0, blocks * BlockBytes, _keystream, 0);
            Combine(data[..length], _keystream);
            data = data[length..];
        }
    }

    /// <param name="message">All that stands before the signature.</param>
    /// <param name="signature">32 bytes.</param>
    public void Sign(ReadOnlySpan<byte> message, Span<byte> signature) =>
        HMACSHA256.HashData(_signingKey, message, signature);

    public bool Verify(ReadOnlySpan<byte> message, ReadOnlySpan<byte> signature)
    {
        Span<byte> own = stackalloc byte[PubSubSecurityPolicy.SignatureBytes];
        HMACSHA256.HashData(_signingKey, message, own);
        return CryptographicOperations.FixedTimeEquals(own, signature);
    }

    public void Dispose()
    {
        _blocks.Dispose();
        _aes.Dispose();
        CryptographicOperations.ZeroMemory(_signingKey);
        CryptographicOperations.ZeroMemory(_keystream);
    }

    private static void Combine(Span<byte> data, ReadOnlySpan<byte> keystream)
    {
        var wide = data.Length - (data.Length % Vector<byte>.Count);
        var ours = MemoryMarshal.Cast<byte, Vector<byte>>(data[..wide]);
        var stream = MemoryMarshal.Cast<byte, Vector<byte>>(keystream[..wide]);
        for (var i = 0; i < ours.Length; i++)
            ours[i] ^= stream[i];
        for (var i = wide; i < data.Length; i++)
            data[i] ^= keystream[i];
    }
}
