using System.Diagnostics.Metrics;
using Gateway.AddressSpace.Values;
using Gateway.Events.Delivery;
using Gateway.Publish.Quotas;
using Gateway.Publish.Shards;
using Gateway.Publish.Streams;
using Gateway.Transport.Timing;

namespace Gateway.Publish;

/// <summary>
/// State and totals of the publish engine (work done, refusals), as instruments of the meter <c>Gateway.Publish</c> and
/// as numbers for admission. Threads: any; sums over shards are read without their locks and may be a message behind.
/// </summary>
public sealed class PublishCounters : IDisposable
{
    /// <summary>Seconds.</summary>
    private static readonly double[] LatenessBounds =
        [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

    private readonly PublishLimits _limits;
    private readonly PlantLateness _worst;
    private readonly PlantLateness _worstOfSample = new();
    private readonly PublishFaultLog _faults;
    private long _createdSubscriptions;
    private long _transferredSubscriptions;
    private long _refusedTransfers;
    private readonly Meter _meter = new("Gateway.Publish");
    private readonly Histogram<double> _lateness;
    private readonly Histogram<double> _sweeps;
    private readonly Histogram<double> _lineWaits;
    private long _sweepFailures;
    private long _sourceFailures;
    private long _pollTurnFailures;
    private Shard[] _shards = [];
    private StreamService? _streams;
    private long _retransmissionBytes;
    private long _refusedSubscriptions;
    private long _refusedItems;
    private long _evictedSubscriptions;
    private long _keptReserves;
    private long _revisedQueues;
    private long _polls;
    private long _delayedPolls;

    /// <param name="limits">Of the engine.</param>
    /// <param name="worst">Takes the worst lateness.</param>
    /// <param name="store">The store of the queued values.</param>
    /// <param name="faults">Where our own errors are written.</param>
    internal PublishCounters(PublishLimits limits, PlantLateness worst, ValueStore store, PublishFaultLog faults)
    {
        (_limits, _worst, _faults) = (limits, worst, faults);
        Server = new Usage(UsageLimits.OfServer(limits));
        _lateness = Seconds("gateway_publish_lateness_seconds", "From due time to sweep.");
        _sweeps = Seconds("gateway_publish_sweep_duration_seconds", "Time of a shard for all that was due at once.");
        _lineWaits = Seconds("gateway_publish_line_wait_seconds", "Wait of a long message for its turn.");
        Gauge("gateway_shared_values_outstanding", () => store.OutstandingValues,
            "Encoded values in use: current ones, queued ones, and those on their way.");
        Count("gateway_publish_source_failures_total", () => Interlocked.Read(ref _sourceFailures),
            "Reads of polled nodes in which the source threw.");
        Count("gateway_publish_poll_failures_total", () => PollFailures,
            "Polls of a node, or whole turns of polling, ended by an internal error.");
        Count("gateway_publish_sweep_failures_total", () => Interlocked.Read(ref _sweepFailures),
            "Sweeps ended by an internal error.");
        Gauge("gateway_subscriptions", () => Subscriptions, "Subscriptions now, detached ones among them.");
        Gauge("gateway_streams", () => Streams, "Streams inside the process now; each is a subscription, too.");
        Gauge("gateway_monitored_items", () => MonitoredItems, "Monitored items now.");
        Gauge("gateway_retransmission_bytes", () => RetransmissionBytes,
            "Sent messages kept for Republish now.", "By");
        Gauge("gateway_held_large_value_bytes", () => store.HeldLargeBytes,
            "Memory of held values of 1 KiB or more, without each node's current one.", "By");
        Count("gateway_notifications_total", () => Notifications, "Notifications sent.");
        Count("gateway_notification_messages_total", () => Messages, "Answers to Publish requests, faults among them.");
        Count("gateway_stream_batches_total", () => StreamBatches, "Batches handed over to streams.");
        Count("gateway_stream_skipped_values_total", () => StreamSkippedValues,
            "Values of streams replaced by newer ones because the consumer was slow.");
        Count("gateway_keep_alives_total", () => KeepAlives, "Keep-alive messages sent.");
        Count("gateway_queue_overflows_total", () => Overflows, "Values dropped from full item queues.");
        Count("gateway_large_values_dropped_total", () => LargeValuesDropped,
            "Times a value of a KiB or more found no room in MaxQueuedValueBytes.");
        Count("gateway_late_answers_total", () => LateAnswers, "Messages of subscriptions that had been LATE.");
        Count("gateway_coalesced_changes_total", () => CoalescedChanges,
            "Changes replaced by later ones because a shard lagged.");
        Count("gateway_expired_subscriptions_total", () => ExpiredSubscriptions,
            "Subscriptions ended by their lifetime.");
        Count("gateway_expired_publish_requests_total", () => ExpiredPublishRequests,
            "Publish requests whose TimeoutHint expired.");
        Count("gateway_too_many_publish_requests_total", () => TooManyPublishRequests,
            "Publish requests answered Bad_TooManyPublishRequests.");
        Count("gateway_dropped_retransmissions_total", () => DroppedRetransmissions,
            "Unacknowledged messages dropped for newer ones.");
        Count("gateway_created_subscriptions_total", () => CreatedSubscriptions, "Subscriptions created.");
        Count("gateway_transferred_subscriptions_total", () => TransferredSubscriptions,
            "Subscriptions transferred to another session.");
        Count("gateway_refused_transfers_total", () => RefusedTransfers, "Transfers that failed.");
        Count("gateway_refused_subscriptions_total", () => RefusedSubscriptions, "Subscriptions refused at a limit.");
        Count("gateway_refused_monitored_items_total", () => RefusedMonitoredItems,
            "Monitored items refused at a limit.");
        Count("gateway_revised_queue_sizes_total", () => RevisedQueueSizes,
            "Queue sizes reduced to 1 at a cap.");
        Count("gateway_evicted_subscriptions_total", () => EvictedSubscriptions,
            "Subscriptions without a session evicted for a new one.");
        Count("gateway_reserve_kept_total", () => KeptReserves,
            "Subscriptions, items and queues not given from a cap's last sixth to a client that holds more than one.");
        Count("gateway_node_polls_total", () => NodePolls, "Reads of nodes that do not push their changes.");
        Count("gateway_delayed_node_polls_total", () => DelayedNodePolls,
            "Polls that had to wait for a later turn.");
    }

    /// <summary>Subscriptions now, the detached ones among them.</summary>
    public int Subscriptions => Server.Subscriptions;

    /// <summary>Open now.</summary>
    public int Streams => _streams?.Count ?? 0;

    /// <summary>Handed over to streams.</summary>
    public long StreamBatches => Sum(static counts => counts.StreamBatches);

    /// <summary>Values of streams that gave way to newer ones, as reported to their consumers.</summary>
    public long StreamSkippedValues => Sum(static counts => counts.StreamSkipped);

    public int MonitoredItems => Server.Items;

    /// <summary>The sum of all queue sizes now.</summary>
    public long QueueCapacity => Server.QueuedValues;

    /// <summary>Subscriptions ever made.</summary>
    public long CreatedSubscriptions => Interlocked.Read(ref _createdSubscriptions);

    /// <summary>Subscriptions that went from one session to another.</summary>
    public long TransferredSubscriptions => Interlocked.Read(ref _transferredSubscriptions);

    /// <summary>Failed requests for a transfer, for any reason.</summary>
    public long RefusedTransfers => Interlocked.Read(ref _refusedTransfers);

    public long RetransmissionBytes => Interlocked.Read(ref _retransmissionBytes);

    public long RefusedSubscriptions => Interlocked.Read(ref _refusedSubscriptions);

    public long RefusedMonitoredItems => Interlocked.Read(ref _refusedItems);

    /// <summary>Subscriptions without a session that made room for another at a cap.</summary>
    public long EvictedSubscriptions => Interlocked.Read(ref _evictedSubscriptions);

    /// <summary>Times that the last sixth of a cap was kept from a client that holds more than a sixth.</summary>
    public long KeptReserves => Interlocked.Read(ref _keptReserves);

    /// <summary>Queue sizes that became 1 because a holder's or the server's sum was used up.</summary>
    public long RevisedQueueSizes => Interlocked.Read(ref _revisedQueues);

    /// <summary>Reads of nodes that do not push their changes.</summary>
    public long NodePolls => Interlocked.Read(ref _polls);

    /// <summary>Reads that had to wait for a later turn.</summary>
    public long DelayedNodePolls => Interlocked.Read(ref _delayedPolls);

    public long Notifications => Sum(static counts => counts.Notifications);

    /// <summary>Answers to Publish requests, faults among them.</summary>
    public long Messages => Sum(static counts => counts.Messages);

    /// <summary>Publish requests answered with a ServiceFault.</summary>
    public long Faults => Sum(static counts => counts.Faults);

    public long KeepAlives => Sum(static counts => counts.KeepAlives);

    /// <summary>Large values that found no room in <see cref="PublishLimits.MaxQueuedValueBytes"/>.</summary>
    public long LargeValuesDropped => Sum(static counts => counts.LargeValuesDropped);

    public long Overflows => Sum(static counts => counts.Overflows);

    /// <summary>Messages of subscriptions that had been LATE.</summary>
    public long LateAnswers => Sum(static counts => counts.LateAnswers);

    public long ExpiredSubscriptions => Sum(static counts => counts.ExpiredSubscriptions);

    /// <summary>Held Publish requests that outlived their TimeoutHint.</summary>
    public long ExpiredPublishRequests => Sum(static counts => counts.ExpiredRequests);

    public long TooManyPublishRequests => Sum(static counts => counts.TooManyRequests);

    /// <summary>Unacknowledged messages that made room for newer ones.</summary>
    public long DroppedRetransmissions => Sum(static counts => counts.DroppedMessages);

    /// <summary>Messages that a channel did not take.</summary>
    public long FailedSends => Sum(static counts => counts.FailedSends);

    /// <summary>Changes replaced by later ones because a shard lagged.</summary>
    public long CoalescedChanges
    {
        get
        {
            var sum = 0L;
            foreach (var shard in _shards)
                sum += shard.Inbox.CoalescedChanges;
            return sum;
        }
    }

    internal Usage Server { get; }

    internal bool IsRetransmissionFull => RetransmissionBytes > _limits.MaxRetransmissionBytes;

    /// <summary>Polls of a node, or whole turns of polling, ended by an error of ours.</summary>
    public long PollFailures => Interlocked.Read(ref _pollTurnFailures);

    /// <summary>The worst lateness of a sweep since the last call: for one caller that shows it.</summary>
    public TimeSpan TakeWorstLateness() => _worstOfSample.TakeWorst();

    public void Dispose() => _meter.Dispose();

    internal void Observe(Shard[] shards, StreamService streams) => (_shards, _streams) = (shards, streams);

    internal void Observe(EventHub events)
    {
        Count("gateway_events_total", () => events.Raised, "Events raised.");
        Gauge("gateway_event_filters", () => events.FilterCount, "Distinct event filters of all monitored items now.");
        Count("gateway_event_filters_refused_total", () => events.RefusedFilters,
            "Event filters refused because there were too many, or too many of one client.");
        Count("gateway_event_filters_skipped_total", () => events.Unjudged,
            "Events that were not held against a filter because all filters had taken the steps of the second.");
        Count("gateway_events_lost_total", () => events.Lost,
            "Events lost because a shard lagged, each group of items counted.");
    }

    internal void AddRetransmissionBytes(long bytes)
    {
        if (bytes != 0)
            Interlocked.Add(ref _retransmissionBytes, bytes);
    }

    internal void OnSubscriptionRefused() => Interlocked.Increment(ref _refusedSubscriptions);

    internal void OnSubscriptionCreated() => Interlocked.Increment(ref _createdSubscriptions);

    internal void OnTransferred() => Interlocked.Increment(ref _transferredSubscriptions);

    internal void OnTransferRefused() => Interlocked.Increment(ref _refusedTransfers);

    internal void OnQueueRevised() => Interlocked.Increment(ref _revisedQueues);

    internal void OnItemRefused() => Interlocked.Increment(ref _refusedItems);

    internal void OnSubscriptionEvicted() => Interlocked.Increment(ref _evictedSubscriptions);

    internal void OnReserveKept() => Interlocked.Increment(ref _keptReserves);

    internal void OnPolls(int polled, int delayed)
    {
        Interlocked.Add(ref _polls, polled);
        Interlocked.Add(ref _delayedPolls, delayed);
    }

    /// <param name="lateness">Engine ticks.</param>
    internal void OnSweep(long lateness)
    {
        _lateness.Record((double)lateness / TimeSpan.TicksPerSecond);
        _worst.Raise(lateness);
        _worstOfSample.Raise(lateness);
    }

    /// <summary>No lateness: the session was swept in time, and shorter messages went first.</summary>
    /// <param name="wait">Engine ticks.</param>
    internal void OnTurn(long wait) => _lineWaits.Record((double)wait / TimeSpan.TicksPerSecond);

    /// <param name="duration">Engine ticks.</param>
    internal void OnSwept(long duration) => _sweeps.Record((double)duration / TimeSpan.TicksPerSecond);

    /// <summary>Never throws: a shard's thread and a timer would end by it, and the process with them (R40).</summary>
    internal void OnSweepFailed(Exception error)
    {
        Interlocked.Increment(ref _sweepFailures);
        Contained.Report(error, _faults.SweepFailed);
    }

    /// <summary>Never throws.</summary>
    internal void OnPollTurnFailed(Exception error)
    {
        Interlocked.Increment(ref _pollTurnFailures);
        Contained.Report(error, _faults.PollTurnFailed);
    }

    /// <summary>Never throws.</summary>
    internal void OnSourceFailed(Exception error)
    {
        Interlocked.Increment(ref _sourceFailures);
        Contained.Report(error, _faults.SourceFailed);
    }

    private long Sum(Func<ShardCounts, long> part)
    {
        var sum = 0L;
        foreach (var shard in _shards)
            sum += part(shard.Counts);
        return sum;
    }

    private Histogram<double> Seconds(string name, string description) => _meter.CreateHistogram<double>(
        name, "s", description, null,
        new InstrumentAdvice<double> { HistogramBucketBoundaries = [.. LatenessBounds] });

    private void Gauge(string name, Func<long> value, string description, string? unit = null) =>
        _meter.CreateObservableGauge(name, value, unit, description);

    private void Count(string name, Func<long> value, string description) =>
        _meter.CreateObservableCounter(name, value, null, description);
}
