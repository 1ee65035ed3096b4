namespace Gateway.Publish.Subscriptions;

/// <summary>Event counts of a subscription, for its diagnostics. Under the shard's lock. Source: Part 5 §12.15.
/// </summary>
internal struct SubscriptionCounts
{
    public uint Modified;
    public uint Enabled;
    public uint Disabled;
    public uint RepublishRequests;
    public uint RepublishedMessages;
    public uint TransferRequests;
    public uint TransfersToOtherClient;
    public uint TransfersToSameClient;
    public uint PublishRequests;
    public uint DataChanges;
    public uint Events;

    /// <summary>Values that queues have given up for newer ones, those of a queue of one among them.</summary>
    public long Discarded;

    public uint Late;
    public uint QueueOverflows;
    public uint DisabledItems;
}
