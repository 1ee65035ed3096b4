using System.Buffers.Binary;
using System.Security.Cryptography;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>Unseals an OPN chunk. Private-key work: on the lane. Source: Part 6 §6.7.2, §6.7.4.</summary>
internal static class AsymmetricUnsealer
{
    /// <summary>Errors: SecureChannelException, one status and text whatever the check; the signature is checked also
    /// after the decryption has failed, so that the time is the same (R13).</summary>
    /// <param name="policy">From the header.</param>
    /// <param name="chunk">The whole chunk.</param>
    /// <param name="headerEnd">Where its clear header ends.</param>
    /// <param name="privateKey">Ours; null for None.</param>
    /// <param name="peerKey">The sender's; null for None.</param>
    public static UnsealedChunk Unseal(
        SecurityPolicy policy, ReadOnlyMemory<byte> chunk, int headerEnd, RSA? privateKey, RSA? peerKey)
    {
        if (policy.IsNone || privateKey is null || peerKey is null)
            return Parse(chunk, headerEnd, chunk.Length);

        var plain = new byte[chunk.Length];
        chunk.Span[..headerEnd].CopyTo(plain);
        var good = policy.TryDecryptAsymmetric(
            privateKey, chunk.Span[headerEnd..], plain.AsSpan(headerEnd), out var written);
        var end = headerEnd + written;
        var signedEnd = Math.Max(headerEnd, end - AsymmetricCryptography.SignatureLength(peerKey));
        good &= policy.VerifyAsymmetric(peerKey, plain.AsSpan(0, signedEnd), plain.AsSpan(signedEnd, end - signedEnd));
        var bodyEnd = good ? BodyEndBeforePadding(plain, signedEnd, privateKey.KeySize > 2048) : 0;
        if (!good || bodyEnd < headerEnd + MessageLayout.SequenceHeaderSize)
            ConversationFault.Security("an OPN that does not decrypt or whose signature is wrong");
        return Parse(plain, headerEnd, bodyEnd);
    }

    private static UnsealedChunk Parse(ReadOnlyMemory<byte> chunk, int headerEnd, int bodyEnd)
    {
        var body = headerEnd + MessageLayout.SequenceHeaderSize;
        if (bodyEnd < body)
            ConversationFault.Malformed("an OPN that ends in its headers");
        var header = chunk.Span[headerEnd..];
        return new UnsealedChunk(
            BinaryPrimitives.ReadUInt32LittleEndian(header),
            BinaryPrimitives.ReadUInt32LittleEndian(header[4..]),
            chunk[body..bodyEnd]);
    }

    /// <summary>[PaddingSize][padding …][ExtraPaddingSize], the last for keys over 2048 bits; 0 when wrong.</summary>
    private static int BodyEndBeforePadding(ReadOnlySpan<byte> plain, int signedEnd, bool extra)
    {
        var last = signedEnd - 1;
        if (last < 1)
            return 0;
        var size = extra ? (plain[last] << 8) | plain[last - 1] : plain[last];
        var start = signedEnd - size - (extra ? 2 : 1);
        if (start < 0)
            return 0;
        var padding = plain[start..(extra ? last : signedEnd)];
        return padding.ContainsAnyExcept((byte)size) ? 0 : start;
    }
}
