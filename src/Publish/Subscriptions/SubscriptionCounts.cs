namespace Gateway.Publish.Subscriptions;

/// <summary>What happened to a subscription, for its diagnostics. Under the shard's lock. Source: Part 5 §12.15.
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
    public uint Late;
    public uint QueueOverflows;
    public uint DisabledItems;
}
