using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Model;

/// <summary>Random patterns of changes × publishing × sampling × queue size × discard policy, on a shard that comes to
/// the changes late and at random: each item reports what the naive model says, value by value with its Overflow bit.
/// The seed is in the test's name. Source: Part 4 §5.13.1.2, §5.13.1.5.</summary>
public sealed class SamplingModelTests
{
    private const uint Overflow = 0x480;
    private const int Tags = 3;

    private static readonly double[] Publishing = [50, 100, 130, 1000, 3000];
    private static readonly double[] Sampling = [0, 10, 20, 30, 50, 70, 100, 250, 1000, 4000];

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    [InlineData(5)]
    [InlineData(6)]
    [InlineData(7)]
    [InlineData(8)]
    public async Task Random_ItemsReportWhatTheModelSays(int seed)
    {
        var random = new Random(seed);
        for (var round = 0; round < 20; round++)
        {
            await using var run = new Run(random, Publishing[random.Next(Publishing.Length)]);
            for (var i = 0; i < 6; i++)
                run.AddItem(Sampling[random.Next(Sampling.Length)]);
            for (var step = 0; step < 600; step++)
                run.Step($"round {round} step {step}");
            Assert.True(run.Sweeps > 0);
        }
    }

    /// <summary>As seen with four clients: what is missing lay in periods of its own.</summary>
    [Fact]
    public async Task Sampling50Publishing3000_WriteEvery200_NoneIsMissing()
    {
        await using var plant = new PublishFixture();
        var client = plant.OpenClient();
        var subscription = client.Subscribe(intervalMs: 3000, keepAlive: 100, lifetime: 1000);
        plant.Set(1, 0);
        client.Monitor(subscription, 1, queueSize: 20, samplingMs: 50);
        client.Publish();
        for (var i = 1; i <= 14; i++)
        {
            plant.Time.Advance(200);
            plant.Set(1, i);
        }

        plant.Time.Advance(200);
        plant.Advance(0);
        var values = client.Next().Changes.Select(change => change.Value.Value.AsDouble());
        Assert.Equal(Enumerable.Range(0, 15).Select(i => (double)i), values);
    }

    private sealed class Run(Random random, double publishingMs) : IAsyncDisposable
    {
        private readonly PublishFixture _plant = new(Tags);
        private readonly Dictionary<uint, ModelSampledItem> _items = [];
        private TestClient? _client;
        private uint _subscription;
        private double _due;
        private double _value;

        public int Sweeps { get; private set; }

        private double Now => _plant.Time.Elapsed.TotalMilliseconds;

        public void AddItem(double samplingMs)
        {
            if (_client is null)
            {
                _client = _plant.OpenClient();
                _subscription = _client.Subscribe(publishingMs, keepAlive: 10_000, lifetime: 100_000);
                _due = publishingMs;
            }

            var (node, size, discardOldest) = ((uint)random.Next(1, Tags + 1), random.Next(1, 8), random.Next(2) == 0);
            _plant.Set(node, ++_value);
            _plant.Advance(0);
            var request = TestClient.Item(node, (uint)size, discardOldest, samplingMs);
            var handle = (uint)_items.Count + 1;
            request = request with { RequestedParameters = request.RequestedParameters with { ClientHandle = handle } };
            var result = _client.TryMonitor(_subscription, request);
            Assert.Equal((samplingMs, (uint)size), (result.RevisedSamplingInterval, result.RevisedQueueSize));
            foreach (var other in _items.Values.Where(other => other.Node == node))
                other.Change(Now, _value);
            var queue = new ModelItem(result.MonitoredItemId, node, size, discardOldest);
            queue.Change(_value);
            _items.Add(handle, new ModelSampledItem(queue, samplingMs, publishingMs, originMs: 0));
        }

        /// <summary>Time goes on, mostly without the shard; what is due is swept, at times late.</summary>
        public void Step(string name)
        {
            var node = (uint)random.Next(1, Tags + 1);
            // A change never falls on the end of a period, which would be before or behind a sweep by chance.
            _plant.Time.Advance(random.Next(1, random.Next(2) == 0 ? 40 : 400) + (Now % 1 == 0 ? 0.3 : 0));
            if (random.Next(3) == 0 || (Now >= _due && random.Next(2) == 0))
                Turn(name);
            _plant.Set(node, ++_value);
            foreach (var item in _items.Values.Where(item => item.Node == node))
                item.Change(Now, _value);
        }

        public ValueTask DisposeAsync() => _plant.DisposeAsync();

        private void Turn(string name)
        {
            if (_client!.Session.HeldPublishRequests == 0)
                _client.Publish();
            _plant.Advance(0);
            if (Now < _due)
            {
                Assert.Equal(0, _client.Pending);
                return;
            }

            Sweeps++;
            _due = (Math.Floor(Now / publishingMs) + 1) * publishingMs;
            var sent = _client.All().SelectMany(answer => answer.Changes).ToLookup(change => change.ClientHandle);
            foreach (var (handle, item) in _items)
            {
                var expected = string.Join(" ", item.Sweep(Now).Select(e => $"{e.Value}{(e.Overflow ? "!" : "")}"));
                var actual = string.Join(" ", sent[handle].Select(change =>
                    $"{change.Value.Value.AsDouble()}{(change.Value.Status.Code == Overflow ? "!" : "")}"));
                Assert.True(expected == actual, $"{name} item {item.Id}: model '{expected}', engine '{actual}'");
            }
        }
    }
}
