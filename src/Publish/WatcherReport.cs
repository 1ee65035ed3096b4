namespace Gateway.Publish;

/// <summary>One subscription or stream that watches a node.</summary>
/// <param name="SubscriptionId">Of the subscription.</param>
/// <param name="Owner">Of its session, also of one that has ended.</param>
public sealed record WatcherReport(uint SubscriptionId, SessionOwner Owner)
{
    /// <summary>It has no session: a client of HTTP or a part of the gateway reads it.</summary>
    public bool IsStream { get; init; }

    /// <summary>Its session has ended, and another may take it over.</summary>
    public bool IsDetached { get; init; }

    /// <summary>It has something to send and no Publish request to send it by.</summary>
    public bool IsLate { get; init; }

    public bool IsPublishing { get; init; }

    public double PublishingIntervalMs { get; init; }

    /// <summary>Items of it on the node.</summary>
    public int Items { get; init; }

    /// <summary>Values that wait in the queues of these items.</summary>
    public int Queued { get; init; }

    /// <summary>Values of all of its items that queues have given up for newer ones.</summary>
    public long Discarded { get; init; }

    /// <summary>Notifications since it was made.</summary>
    public long Notifications { get; init; }
}
