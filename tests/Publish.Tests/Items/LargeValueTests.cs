using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Queued values of a KiB and more are bounded by their bytes, not by their number (R09).</summary>
public sealed class LargeValueTests : IAsyncLifetime, IAsyncDisposable
{
    private const uint Overflow = 0x0480;
    private const int Size = 8_000;

    private readonly PublishFixture _plant = new(limits: new PublishLimits { MaxQueuedValueBytes = 10 * 8_192 });
    private readonly TestClient _client;
    private readonly uint _subscription;

    public LargeValueTests()
    {
        _client = _plant.OpenClient();
        _subscription = _client.Subscribe();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Queue_MoreBytesThanMayBeHeld_OldestGoAndTheOldestLeftIsFlagged()
    {
        _client.Monitor(_subscription, 1, queueSize: 1_000);
        Change(100);

        Assert.InRange(_plant.Store.HeldLargeBytes, 1, 12 * 8_192);
        var changes = Sweep();
        Assert.InRange(changes.Length, 2, 12);
        Assert.Equal(Overflow, changes[0].Value.Status.Code);
        Assert.All(changes.Skip(1), change => Assert.Equal(StatusCode.Good, change.Value.Status));
        Assert.Equal(100, NumberOf(changes[^1]));
        Assert.True(_plant.Engine.Counters.LargeValuesDropped >= 88);
        Assert.InRange(_plant.Store.HeldLargeBytes, 0, 0);
    }

    [Fact]
    public void Queue_DiscardNewest_FirstOnesStayAndTheLastIsFlagged()
    {
        _client.Monitor(_subscription, 1, queueSize: 1_000, discardOldest: false);
        Change(100);

        Assert.InRange(_plant.Store.HeldLargeBytes, 1, 12 * 8_192);
        var changes = Sweep();
        // Behind Bad_WaitingForInitialData.
        Assert.Equal(1, NumberOf(changes[1]));
        Assert.Equal(100, NumberOf(changes[^1]));
        Assert.Equal(Overflow, changes[^1].Value.Status.Code);
    }

    /// <summary>The two queues hold different ones: the first and the last.</summary>
    [Fact]
    public void Queue_SmallAndLargeInTurn_BytesStayBounded()
    {
        foreach (var discardOldest in new[] { true, false })
            _client.Monitor(_subscription, 1, queueSize: 1_000, discardOldest: discardOldest);
        for (var number = 1; number <= 200; number++)
        {
            Set(number, number % 2 == 0 ? 1 : Size);
            _plant.Advance(0);
        }

        Assert.InRange(_plant.Store.HeldLargeBytes, 1, 24 * 8_192);
    }

    [Fact]
    public void Queue_SharedByManyItems_IsChargedOnce()
    {
        for (var i = 0; i < 50; i++)
            _client.Monitor(_subscription, 1, queueSize: 10);
        Change(5);
        Assert.InRange(_plant.Store.HeldLargeBytes, 1, 5 * 8_192);
        Assert.Equal(0, _plant.Engine.Counters.LargeValuesDropped);
    }

    [Fact]
    public void Range_PartsOfTheirOwn_RefusedBeyondTheBytes()
    {
        Set(1, Size);
        for (var i = 0; i < 30; i++)
            _client.Monitor(_subscription, 1, range: $"0:{7_000 + i}");

        var changes = Sweep();
        Assert.Equal(30, changes.Length);
        var refused = changes.Count(change => change.Value.Status.CodeBits == StatusCodes.BadOutOfMemory);
        Assert.InRange(refused, 15, 25);
        Assert.Equal(refused, _plant.Engine.Counters.LargeValuesDropped);
    }

    [Fact]
    public void Queue_SmallValues_KeepTheirPlacesWhateverTheLargeOnesHold()
    {
        _client.Monitor(_subscription, 1, queueSize: 1_000);
        _client.Monitor(_subscription, 2, queueSize: 1_000);
        Change(100);
        for (var number = 1; number <= 100; number++)
            _plant.Set(2, number);
        var small = Sweep().Where(change => change.ClientHandle == 2).ToList();
        Assert.Equal(100, small.Count(change => change.Value.Status == StatusCode.Good));
    }

    private void Change(int times)
    {
        for (var number = 1; number <= times; number++)
        {
            Set(number, Size);
            _plant.Advance(0);
        }
    }

    private void Set(int number, int bytes)
    {
        var value = new byte[bytes];
        value[0] = (byte)number;
        _plant.Store.Set(_plant.Handle(1), new DataValue(Variant.FromByteString(value)));
    }

    private static int NumberOf(MonitoredItemNotification change) => change.Value.Value.AsByteString()![0];

    private MonitoredItemNotification[] Sweep()
    {
        for (var i = 0; i < 5; i++)
            _client.Publish();
        _plant.Advance(500);
        return [.. _client.All().SelectMany(answer => answer.Changes)];
    }
}
