using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;

namespace Gateway.Loadtest.Clients;

/// <summary>
/// One subscription on counting tags: every value, every sequence number and every arrival is checked. Latency is from
/// the source timestamp, or from the moment of the Write where we wrote the value. Owner: the connection's
/// thread; counts are read when the run is over, or as they stand.
///</summary>
internal sealed class Watcher(int items, Recorder recorder, WriteLog? log = null) : ISubscriptionHandler
{
    private const int ItemsPerCall = 1000;

    /// <summary>InfoType DataValue and the Overflow bit. Source: Part 4 §7.39.</summary>
    private const uint Overflow = 0x0480;

    private readonly TimeProvider _time = TimeProvider.System;
    private SequenceCheck _sequence;
    private CycleClock _clock;

    public CounterCheck Counters { get; } = new(items);

    public ClientSubscription? Subscription { get; private set; }

    public SequenceCheck Sequence => _sequence;

    public double DriftMs => _clock.DriftMs;

    /// <summary>Asked for each item. The server may grant fewer, and an item that has one entry may lose values that
    /// change twice between two messages without a word.</summary>
    public uint QueueSize { get; init; } = 100;

    /// <summary>Asked for each item; 0 for every change.</summary>
    public double SamplingIntervalMs { get; init; }

    /// <summary>Items that were granted a shorter queue.</summary>
    public long ShortQueues { get; private set; }

    public long Messages { get; private set; }

    public long KeepAlives { get; private set; }

    /// <summary>NotificationMessages that neither came nor could be had by Republish.</summary>
    public long Lost { get; private set; }

    /// <summary>StatusChangeNotifications: the server ended the subscription.</summary>
    public long Ended { get; private set; }

    public async Task StartAsync(
        ClientSession session, NodeId[] tags, double intervalMs, CancellationToken cancellation)
    {
        await SubscribeAsync(session, intervalMs, cancellation);
        await AddItemsAsync(tags, cancellation);
    }

    public async Task SubscribeAsync(ClientSession session, double intervalMs, CancellationToken cancellation)
    {
        var settings = new SubscriptionSettings { PublishingIntervalMs = intervalMs, LifetimeCount = 1000 };
        Subscription = await session.CreateSubscriptionAsync(settings, this, cancellation);
    }

    /// <summary>Client handles count from 0 in the order of the tags.</summary>
    public async Task AddItemsAsync(NodeId[] tags, CancellationToken cancellation)
    {
        for (var first = 0; first < tags.Length; first += ItemsPerCall)
        {
            var requests = new MonitoredItemCreateRequest[Math.Min(ItemsPerCall, tags.Length - first)];
            for (var i = 0; i < requests.Length; i++)
                requests[i] = ItemOf(tags[first + i], (uint)(first + i));
            var results = await Subscription!.CreateMonitoredItemsAsync(
                requests, TimestampsToReturn.Source, cancellation);
            for (var i = 0; i < results.Length; i++)
                Note((uint)(first + i), results[i]);
        }
    }

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
        Messages++;
        _sequence.Add(changes.SequenceNumber);
        var part = recorder.Part;
        var nowMs = 1000.0 * _time.GetTimestamp() / _time.TimestampFrequency;
        var late = double.NaN;
        if (part == MeasurePart.Settling)
            _clock.Settle(nowMs, subscription.PublishingIntervalMs);
        else if (part != MeasurePart.Opening)
            late = _clock.Measure(nowMs, subscription.PublishingIntervalMs, part);
        if (!double.IsNaN(late))
            recorder.Lateness.Add(late);
        var oldestMs = 0.0;
        var now = _time.GetUtcNow().UtcDateTime;
        while (changes.TryRead(out var handle, out var value))
        {
            if (!value.TryGetDouble(out var number) || value.Status.IsBad)
            {
                Counters.AddUnknown();
                continue;
            }

            Counters.Add(handle, number, (value.Status.Code & Overflow) == Overflow);
            if (part is MeasurePart.Settling or MeasurePart.Opening)
                continue;
            var latency = log is null
                ? (now - value.SourceTimestamp).TotalMilliseconds
                : nowMs - log.TimeMsOf((int)handle, number);
            if (!double.IsNaN(latency))
                recorder.Latency.Add(latency);
            oldestMs = Math.Max(oldestMs, latency);
        }

        if (!double.IsNaN(late))
            recorder.Series?.Add(nowMs, CycleClock.Unwrap(late, oldestMs, subscription.PublishingIntervalMs));

        if (changes.Status.IsBad)
            Counters.AddUnknown();
    }

    public void OnKeepAlive(ClientSubscription subscription) => KeepAlives++;

    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count) => Lost += count;

    public void OnStatusChange(ClientSubscription subscription, StatusCode status) => Ended++;

    private void Note(uint handle, MonitoredItemCreateResult result)
    {
        if (result.StatusCode.IsBad)
            throw new InvalidOperationException($"a monitored item is refused: {result.StatusCode}");
        if (result.RevisedQueueSize < QueueSize)
            ShortQueues++;
        if (result.RevisedQueueSize <= 1)
            Counters.SetQueueOfOne(handle);
    }

    private MonitoredItemCreateRequest ItemOf(NodeId tag, uint handle) => new()
    {
        ItemToMonitor = new ReadValueId { NodeId = tag, AttributeId = (uint)AttributeId.Value },
        MonitoringMode = MonitoringMode.Reporting,
        RequestedParameters = new MonitoringParameters
        {
            ClientHandle = handle,
            // A sampled item skips changes that fall between two samples.
            SamplingInterval = SamplingIntervalMs,
            QueueSize = QueueSize,
            DiscardOldest = true,
        },
    };
}
