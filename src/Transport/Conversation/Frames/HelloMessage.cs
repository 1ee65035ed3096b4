using Gateway.Codec.Binary;

namespace Gateway.Transport.Conversation;

/// <summary>HEL: ProtocolVersion, ReceiveBufferSize, SendBufferSize, MaxMessageSize, MaxChunkCount (UInt32 each; the
/// last two 0 for no limit), EndpointUrl (String). Source: Part 6 §7.1.2.3.</summary>
internal readonly record struct HelloMessage(TransportSizes Sizes, string? EndpointUrl)
{
    /// <summary>Behind the 8-byte header. Errors: the reader's.</summary>
    public static HelloMessage Read(ref UaBinaryReader reader)
    {
        reader.ReadUInt32();
        return new HelloMessage(TransportSizes.Read(ref reader), reader.ReadString());
    }

    public void Write(ref UaBinaryWriter writer)
    {
        writer.WriteUInt32(0);
        Sizes.Write(ref writer);
        writer.WriteString(EndpointUrl);
    }
}
