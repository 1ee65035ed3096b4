namespace Gateway.Publish;

/// <summary>A shard's totals, written under its lock and summed by <see cref="PublishCounters"/>.</summary>
internal sealed class ShardCounts
{
    public long Notifications;
    public long Messages;
    public long KeepAlives;
    public long Overflows;
    public long LargeValuesDropped;
    public long LateAnswers;
    public long ExpiredSubscriptions;
    public long ExpiredRequests;
    public long TooManyRequests;
    public long DroppedMessages;
    public long FailedSends;
    public long Faults;
    public long StreamBatches;
    public long StreamSkipped;

    /// <summary>Of the last subscription that was swept; engine ticks.</summary>
    public long LastLateness;
}
