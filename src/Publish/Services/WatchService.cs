using Gateway.AddressSpace.Nodes;
using Gateway.Publish.Items;
using Gateway.Publish.Shards;
using Gateway.Publish.Subscriptions;

namespace Gateway.Publish.Services;

/// <summary>Finds the watchers of a node, for operators. Takes each shard's lock for one slice of its watchers at a
/// time. A watcher that comes or goes between two slices may be missed or counted twice. Thread-safe.</summary>
internal sealed class WatchService(NodeTable nodes, Shard[] shards)
{
    /// <summary>Subscriptions that a report names.</summary>
    public const int MaxWatchers = 50;

    /// <summary>About 20 µs.</summary>
    private const int SliceItems = 256;

    public WatchReport Read(NodeHandle node)
    {
        var sum = new Sum();
        var id = nodes.GetNodeId(node);
        foreach (var shard in shards)
        {
            var (from, count) = (0, 1);
            while (from < count)
            {
                using (shard.Enter())
                {
                    var watchers = shard.Changes.Book.ValueWatchers(node);
                    count = watchers?.Count ?? 0;
                    if (from == 0)
                        sum.TakeShardUnderLock(shard, shard.Changes.Book.OrphansOf(id), count > 0);
                    for (var end = Math.Min(count, from + SliceItems); from < end; from++)
                        sum.TakeUnderLock(watchers![from]);
                }
            }
        }

        return sum.Report();
    }

    private sealed class Sum
    {
        private readonly Dictionary<Subscription, WatcherReport> _watchers = [];
        private int _items;
        private int _silent;
        private int _orphans;
        private long _fastest = long.MaxValue;
        private long _slowest;
        private long _capacity;
        private long _queued;
        private long _lateness;
        private int _pending;

        public void TakeShardUnderLock(Shard shard, int orphans, bool isWatching)
        {
            _orphans += orphans;
            if (!isWatching)
                return;
            _lateness = Math.Max(_lateness, shard.Counts.LastLateness);
            _pending += shard.Inbox.Pending;
        }

        public void TakeUnderLock(MonitoredItem item)
        {
            _items++;
            _silent += item.IsReporting ? 0 : 1;
            _fastest = Math.Min(_fastest, item.SamplingTicks);
            _slowest = Math.Max(_slowest, item.SamplingTicks);
            _capacity += item.Queue.Size;
            _queued += item.Queue.Count;
            if (!_watchers.TryGetValue(item.Subscription, out var known))
                known = ReportUnderLock(item.Subscription);
            _watchers[item.Subscription] = known with
            {
                Items = known.Items + 1,
                Queued = known.Queued + item.Queue.Count,
            };
        }

        public WatchReport Report() => new()
        {
            Items = _items,
            Silent = _silent,
            Orphans = _orphans,
            FastestSamplingMs = _items == 0 ? 0 : TimeSpan.FromTicks(_fastest).TotalMilliseconds,
            SlowestSamplingMs = TimeSpan.FromTicks(_slowest).TotalMilliseconds,
            QueueCapacity = _capacity,
            Queued = _queued,
            Watchers =
            [
                .. _watchers.Values.OrderByDescending(static one => one.IsLate || one.IsDetached)
                    .ThenByDescending(static one => one.Queued).Take(MaxWatchers),
            ],
            Subscriptions = _watchers.Count,
            Late = _watchers.Values.Count(static one => one.IsLate),
            Lateness = new TimeSpan(Math.Max(0, _lateness)),
            PendingChanges = _pending,
        };

        private static WatcherReport ReportUnderLock(Subscription subscription)
        {
            var consumer = subscription.Consumer;
            ref readonly var counts = ref subscription.Counts;
            return new WatcherReport(subscription.Id, consumer.Owner)
            {
                IsStream = !consumer.HasPublicSubscriptions,
                IsDetached = consumer.IsClosed,
                IsLate = subscription.State == SubscriptionState.Late,
                IsPublishing = subscription.PublishingEnabled,
                PublishingIntervalMs = subscription.Times.PublishingIntervalMs,
                Discarded = Volatile.Read(in counts.Discarded),
                Notifications = counts.DataChanges + (long)counts.Events,
            };
        }
    }
}
