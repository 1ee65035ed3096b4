using static System.Buffers.Binary.BinaryPrimitives;

namespace Gateway.Store.Records;

/// <summary>
/// The head of a record, little-endian. Records begin at multiples of 8; zeros fill the rest.
/// <code>
///  0  UInt32  length of the record, with this head, without the fill
///  4  UInt32  CRC-32C of the bytes from 8 to its end
///  8  Int64   sequence number
/// 16  Int64   time, UTC, ticks of 100 ns
/// 24  UInt16  writer
/// 26  Byte    kind
/// 27  Byte    0
/// 28  UInt16  length of the topic
/// 30  UInt16  lower half of the CRC-32C of the bytes from 8 to 30, with the length as the last four
/// 32          topic, payload
/// </code>
/// Both checksums are seeded with the store's salt. It is random, so that a payload cannot carry bytes that pass for a
/// record, or for the head of one, when a reader looks for the next record behind a damaged one.
/// </summary>
internal readonly record struct RecordHeader(
    int Length, long Sequence, long Ticks, ushort Writer, byte Kind, int TopicLength)
{
    public const int Bytes = 32;

    public const int Alignment = 8;

    private const int CheckAt = 30;

    /// <summary>With the fill.</summary>
    public int Size => (Length + Alignment - 1) & -Alignment;

    /// <summary>False: no record begins here. It says nothing of the record's checksum, nor that all of it is here.
    /// </summary>
    public static bool TryRead(ReadOnlySpan<byte> at, uint salt, out RecordHeader header)
    {
        header = default;
        if (at.Length < Bytes || ReadUInt16LittleEndian(at[CheckAt..]) != CheckOf(at, salt))
            return false;
        header = Read(at);
        return header.Length >= Bytes + header.TopicLength && header.Length <= Array.MaxLength && header.Sequence > 0;
    }

    /// <param name="at">A record that was written here, or checked.</param>
    public static RecordHeader Read(ReadOnlySpan<byte> at) => new(
        ReadInt32LittleEndian(at), ReadInt64LittleEndian(at[8..]), ReadInt64LittleEndian(at[16..]),
        ReadUInt16LittleEndian(at[24..]), at[26], ReadUInt16LittleEndian(at[28..]));

    /// <summary>Writes all but the checksums.</summary>
    public void Write(Span<byte> to)
    {
        WriteInt32LittleEndian(to, Length);
        WriteInt64LittleEndian(to[8..], Sequence);
        WriteInt64LittleEndian(to[16..], Ticks);
        WriteUInt16LittleEndian(to[24..], Writer);
        to[26] = Kind;
        to[27] = 0;
        WriteUInt16LittleEndian(to[28..], (ushort)TopicLength);
    }

    public static void Seal(Span<byte> record, uint salt)
    {
        WriteUInt16LittleEndian(record[CheckAt..], CheckOf(record, salt));
        WriteUInt32LittleEndian(record[4..], Crc32C.Of(record[8..], salt));
    }

    public static bool IsSealed(ReadOnlySpan<byte> record, uint salt) =>
        ReadUInt32LittleEndian(record[4..]) == Crc32C.Of(record[8..], salt);

    private static ushort CheckOf(ReadOnlySpan<byte> at, uint salt) =>
        (ushort)Crc32C.Of(at[..sizeof(int)], Crc32C.Of(at[8..CheckAt], salt));
}
