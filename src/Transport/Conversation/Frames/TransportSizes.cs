using Gateway.Codec.Binary;

namespace Gateway.Transport.Conversation;

/// <summary>The four numbers that HEL and ACK share, seen from their sender. Bytes and chunks; 0 for no limit in the
/// last two.</summary>
internal readonly record struct TransportSizes(
    uint ReceiveBufferSize, uint SendBufferSize, uint MaxMessageSize, uint MaxChunkCount)
{
    public static TransportSizes Read(ref UaBinaryReader reader)
    {
        var receive = reader.ReadUInt32();
        var send = reader.ReadUInt32();
        var message = reader.ReadUInt32();
        return new TransportSizes(receive, send, message, reader.ReadUInt32());
    }

    public void Write(ref UaBinaryWriter writer)
    {
        writer.WriteUInt32(ReceiveBufferSize);
        writer.WriteUInt32(SendBufferSize);
        writer.WriteUInt32(MaxMessageSize);
        writer.WriteUInt32(MaxChunkCount);
    }
}
