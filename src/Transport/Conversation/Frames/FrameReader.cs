using System.Buffers;
using System.Buffers.Binary;

namespace Gateway.Transport.Conversation;

/// <summary>
/// Finds chunks in a stream. It keeps no state: an incomplete chunk stays where it is.
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
    internal const uint Hel = 'H' | ('E' << 8) | ('L' << 16);
    internal const uint Ack = 'A' | ('C' << 8) | ('K' << 16);
    internal const uint Err = 'E' | ('R' << 8) | ('R' << 16);
    internal const uint Rhe = 'R' | ('H' << 8) | ('E' << 16);
    internal const uint Opn = 'O' | ('P' << 8) | ('N' << 16);
    internal const uint Msg = 'M' | ('S' << 8) | ('G' << 16);
    internal const uint Clo = 'C' | ('L' << 8) | ('O' << 16);

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
        var sizeBytes = BinaryPrimitives.ReadUInt32LittleEndian(bytes[MessageLayout.MessageSizeOffset..]);
        return new FrameHeader(kind, (ChunkType)(word >> 24), sizeBytes);
    }
}
