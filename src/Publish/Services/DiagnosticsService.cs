using Gateway.Codec.Structures;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>The standard's diagnostics of subscriptions, one slice of a shard's lock each. Source: Part 5 §12.15.
/// </summary>
internal sealed class DiagnosticsService(SubscriptionTable table)
{
    public void ReadAll(List<SubscriptionDiagnosticsDataType> into)
    {
        foreach (var (_, subscription) in table)
        {
            if (Read(subscription) is { } diagnostics)
                into.Add(diagnostics);
        }
    }

    public int CountPublishingIntervals()
    {
        var intervals = new HashSet<double>();
        foreach (var (_, subscription) in table)
            intervals.Add(subscription.Times.PublishingIntervalMs);
        return intervals.Count;
    }

    public SubscriptionDiagnosticsDataType? Read(uint subscriptionId) =>
        table.Find(subscriptionId) is { } subscription ? Read(subscription) : null;

    /// <summary>The next page, those of streams too.</summary>
    /// <param name="from">0, or the result of the page before.</param>
    /// <param name="count">Subscriptions at most.</param>
    /// <param name="into">They are added to it.</param>
    /// <returns>Where the next page begins; -1: this was the last.</returns>
    public int ReadPage(int from, int count, List<SubscriptionReport> into)
    {
        var page = new List<Subscription>(Math.Min(count, table.Pages.Count));
        var next = table.Pages.Read(from, count, page);
        foreach (var subscription in page)
        {
            if (Read(subscription, ReportUnderLock) is { } report)
                into.Add(report);
        }

        return next;
    }

    /// <summary>Null where there is no such subscription of a session.</summary>
    public SubscriptionReport? Report(uint subscriptionId) =>
        table.Find(subscriptionId) is { } subscription ? Read(subscription, ReportUnderLock) : null;

    public static void ReadOf(PublishSession session, List<SubscriptionDiagnosticsDataType> into)
    {
        Subscription[] mine;
        lock (session.Gate)
            mine = [.. session.Subscriptions];
        foreach (var subscription in mine)
        {
            if (Read(subscription) is { } diagnostics)
                into.Add(diagnostics);
        }
    }

    /// <summary>Null for one that is gone.</summary>
    private static SubscriptionDiagnosticsDataType? Read(Subscription subscription) =>
        Read(subscription, MakeUnderLock);

    private static T? Read<T>(Subscription subscription, Func<Subscription, T> makeUnderLock)
        where T : class
    {
        while (true)
        {
            var consumer = subscription.Consumer;
            using (consumer.Shard.Enter())
            {
                if (!ReferenceEquals(consumer, subscription.Consumer))
                    continue;
                return subscription.State == SubscriptionState.Closed ? null : makeUnderLock(subscription);
            }
        }
    }

    private static SubscriptionReport ReportUnderLock(Subscription subscription)
    {
        var consumer = subscription.Consumer;
        return new SubscriptionReport(MakeUnderLock(subscription), consumer.Owner)
        {
            IsStream = !consumer.HasPublicSubscriptions,
            IsDetached = consumer.IsClosed,
            IsDurable = subscription.Durable is not null,
            IsLate = subscription.State == SubscriptionState.Late,
            QueueCapacity = subscription.QueueCapacity,
            Discarded = Volatile.Read(ref subscription.Counts.Discarded),
        };
    }

    private static SubscriptionDiagnosticsDataType MakeUnderLock(Subscription subscription)
    {
        ref readonly var counts = ref subscription.Counts;
        var consumer = subscription.Consumer;
        int unacknowledged;
        long discarded;
        lock (consumer.Gate)
            (unacknowledged, discarded) = (subscription.Retransmission.Count, subscription.Retransmission.Dropped);
        return new SubscriptionDiagnosticsDataType
        {
            SessionId = consumer.IsClosed ? default : consumer.Owner.SessionId,
            SubscriptionId = subscription.Id,
            Priority = subscription.Priority,
            PublishingInterval = subscription.Times.PublishingIntervalMs,
            MaxKeepAliveCount = subscription.Times.MaxKeepAliveCount,
            MaxLifetimeCount = subscription.Times.LifetimeCount,
            MaxNotificationsPerPublish = (uint)subscription.MaxNotificationsPerPublish,
            PublishingEnabled = subscription.PublishingEnabled,
            ModifyCount = counts.Modified,
            EnableCount = counts.Enabled,
            DisableCount = counts.Disabled,
            RepublishRequestCount = counts.RepublishRequests,
            RepublishMessageRequestCount = counts.RepublishRequests,
            RepublishMessageCount = counts.RepublishedMessages,
            TransferRequestCount = counts.TransferRequests,
            TransferredToAltClientCount = counts.TransfersToOtherClient,
            TransferredToSameClientCount = counts.TransfersToSameClient,
            PublishRequestCount = counts.PublishRequests,
            DataChangeNotificationsCount = counts.DataChanges,
            EventNotificationsCount = counts.Events,
            NotificationsCount = counts.DataChanges + counts.Events,
            LatePublishRequestCount = counts.Late,
            CurrentKeepAliveCount = subscription.SilentCycles,
            CurrentLifetimeCount = subscription.Times.LifetimeCount - subscription.LifetimeCounter,
            UnacknowledgedMessageCount = (uint)unacknowledged,
            DiscardedMessageCount = (uint)discarded,
            MonitoredItemCount = (uint)subscription.Items.Count,
            DisabledMonitoredItemCount = counts.DisabledItems,
            MonitoringQueueOverflowCount = counts.QueueOverflows,
            NextSequenceNumber = subscription.NextSequenceNumber,
        };
    }
}
