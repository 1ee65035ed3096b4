using System.Buffers.Binary;
using Gateway.Store.Files;
using Gateway.Store.Records;

namespace Gateway.Store.Marks;

/// <summary>
/// The acknowledgements and gaps on disk: two files that are written in turns, in place, so that one of them is always
/// whole. They have their full length from the beginning, so that a full disk does not stop them, and with them the
/// deletion of segments. Threads: the disk's.
/// <code>
///  0  8 bytes "OPCUAMRK"     16  UInt32  length from 20 on
///  8  UInt32  version        20          generation, salt, next sequence number, mark, ranges, gaps
/// 12  UInt32  CRC-32C of all the rest
/// </code>
/// </summary>
internal sealed class MarksFile(IStoreFiles files) : IDisposable
{
    public const uint Version = 1;

    /// <summary>More ranges than these are left out: their records are repeated after a restart.</summary>
    public const int MaxRanges = 4096;

    private const ulong Magic = 0x4B524D_4155_43504F;
    private const int HeadBytes = 20;

    /// <summary>The fixed numbers, ranges of 16 bytes, gaps of 52, writers of 10.</summary>
    private const int FileBytes =
        HeadBytes + 64 + MaxRanges * 16 + (GapList.MaxGaps + 8) * 52 + GapList.MaxWriters * 10;

    private static readonly string[] Names = ["marks.0", "marks.1"];

    private readonly IStoreFile?[] _open = new IStoreFile?[2];
    private readonly byte[] _bytes = new byte[FileBytes];
    private long _generation;

    /// <summary>The newest that is whole; null: there is none.</summary>
    /// <exception cref="StoreException">Another version wrote it.</exception>
    public MarksSnapshot? Load()
    {
        MarksSnapshot? newest = null;
        foreach (var name in Names)
        {
            if (!files.List().Contains(name))
                continue;
            int length;
            using (var file = files.OpenToRead(name))
                length = file.Read(_bytes, 0);
            if (Read(_bytes.AsSpan(0, length)) is { } found && found.Generation > (newest?.Generation ?? 0))
                newest = found;
        }

        _generation = newest?.Generation ?? 0;
        return newest;
    }

    /// <summary>Under the log's lock; <see cref="Save"/> then writes it without.</summary>
    public int Prepare(uint salt, long next, SequenceSet done, GapList gaps)
    {
        var writer = new MarksWriter(_bytes.AsSpan(HeadBytes));
        writer.Write(_generation + 1);
        writer.Write(salt);
        writer.Write(next);
        writer.Write(done.Mark);
        var ranges = Math.Min(done.Ranges.Count, MaxRanges);
        writer.Write(ranges);
        for (var i = 0; i < ranges; i++)
        {
            writer.Write(done.Ranges[i].From);
            writer.Write(done.Ranges[i].To);
        }

        writer.Write(gaps.All.Count);
        foreach (var gap in gaps.All)
            writer.Write(gap);
        return HeadBytes + writer.Length;
    }

    /// <exception cref="IOException">The disk failed. The other file is whole, and the next save writes this one again.
    /// </exception>
    public void Save(int length, bool sync)
    {
        var bytes = _bytes.AsSpan(0, length);
        BinaryPrimitives.WriteUInt64LittleEndian(bytes, Magic);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[8..], Version);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[16..], length - HeadBytes);
        BinaryPrimitives.WriteUInt32LittleEndian(bytes[12..], CheckOf(bytes));
        var turn = (int)((_generation + 1) % 2);
        var file = _open[turn] ??= files.OpenToWrite(Names[turn]);
        if (file.Length < FileBytes)
        {
            // Zeros and not a length, so that the disk gives the room now.
            file.Write(new byte[FileBytes], 0);
        }

        file.Write(bytes, 0);
        if (sync)
            file.Sync();
        _generation++;
    }

    public void Dispose()
    {
        foreach (var file in _open)
            file?.Dispose();
    }

    private static MarksSnapshot? Read(ReadOnlySpan<byte> bytes)
    {
        if (bytes.Length < HeadBytes || BinaryPrimitives.ReadUInt64LittleEndian(bytes) != Magic)
            return null;
        var length = BinaryPrimitives.ReadInt32LittleEndian(bytes[16..]);
        if (length < 0 || length > bytes.Length - HeadBytes
            || BinaryPrimitives.ReadUInt32LittleEndian(bytes[12..]) != CheckOf(bytes[..(HeadBytes + length)]))
            return null;
        var version = BinaryPrimitives.ReadUInt32LittleEndian(bytes[8..]);
        return version == Version
            ? new MarksReader(bytes.Slice(HeadBytes, length)).ReadAll()
            : throw new StoreException(StoreFault.WrongVersion, $"The store has version {version}, not {Version}");
    }

    private static uint CheckOf(ReadOnlySpan<byte> all) => Crc32C.Of(all[16..], Crc32C.Of(all[..12]));
}
