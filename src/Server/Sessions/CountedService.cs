namespace Gateway.Server.Sessions;

/// <summary>The services that a session's diagnostics count apart, named as in the dispatch table; the counters of
/// services that are not offered stay 0. Source: Part 5 §12.11.</summary>
internal enum CountedService : byte
{
    /// <summary>In the total only.</summary>
    None,
    Read,
    Write,
    Call,
    CreateMonitoredItems,
    ModifyMonitoredItems,
    SetMonitoringMode,
    SetTriggering,
    DeleteMonitoredItems,
    CreateSubscription,
    ModifySubscription,
    SetPublishingMode,
    Publish,
    Republish,
    TransferSubscriptions,
    DeleteSubscriptions,
    Browse,
    BrowseNext,
    TranslateBrowsePathsToNodeIds,
    RegisterNodes,
    UnregisterNodes,
}
