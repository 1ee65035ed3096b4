namespace Gateway.Store.Records;

/// <summary>
/// Whole records in one pooled array, as they are on disk. Owner: each reference (the tail, the blocks read ahead, each
/// message in the consumer's hands); the last one gives the array back. Threads: under the log's lock. The bytes up to
/// <see cref="Length"/> never change but for the checksums, which the disk's thread writes.
/// </summary>
internal sealed class Block
{
    /// <summary>Of all blocks but those that hold one larger record.</summary>
    public const int Bytes = 256 * 1024;

    public byte[] Array { get; set; } = [];

    public int Length { get; set; }

    /// <summary>So many bytes have been written to the disk.</summary>
    public int Written { get; set; }

    /// <summary>Sequence number of the first record.</summary>
    public long First { get; set; }

    /// <summary>Sequence number of the last record.</summary>
    public long Last { get; set; }

    /// <summary>Of the first record, UTC.</summary>
    public long FirstTicks { get; set; }

    public int References { get; set; }

    /// <summary>It is no longer in the tail.</summary>
    public bool HasLeft { get; set; }

    public Block? Next { get; set; }

    public RecordHeader HeaderAt(int offset) => RecordHeader.Read(Array.AsSpan(offset));

    public void Reset()
    {
        Array = [];
        (Length, Written, First, Last, FirstTicks, References, HasLeft, Next) = (0, 0, 0, 0, 0, 0, false, null);
    }
}
