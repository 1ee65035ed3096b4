using System.Security.Cryptography;
using Gateway.Codec.Pooling;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>Seals an OPN chunk: signed with our key, encrypted for the peer's. Source: Part 6 §6.7.2, §6.7.4.</summary>
internal sealed class AsymmetricSealer
{
    public required SecurityPolicy Policy { get; init; }

    /// <summary>Ours with its chain; empty for None.</summary>
    public byte[] SenderCertificate { get; init; } = [];

    public byte[] ReceiverThumbprint { get; init; } = [];

    public RSA? PrivateKey { get; init; }

    public RSA? PeerKey { get; init; }

    /// <returns>The chunk, whole.</returns>
    public byte[] Seal(uint channelId, uint sequenceNumber, uint requestId, ReadOnlySpan<byte> body)
    {
        using var buffer = new PooledBuffer(secret: true);
        var writer = FrameWriter.Begin(buffer);
        writer.WriteUInt32(channelId);
        writer.WriteString(Policy.Uri);
        writer.WriteByteString(Policy.IsNone ? null : SenderCertificate);
        writer.WriteByteString(Policy.IsNone ? null : ReceiverThumbprint);
        var headerEnd = writer.Position;
        writer.WriteUInt32(sequenceNumber);
        writer.WriteUInt32(requestId);
        writer.WriteRaw(body);
        writer.Complete();
        return Policy.IsNone || PrivateKey is null || PeerKey is null
            ? Plain(buffer.WrittenSpan)
            : SignAndEncrypt(buffer.WrittenSpan, headerEnd, PrivateKey, PeerKey);
    }

    private static byte[] Plain(ReadOnlySpan<byte> chunk)
    {
        var result = chunk.ToArray();
        FrameWriter.WriteHeader(result, MessageKind.OpenSecureChannel, ChunkType.Final, result.Length);
        return result;
    }

    private byte[] SignAndEncrypt(ReadOnlySpan<byte> chunk, int headerEnd, RSA privateKey, RSA peerKey)
    {
        var plainBlock = Policy.PlainBlockLength(peerKey);
        var extra = peerKey.KeySize > 2048 ? 1 : 0;
        var signature = AsymmetricCryptography.SignatureLength(privateKey);
        var unpadded = chunk.Length - headerEnd + 1 + extra + signature;
        var padding = (plainBlock - unpadded % plainBlock) % plainBlock;
        var plain = new byte[headerEnd + unpadded + padding];
        var blocks = (unpadded + padding) / plainBlock;
        var size = headerEnd + blocks * AsymmetricCryptography.CipherBlockLength(peerKey);

        chunk.CopyTo(plain);
        plain.AsSpan(chunk.Length, padding + 1).Fill((byte)padding);
        if (extra != 0)
            plain[chunk.Length + padding + 1] = (byte)(padding >> 8);
        FrameWriter.WriteHeader(plain, MessageKind.OpenSecureChannel, ChunkType.Final, size);
        var signedEnd = plain.Length - signature;
        Policy.SignAsymmetric(privateKey, plain.AsSpan(0, signedEnd), plain.AsSpan(signedEnd));

        var result = new byte[size];
        plain.AsSpan(0, headerEnd).CopyTo(result);
        Policy.EncryptAsymmetric(peerKey, plain.AsSpan(headerEnd), result.AsSpan(headerEnd));
        CryptographicOperations.ZeroMemory(plain);
        return result;
    }
}
