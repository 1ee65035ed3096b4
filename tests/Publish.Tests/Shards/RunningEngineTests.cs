using System.Collections.Concurrent;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;
using Gateway.Testing;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Publish.Tests.Shards;

/// <summary>Real threads: every value of a counter arrives once and in order, whatever the threads do to each other.
/// </summary>
public sealed class RunningEngineTests
{
    [Fact]
    public async Task Start_CountersFromTwoThreads_EveryValueInOrder()
    {
        const int Last = 3000;
        await using var plant = new PublishFixture(4, shards: 2);
        await using var engine = new PublishEngine(
            plant.Nodes, plant.Store, Limits, new PlantLateness(), TimeProvider.System,
            NullLogger<PublishEngine>.Instance);
        engine.Start();
        var watchers = Enumerable.Range(0, 4).Select(_ => new Watcher(engine, plant, Last)).ToArray();
        var producers = new[] { 1u, 2u }.Select(node => Task.Run(() => Count(plant.Store, plant, node, Last)));
        await Task.WhenAll(producers);
        foreach (var watcher in watchers)
            await watcher.Done.Task.WaitAsync(Patience.Limit);
        Assert.All(watchers, watcher => Assert.Empty(watcher.Faults));
        foreach (var watcher in watchers)
            watcher.Session.Close(deleteSubscriptions: true);
        Assert.Equal(0, engine.Counters.Subscriptions);
        Assert.False(plant.Store.IsWatched(plant.Handle(1)));
    }

    private static PublishLimits Limits => new() { PublishShards = 2, MaxMonitoredItemsQueueSize = 100_000 };

    private static void Count(ValueStore store, PublishFixture plant, uint node, int last)
    {
        var (handle, other) = (plant.Handle(node), plant.Handle(node + 2));
        for (var i = 1; i <= last; i++)
        {
            var batch = store.BeginBatch();
            batch.Set(handle, new DataValue(new Variant((double)i)));
            batch.Set(other, new DataValue(new Variant((double)-i)));
            batch.Commit();
        }
    }

    /// <summary>Watches both counters and publishes again from inside the answer's thread, as a socket thread would.
    /// </summary>
    private sealed class Watcher : INotificationOutput, IItemAccess
    {
        private readonly ConcurrentDictionary<uint, double> _last = new();
        private readonly uint _subscription;
        private readonly int _end;
        private uint _requests;

        public Watcher(PublishEngine engine, PublishFixture plant, int end)
        {
            _end = end;
            plant.Set(1, 0);
            plant.Set(2, 0);
            Session = engine.OpenSession(this, this, SessionOwner.Unknown);
            _subscription = Session.CreateSubscription(new CreateSubscriptionRequest
            {
                RequestedPublishingInterval = 10,
                PublishingEnabled = true,
            }).SubscriptionId;
            Session.CreateMonitoredItems(new CreateMonitoredItemsRequest
            {
                SubscriptionId = _subscription,
                ItemsToCreate = [TestClient.Item(1, queueSize: 100_000), TestClient.Item(2, queueSize: 100_000)],
            });
            for (var i = 0; i < 3; i++)
                Publish(0);
        }

        public PublishSession Session { get; }

        public TaskCompletionSource Done { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

        public ConcurrentQueue<string> Faults { get; } = new();

        public int MaxResponseSizeBytes => 0;

        public StatusCode CheckMonitor(Gateway.AddressSpace.Nodes.NodeHandle node, AttributeId attribute) => default;

        public StatusCode Send(PooledBuffer message, uint requestId)
        {
            var reader = new UaBinaryReader(message.WrittenSpan);
            if (reader.ReadNodeId().Numeric != 829)
                return StatusCode.Good;
            var response = PublishResponse.Decode(ref reader);
            foreach (var data in response.NotificationMessage.NotificationData ?? [])
            {
                foreach (var item in ((DataChangeNotification)data.Body!).MonitoredItems!)
                    Check(item.ClientHandle, item.Value);
            }

            ThreadPool.QueueUserWorkItem(_ => Publish(response.NotificationMessage.SequenceNumber));
            return StatusCode.Good;
        }

        public void Flush()
        {
        }

        private void Check(uint handle, in DataValue value)
        {
            var number = value.Value.AsDouble();
            var last = _last.GetValueOrDefault(handle, -1);
            if ((number != last + 1 && last >= 0) || value.Status != StatusCode.Good)
                Faults.Enqueue($"{handle}: {last} → {number} {value.Status}");
            _last[handle] = number;
            if (_last.Count == 2 && _last.Values.All(seen => seen >= _end))
                Done.TrySetResult();
        }

        private void Publish(uint acknowledged)
        {
            Session.Publish(
                Interlocked.Increment(ref _requests),
                default,
                [new SubscriptionAcknowledgement { SubscriptionId = _subscription, SequenceNumber = acknowledged }]);
        }
    }
}
