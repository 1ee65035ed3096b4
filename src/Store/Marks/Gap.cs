namespace Gateway.Store.Marks;

/// <summary>A gap that may grow. Threads: under the log's lock.</summary>
internal sealed class Gap(GapReason reason, long from, long firstTicks)
{
    public GapReason Reason { get; } = reason;

    public long From { get; set; } = from;

    public long To { get; set; }

    public long Count { get; set; }

    public long FirstTicks { get; set; } = firstTicks;

    public long LastTicks { get; set; }

    public Dictionary<ushort, long> Writers { get; } = [];

    public StoreGap ToPublic() => new()
    {
        Reason = Reason,
        From = From,
        To = To,
        Count = Count,
        FirstTime = new DateTime(FirstTicks, DateTimeKind.Utc),
        LastTime = new DateTime(LastTicks, DateTimeKind.Utc),
        Writers = new Dictionary<ushort, long>(Writers),
    };
}
