using System.Buffers;
using System.Buffers.Binary;

namespace Gateway.Transport.Conversation;

/// <summary>
/// Finds chunks in a stream. It keeps no state: what is not whole stays where it is.
/// <code>
///  0       3   4          8                     MessageSize
///  +-------+---+----------+----------------------+
///  | type  | F | size LE  | depends on type ...  |     type: HEL ACK ERR RHE OPN MSG CLO;  F: F, C or A
///  +-------+---+----------+----------------------+     size: of all, header included
/// </code>
/// The caller holds type and size against its state and limits before it waits for the rest.
/// Source: Part 6 §7.1.2.2.
/// </summary>
internal static class FrameReader
{
    private const uint Hel = 'H' | ('E' << 8) | ('L' << 16);
    private const uint Ack = 'A' | ('C' << 8) | ('K' << 16);
    private const uint Err = 'E' | ('R' << 8) | ('R' << 16);
    private const uint Rhe = 'R' | ('H' << 8) | ('E' << 16);
    private const uint Opn = 'O' | ('P' << 8) | ('N' << 16);
    private const uint Msg = 'M' | ('S' << 8) | ('G' << 16);
    private const uint Clo = 'C' | ('L' << 8) | ('O' << 16);

    public static bool TryReadHeader(in ReadOnlySequence<byte> buffer, out FrameHeader header)
    {
        var first = buffer.FirstSpan;
        if (first.Length >= MessageLayout.MessageHeaderSize)
        {
            header = Parse(first);
            return true;
        }

        if (buffer.Length < MessageLayout.MessageHeaderSize)
        {
            header = default;
            return false;
        }

        Span<byte> gathered = stackalloc byte[MessageLayout.MessageHeaderSize];
        buffer.Slice(0, MessageLayout.MessageHeaderSize).CopyTo(gathered);
        header = Parse(gathered);
        return true;
    }

    public static void WriteHeader(Span<byte> destination, MessageKind kind, ChunkType chunk, int sizeBytes)
    {
        BinaryPrimitives.WriteUInt32LittleEndian(destination, Letters(kind) | ((uint)chunk << 24));
        BinaryPrimitives.WriteInt32LittleEndian(destination[4..], sizeBytes);
    }

    public static FrameHeader Parse(ReadOnlySpan<byte> bytes)
    {
        var word = BinaryPrimitives.ReadUInt32LittleEndian(bytes);
        var kind = (word & 0xFFFFFF) switch
        {
            Msg => MessageKind.Message,
            Opn => MessageKind.OpenSecureChannel,
            Clo => MessageKind.CloseSecureChannel,
            Hel => MessageKind.Hello,
            Ack => MessageKind.Acknowledge,
            Err => MessageKind.Error,
            Rhe => MessageKind.ReverseHello,
            _ => MessageKind.Unknown,
        };
        return new FrameHeader(kind, (ChunkType)(word >> 24), BinaryPrimitives.ReadUInt32LittleEndian(bytes[4..]));
    }

    private static uint Letters(MessageKind kind) => kind switch
    {
        MessageKind.Hello => Hel,
        MessageKind.Acknowledge => Ack,
        MessageKind.Error => Err,
        MessageKind.ReverseHello => Rhe,
        MessageKind.OpenSecureChannel => Opn,
        MessageKind.CloseSecureChannel => Clo,
        _ => Msg,
    };
}
