using Gateway.Store.Records;
using static System.Buffers.Binary.BinaryPrimitives;

namespace Gateway.Store.Segments;

/// <summary>
/// The head of a segment, little-endian. The file's name is the sequence number of its first record.
/// <code>
///  0  8 bytes "OPCUALOG"                  16  Int64   first sequence number
///  8  UInt32  version                     24  Int64   time of the first record, UTC, ticks
/// 12  UInt32  CRC-32C of all the rest       32  UInt32  salt of the records' checksums; zeros follow
/// </code>
/// Each version keeps the first 64 bytes' checksum, so that a damaged byte is no other version.
/// </summary>
internal static class SegmentHeader
{
    public const int Bytes = 64;
    public const uint Version = 1;
    public const string Extension = ".log";

    private const ulong Magic = 0x474F4C_4155_43504F;

    public static string NameOf(long first) =>
        first.ToString("D20", System.Globalization.CultureInfo.InvariantCulture) + Extension;

    /// <summary>False: the file is none of ours.</summary>
    public static bool TryParse(string name, out long first)
    {
        first = 0;
        return name.Length == 20 + Extension.Length && name.EndsWith(Extension, StringComparison.Ordinal)
            && long.TryParse(
                name.AsSpan(0, 20), System.Globalization.NumberStyles.None,
                System.Globalization.CultureInfo.InvariantCulture, out first)
            && first > 0;
    }

    public static void Write(Span<byte> to, Segment segment)
    {
        to[..Bytes].Clear();
        WriteUInt64LittleEndian(to, Magic);
        WriteUInt32LittleEndian(to[8..], Version);
        WriteInt64LittleEndian(to[16..], segment.First);
        WriteInt64LittleEndian(to[24..], segment.Ticks);
        WriteUInt32LittleEndian(to[32..], segment.Salt);
        WriteUInt32LittleEndian(to[12..], CheckOf(to));
    }

    /// <summary>False: it is damaged. The records behind it may be whole.</summary>
    /// <exception cref="StoreException">Another version wrote it.</exception>
    public static bool TryRead(ReadOnlySpan<byte> bytes, Segment segment)
    {
        if (bytes.Length < Bytes || ReadUInt64LittleEndian(bytes) != Magic)
            return false;
        var version = ReadUInt32LittleEndian(bytes[8..]);
        if (ReadUInt32LittleEndian(bytes[12..]) != CheckOf(bytes))
            return false;
        if (version != Version)
            throw new StoreException(StoreFault.WrongVersion, $"The store has version {version}, not {Version}");
        segment.Ticks = ReadInt64LittleEndian(bytes[24..]);
        segment.Salt = ReadUInt32LittleEndian(bytes[32..]);
        return true;
    }

    private static uint CheckOf(ReadOnlySpan<byte> head) => Crc32C.Of(head[16..Bytes], Crc32C.Of(head[..12]));
}
