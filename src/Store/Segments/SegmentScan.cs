using Gateway.Store.Files;
using Gateway.Store.Records;

namespace Gateway.Store.Segments;

/// <summary>Walks through one segment. It skips damaged bytes to the next whole record. Threads: one. Errors: those of
/// the file.</summary>
internal sealed class SegmentScan(IStoreFile file, uint salt) : IDisposable
{
    public long Offset { get; private set; } = SegmentHeader.Bytes;

    /// <summary>Of the record that did not fit into the buffer.</summary>
    public int NeededBytes { get; private set; }

    /// <param name="end">Bytes of the segment that may be read.</param>
    /// <param name="length">So many bytes of the buffer are whole records.</param>
    public ScanResult Read(byte[] buffer, long end, out int length)
    {
        length = 0;
        var wanted = (int)Math.Min(buffer.Length & -RecordHeader.Alignment, end - Offset);
        if (wanted < RecordHeader.Bytes)
            return ScanResult.End;
        var bytes = buffer.AsSpan(0, file.Read(buffer.AsSpan(0, wanted), Offset));
        if (bytes.Length < RecordHeader.Bytes)
            return ScanResult.End;
        while (IsRecord(bytes[length..], out var size))
            length += size;
        if (length > 0)
        {
            Offset += length;
            return ScanResult.Records;
        }

        if (MayBeRecord(bytes, Offset, end, out var needed) && needed > wanted)
        {
            NeededBytes = needed;
            return ScanResult.NeedsRoom;
        }

        Offset += NextAfterDamage(bytes, end);
        return ScanResult.Skipped;
    }

    /// <summary>Reads records that were found before, into the buffer's beginning. False: they are no longer whole.
    /// </summary>
    public bool IsWhole(byte[] buffer, long offset, int length)
    {
        var bytes = buffer.AsSpan(0, file.Read(buffer.AsSpan(0, length), offset));
        var whole = 0;
        while (IsRecord(bytes[whole..], out var size))
            whole += size;
        return whole == length;
    }

    public void Dispose() => file.Dispose();

    private bool IsRecord(ReadOnlySpan<byte> bytes, out int size)
    {
        size = 0;
        if (!RecordHeader.TryRead(bytes, salt, out var header) || header.Size > bytes.Length
            || !RecordHeader.IsSealed(bytes[..header.Length], salt))
            return false;
        size = header.Size;
        return true;
    }

    /// <summary>A record begins here that ends within the segment; its checksum is not looked at.</summary>
    private bool MayBeRecord(ReadOnlySpan<byte> bytes, long offset, long end, out int size)
    {
        var may = RecordHeader.TryRead(bytes, salt, out var header) && offset + header.Size <= end;
        size = may ? header.Size : 0;
        return may;
    }

    private int NextAfterDamage(ReadOnlySpan<byte> bytes, long end)
    {
        var at = RecordHeader.Alignment;
        for (; at + RecordHeader.Bytes <= bytes.Length; at += RecordHeader.Alignment)
        {
            var isCut = MayBeRecord(bytes[at..], Offset + at, end, out var size) && size > bytes.Length - at;
            if (isCut || IsRecord(bytes[at..], out _))
                return at;
        }

        return at;
    }
}
