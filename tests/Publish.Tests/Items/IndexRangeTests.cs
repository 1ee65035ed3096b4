using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Parts of large values cost the shard's lock once for all items that ask for the same, and by their size
/// (R44, R20).</summary>
public sealed class IndexRangeTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Elements = 5_000;

    private readonly PublishFixture _plant = new();
    private readonly TestClient _client;
    private readonly uint _subscription;

    public IndexRangeTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(0)]
    [InlineData(100)]
    [InlineData(1000)]
    public void Change_ManyItemsOfOneRange_IsCutOnce(double samplingMs)
    {
        SetArray(1);
        for (var i = 0; i < 500; i++)
            _client.Monitor(_subscription, 1, samplingMs: samplingMs, range: i % 2 == 0 ? "0" : "1:2");
        Sweep();
        var encoded = _plant.Store.EncodedValues;
        SetArray(7);
        var changes = Sweep();

        Assert.Equal(500, changes.Length);
        Assert.Equal(250, changes.Count(change => change is [7]));
        Assert.Equal(250, changes.Count(change => change is [8, 9]));
        // The change, and either part.
        Assert.Equal(3, _plant.Store.EncodedValues - encoded);
    }

    [Fact]
    public void Create_ManyItemsOfOneRange_IsCutOnce()
    {
        SetArray(1);
        var encoded = _plant.Store.EncodedValues;
        for (var i = 0; i < 500; i++)
            _client.Monitor(_subscription, 1, range: "0");
        Assert.Equal(1, _plant.Store.EncodedValues - encoded);
        Assert.All(Sweep(), change => Assert.Equal([1], change));
    }

    [Fact]
    public void Change_ManyRangesOfOneLargeText_AreCutInSlices()
    {
        SetText('a');
        for (var i = 0; i < 200; i++)
            _client.Monitor(_subscription, 1, range: $"{i}");
        var encoded = _plant.Store.EncodedValues;
        SetText('b');
        var shard = _plant.Engine.Shards[0];
        lock (shard.Lock)
            Assert.True(shard.Changes.StepUnderLock());
        Assert.InRange(_plant.Store.EncodedValues - encoded, 2, 20);

        _plant.Advance(0);
        Assert.Equal(201, _plant.Store.EncodedValues - encoded);
    }

    /// <summary>What waits for its sampling time is taken at the sweep, in slices too.</summary>
    [Fact]
    public void Sweep_ManyRangesOfOneLargeText_AreCutInSlices()
    {
        SetText('a');
        for (var i = 0; i < 200; i++)
            _client.Monitor(_subscription, 1, samplingMs: 100, range: $"{i}");
        _plant.Advance(100);
        SetText('b');
        _plant.Advance(0);
        var encoded = _plant.Store.EncodedValues;
        var subscription = Assert.Single(_client.Session.Subscriptions);
        var work = 2_048;
        lock (_plant.Engine.Shards[0].Lock)
            Assert.False(subscription.TakeSamples(
                subscription.Due, subscription.Shard.Values, ref work));
        Assert.InRange(_plant.Store.EncodedValues - encoded, 1, 20);

        // The one that it would go on with is gone.
        for (var id = 1u; id <= 50; id++)
            _client.DeleteItem(_subscription, id);
        _client.Publish();
        _plant.Advance(200);
        Assert.Equal(150, _client.All().SelectMany(answer => answer.Changes).Count());
    }

    [Fact]
    public void Items_Gone_NothingIsKept()
    {
        for (var node = 1u; node <= 3; node++)
            SetArray((int)node, node);
        var ids = new List<uint>();
        for (var i = 0; i < 300; i++)
            ids.Add(_client.Monitor(_subscription, 1 + ((uint)i % 3), 4, samplingMs: i % 2 * 100, range: $"{i % 40}"));
        for (var round = 0; round < 5; round++)
        {
            SetArray(round, 1 + ((uint)round % 3));
            Sweep();
        }

        foreach (var id in ids)
            _client.DeleteItem(_subscription, id);
        _plant.Advance(300);
        Assert.Equal(3, _plant.Store.CreatedValues - _plant.Store.IdleValues);
        Assert.Equal(0, _plant.Store.HeldLargeBytes);
    }

    private void SetArray(int first, uint node = 1)
    {
        int[] array = [.. Enumerable.Range(first, Elements)];
        _plant.Store.Set(_plant.Handle(node), new DataValue(Variant.FromArray(BuiltInType.Int32, array)));
    }

    private void SetText(char letter) =>
        _plant.Store.Set(_plant.Handle(1), new DataValue(new Variant(new string(letter, 20_000))));

    private int[][] Sweep()
    {
        for (var i = 0; i < 10; i++)
            _client.Publish();
        _plant.Advance(1_500);
        return [.. _client.All().SelectMany(answer => answer.Changes)
            .Select(change => change.Value.Value.AsArray<int>()!)];
    }
}
