using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Loadtest.Clients;

/// <summary>
/// One subscription on counting tags, checked value by value: each must be its predecessor's plus one. Owner: the
/// connection's thread; counts are read when the run is over, or as they stand.
///</summary>
internal sealed class Watcher(int items, LatencyHistogram? latency = null) : ISubscriptionHandler
{
    private readonly double[] _last = new double[items];

    /// <summary>Off until the first values are through, which are as old as their last change.</summary>
    public bool MeasuresLatency { get; set; }

    public long Messages { get; private set; }

    public long Values { get; private set; }

    public long Gaps { get; private set; }

    public long Repeats { get; private set; }

    public long BadValues { get; private set; }

    public long Lost { get; private set; }

    public long Ended { get; private set; }

    public async Task StartAsync(
        ClientSession session, NodeId[] tags, double intervalMs, CancellationToken cancellation)
    {
        var settings = new SubscriptionSettings { PublishingIntervalMs = intervalMs, LifetimeCount = 1000 };
        var subscription = await session.CreateSubscriptionAsync(settings, this, cancellation);
        foreach (var part in Enumerable.Range(0, tags.Length).Chunk(1000))
        {
            var requests = Array.ConvertAll(part, i => new MonitoredItemCreateRequest
            {
                ItemToMonitor = new ReadValueId { NodeId = tags[i], AttributeId = (uint)AttributeId.Value },
                MonitoringMode = MonitoringMode.Reporting,
                RequestedParameters = new MonitoringParameters
                {
                    ClientHandle = (uint)i,
                    // Every change: a sampled item would skip those that fall between two samples.
                    SamplingInterval = 0,
                    QueueSize = 100,
                    DiscardOldest = true,
                },
            });
            var results = await subscription.CreateMonitoredItemsAsync(
                requests, TimestampsToReturn.Source, cancellation);
            var failed = Array.Find(results, result => result.StatusCode.IsBad);
            if (failed.StatusCode.IsBad)
                throw new InvalidOperationException($"a monitored item is refused: {failed.StatusCode}");
        }
    }

    public void OnDataChange(ClientSubscription subscription, ref DataChangeReader changes)
    {
        Messages++;
        while (changes.TryRead(out var handle, out var value))
        {
            if (handle < (uint)_last.Length && value.TryGetDouble(out var number))
                Check(ref _last[handle], number);
            else
                BadValues++;
            Values++;
            if (MeasuresLatency)
                latency?.Add(value.SourceTimestamp);
        }
    }

    public void OnLost(ClientSubscription subscription, uint firstSequenceNumber, uint count) => Lost += count;

    public void OnStatusChange(ClientSubscription subscription, StatusCode status) => Ended++;

    private void Check(ref double last, double number)
    {
        if (last != 0 && number != last + 1)
        {
            if (number <= last)
                Repeats++;
            else
                Gaps++;
        }

        last = number;
    }
}
