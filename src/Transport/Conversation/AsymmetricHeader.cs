using System.Buffers.Binary;
using Gateway.Codec.Binary;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>
/// What stands in clear in front of an OPN chunk:
/// <code>
///  0 message header  8 SecureChannelId  12 SecurityPolicyUri (String) SenderCertificate (ByteString)
///  ReceiverCertificateThumbprint (ByteString)  End: SequenceHeader, body, padding, signature
/// </code>
/// Source: Part 6 §6.7.2.3.
/// </summary>
internal sealed record AsymmetricHeader(
    uint SecureChannelId, string? PolicyUri, byte[] SenderCertificate, byte[] ReceiverThumbprint, int End)
{
    private const int MaxPolicyUriBytes = 255;

    /// <summary>Errors: SecureChannelException.</summary>
    public static AsymmetricHeader Read(ReadOnlySpan<byte> chunk, TransportLimits limits)
    {
        if (chunk.Length < MessageLayout.SecureChannelHeaderSize)
            ConversationFault.Malformed("an OPN shorter than its header");
        var decoding = new DecodingLimits
        {
            MaxStringLengthBytes = MaxPolicyUriBytes,
            MaxByteStringLengthBytes = limits.MaxCertificateBlobBytes,
        };
        var reader = new UaBinaryReader(chunk[MessageLayout.SecureChannelHeaderSize..], decoding);
        var uri = reader.ReadString();
        var certificate = reader.ReadByteString();
        var thumbprint = reader.ReadByteString();
        if (reader.Failed)
            ConversationFault.Malformed("an OPN whose security header cannot be read");
        return new AsymmetricHeader(
            BinaryPrimitives.ReadUInt32LittleEndian(chunk[MessageLayout.MessageHeaderSize..]),
            uri, certificate ?? [], thumbprint ?? [], MessageLayout.SecureChannelHeaderSize + reader.Position);
    }
}
