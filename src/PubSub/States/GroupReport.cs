namespace Gateway.PubSub.States;

/// <summary>One WriterGroup, for people.</summary>
/// <param name="Name">Of the configuration.</param>
/// <param name="Hindrance">Why it can publish nothing now, in words; null: it can.</param>
/// <param name="Encoding">Of its messages.</param>
/// <param name="PublishingIntervalMs">How often changes are published.</param>
/// <param name="Messages">NetworkMessages that the store, or the system, took.</param>
/// <param name="Bytes">Of these.</param>
/// <param name="Values">Changes in them.</param>
/// <param name="Lost">NetworkMessages that it did not take.</param>
/// <param name="TooLarge">Values that fit no message.</param>
/// <param name="Skipped">Changes that came faster than the group takes them.</param>
/// <param name="RefusedFields">Fields that cannot be watched.</param>
/// <param name="Writers">Its DataSetWriters.</param>
public sealed record GroupReport(
    string Name, string? Hindrance, string Encoding, double PublishingIntervalMs, long Messages, long Bytes,
    long Values, long Lost, long TooLarge, long Skipped, int RefusedFields, IReadOnlyList<WriterReport> Writers)
{
    public ushort WriterGroupId { get; init; }

    public double KeepAliveMs { get; init; }

    /// <summary>How often it could publish nothing from then on.</summary>
    public long Errors { get; init; }

    /// <summary>How often it could again.</summary>
    public long Returns { get; init; }
}
