using System.Buffers.Binary;
using Gateway.Codec.Binary;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>
/// The clear text in front of an OPN chunk:
/// <code>
///  0 message header  8 SecureChannelId  12 SecurityPolicyUri (String) SenderCertificate (ByteString)
///  ReceiverCertificateThumbprint (ByteString)  End: SequenceHeader, body, padding, signature
/// </code>
/// Source: Part 6 §6.7.2.3.
/// </summary>
internal readonly record struct AsymmetricHeader(
    uint SecureChannelId, string? PolicyUri, ReadOnlyMemory<byte> SenderCertificate,
    ReadOnlyMemory<byte> ReceiverThumbprint, int End)
{
    private const int MaxPolicyUriBytes = 255;

    /// <summary>Errors: SecureChannelException. The returned memory lies in the chunk.</summary>
    public static AsymmetricHeader Read(byte[] chunk, TransportLimits limits)
    {
        if (chunk.Length < MessageLayout.SecureChannelHeaderSize)
            ConversationFault.Malformed("an OPN shorter than its header");
        var decoding = new DecodingLimits
        {
            MaxStringLengthBytes = MaxPolicyUriBytes,
            MaxByteStringLengthBytes = limits.MaxCertificateBlobBytes,
        };
        var reader = new UaBinaryReader(chunk.AsSpan(MessageLayout.SecureChannelHeaderSize), decoding);
        var uri = reader.ReadString();
        var certificate = ReadByteString(ref reader, chunk);
        var thumbprint = ReadByteString(ref reader, chunk);
        if (reader.Failed)
            ConversationFault.Malformed("an OPN whose security header cannot be read");
        return new AsymmetricHeader(
            BinaryPrimitives.ReadUInt32LittleEndian(chunk.AsSpan(MessageLayout.MessageHeaderSize)),
            uri, certificate, thumbprint, MessageLayout.SecureChannelHeaderSize + reader.Position);
    }

    private static ReadOnlyMemory<byte> ReadByteString(ref UaBinaryReader reader, byte[] chunk)
    {
        var length = reader.ReadByteStringSpan().Length;
        return chunk.AsMemory(MessageLayout.SecureChannelHeaderSize + reader.Position - length, length);
    }
}
