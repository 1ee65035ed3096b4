using System.Buffers.Binary;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;

namespace Gateway.Transport.Conversation;

/// <summary>Writes the eight bytes that <see cref="FrameReader"/> reads, and whole messages of one chunk without a
/// seal: HEL, ACK, ERR. Source: Part 6 §7.1.2.2.</summary>
internal static class FrameWriter
{
    /// <summary>The body follows; <see cref="End"/> fills in the header.</summary>
    public static UaBinaryWriter Begin(PooledBuffer buffer)
    {
        var writer = new UaBinaryWriter(buffer);
        writer.WriteInt64(0);
        return writer;
    }

    /// <returns>The whole message, in the buffer.</returns>
    public static ReadOnlySpan<byte> End(scoped ref UaBinaryWriter writer, PooledBuffer buffer, MessageKind kind)
    {
        writer.Complete();
        var message = buffer.WholeSpan;
        WriteHeader(message, kind, ChunkType.Final, message.Length);
        return message;
    }

    public static void WriteHeader(Span<byte> destination, MessageKind kind, ChunkType chunk, int sizeBytes)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(destination, Letters(kind) | ((uint)chunk << 24));
        BinaryPrimitives.WriteInt32LittleEndian(destination[MessageLayout.MessageSizeOffset..], sizeBytes);
    }

    private static uint Letters(MessageKind kind) => kind switch
    {
        MessageKind.Hello => FrameReader.Hel,
        MessageKind.Acknowledge => FrameReader.Ack,
        MessageKind.Error => FrameReader.Err,
        MessageKind.ReverseHello => FrameReader.Rhe,
        MessageKind.OpenSecureChannel => FrameReader.Opn,
        MessageKind.CloseSecureChannel => FrameReader.Clo,
        _ => FrameReader.Msg,
    };
}
