namespace Gateway.Store;

/// <summary>How a log keeps records. Memory: at most twice <see cref="MemoryBytes"/>, and two blocks of 256 KiB.
/// </summary>
public sealed record StoreOptions
{
    /// <summary>Of this log alone; it is made if it is missing.</summary>
    public required string Directory { get; init; }

    /// <summary>A label of the log's metrics.</summary>
    public string Name { get; init; } = "store";

    /// <summary>Bytes of all segments. Above it the oldest segment makes room.</summary>
    public long MaxBytes { get; init; } = 1024L * 1024 * 1024;

    /// <summary>Bytes of a segment; what is deleted at one time.</summary>
    public int SegmentBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Bytes of records that wait for the disk or the consumer, and once more of those in its hands.</summary>
    public int MemoryBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Bytes of one record with its topic.</summary>
    public int MaxRecordBytes { get; init; } = 1024 * 1024;

    /// <summary>Records in the consumer's hands.</summary>
    public int MaxOutstanding { get; init; } = 1024;

    public FsyncPolicy Fsync { get; init; } = FsyncPolicy.Interval;

    /// <summary>Of <see cref="FsyncPolicy.Interval"/>.</summary>
    public TimeSpan FsyncInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>After so long, acknowledgements are on disk. A process that is killed repeats those after it.</summary>
    public TimeSpan CommitInterval { get; init; } = TimeSpan.FromSeconds(1);

    /// <summary>After so many, too.</summary>
    public int CommitCount { get; init; } = 1000;

    /// <summary>How long records wait in memory for others, so that one write takes them all. Zero: they do not.
    /// </summary>
    public TimeSpan WriteDelay { get; init; } = TimeSpan.FromMilliseconds(1);

    /// <summary>Between attempts while the disk fails.</summary>
    public TimeSpan RetryInterval { get; init; } = TimeSpan.FromSeconds(1);

    public ReadOrder Order { get; init; } = ReadOrder.OldestFirst;

    /// <summary>How fast a backlog is read from the disk.</summary>
    public long MaxDrainBytesPerSecond { get; init; } = 64 * 1024 * 1024;

    /// <summary>All errors, each with its full key.</summary>
    /// <param name="section">The configuration's section.</param>
    public IReadOnlyList<string> Validate(string section)
    {
        List<string> errors = [];
        Check(Directory.Length > 0, nameof(Directory), "must not be empty");
        Check(SegmentBytes is >= 64 * 1024 and <= 1024 * 1024 * 1024, nameof(SegmentBytes), "must be 64 KiB to 1 GiB");
        Check(MaxBytes >= 4L * SegmentBytes, nameof(MaxBytes), $"must be four times {nameof(SegmentBytes)} or more");
        Check(MaxRecordBytes is >= 1024 and <= 256 * 1024 * 1024, nameof(MaxRecordBytes), "must be 1 KiB to 256 MiB");
        Check(
            MemoryBytes >= 4L * Math.Max(MaxRecordBytes, Records.Block.Bytes), nameof(MemoryBytes),
            $"must be 1 MiB, and four times {nameof(MaxRecordBytes)}, or more");
        Check(
            MaxBytes >= 2L * MemoryBytes, nameof(MaxBytes), $"must be twice {nameof(MemoryBytes)} or more");
        Check(MaxOutstanding is >= 1 and <= 65_535, nameof(MaxOutstanding), "must be 1 to 65535");
        Check(CommitCount >= 1, nameof(CommitCount), "must be 1 or more");
        Check(MaxDrainBytesPerSecond >= 1024, nameof(MaxDrainBytesPerSecond), "must be 1024 or more");
        CheckTime(FsyncInterval, nameof(FsyncInterval), TimeSpan.FromMilliseconds(1));
        CheckTime(CommitInterval, nameof(CommitInterval), TimeSpan.FromMilliseconds(1));
        CheckTime(RetryInterval, nameof(RetryInterval), TimeSpan.FromMilliseconds(1));
        CheckTime(WriteDelay, nameof(WriteDelay), TimeSpan.Zero);
        return errors;

        void Check(bool isValid, string key, string text)
        {
            if (!isValid)
                errors.Add($"{section}:{key} {text}.");
        }

        void CheckTime(TimeSpan value, string key, TimeSpan least) =>
            Check(value >= least && value <= TimeSpan.FromHours(1), key, "must be a time of at most one hour");
    }
}
