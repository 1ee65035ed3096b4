using System.Buffers.Binary;
using System.Security.Cryptography;

namespace Gateway.Transport.Security;

/// <summary>
/// AES-CBC with HMAC-SHA256, signed first, encrypted after:
/// <code>
///  0        16                 24                                          size
///  headers  | SequenceHeader   | body | PaddingSize, padding | signature |      signed: 0 to the signature
///           |&lt;------------------- encrypted (not in mode Sign) --------&gt;|      padding only where encrypted
/// </code>
/// Source: Part 6 §6.7.2, §6.7.5.
/// </summary>
internal sealed class CbcHmacProtection : ChunkProtection
{
    private const int SignatureSize = 32;
    private const int BlockSize = 16;

    private readonly SymmetricPrimitives _primitives;
    private readonly bool _encrypted;

    public CbcHmacProtection(SymmetricPrimitives primitives, bool encrypted)
    {
        _primitives = primitives;
        _encrypted = encrypted;
    }

    public override int MaxTrailerBytes => _encrypted ? BlockSize + SignatureSize : SignatureSize;

    public override int MaxBodyBytes(int chunkSize)
    {
        if (!_encrypted)
            return chunkSize - MessageLayout.Headroom - SignatureSize;
        var encrypted = (chunkSize - MessageLayout.SymmetricHeaderSize) / BlockSize * BlockSize;
        return encrypted - MessageLayout.SequenceHeaderSize - 1 - SignatureSize;
    }

    public override int Seal(Span<byte> chunk, int bodyEnd)
    {
        var signedEnd = _encrypted ? Pad(chunk, bodyEnd) : bodyEnd;
        var size = signedEnd + SignatureSize;
        BinaryPrimitives.WriteInt32LittleEndian(chunk[MessageLayout.MessageSizeOffset..], size);
        _primitives.ComputeMac(chunk[..signedEnd], chunk[signedEnd..size]);
        if (_encrypted)
            _primitives.Transform(chunk[MessageLayout.SymmetricHeaderSize..size]);
        return size;
    }

    public override bool TryUnseal(Span<byte> chunk, out int bodyEnd)
    {
        bodyEnd = 0;
        var encryptedLength = chunk.Length - MessageLayout.SymmetricHeaderSize;
        if (chunk.Length < MessageLayout.Headroom + SignatureSize || (_encrypted && encryptedLength % BlockSize != 0))
            return false;
        if (_encrypted)
            _primitives.Transform(chunk[MessageLayout.SymmetricHeaderSize..]);
        var signedEnd = chunk.Length - SignatureSize;
        Span<byte> expected = stackalloc byte[SignatureSize];
        _primitives.ComputeMac(chunk[..signedEnd], expected);
        if (!CryptographicOperations.FixedTimeEquals(expected, chunk[signedEnd..]))
            return false;
        bodyEnd = _encrypted ? BodyEndBeforePadding(chunk, signedEnd) : signedEnd;
        return bodyEnd >= MessageLayout.Headroom;
    }

    public override void Dispose() => _primitives.Dispose();

    /// <summary>PaddingSize and that many bytes of the same value, so that with the signature whole blocks result.
    /// </summary>
    private static int Pad(Span<byte> chunk, int bodyEnd)
    {
        var unpadded = bodyEnd - MessageLayout.SymmetricHeaderSize + 1 + SignatureSize;
        var padding = (BlockSize - unpadded % BlockSize) % BlockSize;
        chunk.Slice(bodyEnd, padding + 1).Fill((byte)padding);
        return bodyEnd + padding + 1;
    }

    /// <summary>The padding is genuine once the signature is; a wrong one is the sender's fault.</summary>
    private static int BodyEndBeforePadding(ReadOnlySpan<byte> chunk, int signedEnd)
    {
        var padding = chunk[signedEnd - 1];
        var bodyEnd = signedEnd - padding - 1;
        return bodyEnd >= MessageLayout.Headroom && !chunk[bodyEnd..signedEnd].ContainsAnyExcept(padding) ? bodyEnd : 0;
    }
}
