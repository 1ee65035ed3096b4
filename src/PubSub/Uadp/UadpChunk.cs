using Gateway.Codec.Binary;

namespace Gateway.PubSub.Uadp;

/// <summary>The payload of a chunk. Shape: <c>MessageSequenceNumber UInt16, ChunkOffset UInt32, TotalSize UInt32,
/// ChunkData ByteString</c>. All chunks but the last have the same size. Source: Part 14 §7.2.4.4.4.</summary>
internal static class UadpChunk
{
    public const int HeadBytes = sizeof(ushort) + (3 * sizeof(uint));

    public static void Write(
        ref UaBinaryWriter writer, ushort sequenceNumber, ReadOnlySpan<byte> whole, int offset, int length)
    {
        writer.WriteUInt16(sequenceNumber);
        writer.WriteUInt32((uint)offset);
        writer.WriteUInt32((uint)whole.Length);
        writer.WriteByteString(whole.Slice(offset, length));
    }
}
