namespace Gateway.Store.Segments;

/// <summary>One file of records with ascending sequence numbers. Threads: the disk's.</summary>
internal sealed class Segment(string name, long first)
{
    public string Name { get; } = name;

    /// <summary>Sequence number that its first record has at least.</summary>
    public long First { get; } = first;

    /// <summary>Sequence number that its last record has at most.</summary>
    public long Last { get; set; } = first - 1;

    /// <summary>Bytes with the head.</summary>
    public long Length { get; set; }

    /// <summary>Of the first record, UTC.</summary>
    public long Ticks { get; set; }

    public uint Salt { get; set; }
}
