using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Notifications;
using Gateway.Publish.Streams;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Streams;

/// <summary>Whose a stream is, what it may take, and what is left of it.</summary>
public sealed class StreamEndTests
{
    private const int Tags = 500;

    private static readonly SessionOwner Alice = new("UserName:alice", false, "", false);
    private static readonly SessionOwner Bob = new("UserName:bob", false, "", false);
    private static readonly StreamOptions Fast = new() { IntervalMs = 100 };

    [Theory]
    [InlineData(3)]
    [InlineData(Tags)]
    public async Task Dispose_WithBatchesReadAndUnread_EverythingIsGivenBack(int tags)
    {
        await using var plant = new PublishFixture(Tags);
        Fill(plant, 0);
        var access = new TestClient();
        var stream = Open(plant, access, Alice);
        StreamItem[] items = [.. Enumerable.Range(1, tags).Select(i => Item((uint)i) with { QueueSize = 5 })];
        Assert.Equal(StatusCode.Good, stream.Add(items, out _));
        for (var i = 1; i <= 10; i++)
        {
            plant.Advance(100);
            Fill(plant, i);
        }

        Assert.True(stream.Batches.TryRead(out var read));
        Assert.True(InUse(plant) > Tags);

        stream.Dispose();
        stream.Dispose();
        plant.Advance(100);
        Assert.Equal(Tags + tags, InUse(plant));
        read.Dispose();
        Assert.Equal(Tags, InUse(plant));
        var counters = plant.Engine.Counters;
        Assert.Equal((0, 0, 0), (counters.Streams, counters.Subscriptions, counters.MonitoredItems));
        Assert.Equal(0, counters.QueueCapacity);
        Assert.Equal(0, plant.Engine.Quotas.Users.Count);
        Assert.Equal(0, plant.Engine.Shards[0].Scheduled);
        Assert.False(plant.Store.IsWatched(plant.Handle(1)));
        Assert.True(stream.Batches.Completion.IsCompletedSuccessfully);
        Assert.Equal(StatusCode.Good, stream.Status);
        Assert.Equal(StatusCodes.BadSubscriptionIdInvalid, stream.Add([Item(1)], out _));
    }

    [Fact]
    public async Task ChangeUser_Another_ClosesTheStreamWithWhatIsUnread()
    {
        await using var plant = new PublishFixture();
        plant.Set(1, 1);
        var access = new TestClient();
        var stream = Open(plant, access, Alice);
        stream.Add([Item(1)], out _);
        plant.Advance(100);

        Assert.Equal(StatusCodes.BadIdentityChangeNotSupported, stream.ChangeUser(access, Bob));
        Assert.Equal(StatusCodes.BadIdentityChangeNotSupported, stream.Status);
        Assert.False(stream.Batches.TryRead(out _));
        Assert.True(stream.Batches.Completion.IsCompleted);
        Assert.Equal(StatusCodes.BadSessionClosed, stream.ChangeUser(access, Alice));
        stream.Dispose();
        Assert.Equal(StatusCodes.BadIdentityChangeNotSupported, stream.Status);
        Assert.Equal(1, InUse(plant));
    }

    [Fact]
    public async Task ChangeUser_SameWithFewerRights_ItemsAreReviewedBeforeAnotherValueComes()
    {
        await using var plant = new PublishFixture(Tags);
        Fill(plant, 0);
        var access = new TestClient();
        var stream = Open(plant, access, Alice);
        stream.Add([.. Enumerable.Range(1, Tags).Select(i => Item((uint)i))], out _);
        plant.Advance(100);
        Assert.True(stream.Batches.TryRead(out var batch));
        Fill(plant, 1);
        var lesser = new TestClient();
        for (var tag = 1u; tag < Tags; tag++)
            lesser.Denied.Add(plant.Handle(tag));

        Assert.Equal(StatusCode.Good, stream.ChangeUser(lesser, Alice));
        batch.Dispose();
        Assert.False(stream.Batches.TryRead(out _));
        plant.Advance(100);
        Assert.True(stream.Batches.TryRead(out batch));
        Assert.Equal(Tags, batch.Count);
        foreach (var change in batch.Changes)
        {
            Assert.Equal(
                change.Handle == Tags ? StatusCodes.Good : StatusCodes.BadUserAccessDenied, change.Status.Code);
        }

        batch.Dispose();
        stream.Dispose();
    }

    /// <summary>What lies unread in batches is dropped where his rights are fewer, and the rest comes once more (R16).
    /// </summary>
    [Theory]
    [InlineData(3)]
    [InlineData(Tags)]
    public async Task ChangeUser_SameWithFewerRights_UnreadBatchesAreDroppedAndTheRestComesAgain(int tags)
    {
        await using var plant = new PublishFixture(Tags);
        Fill(plant, 0);
        using var stream = Open(plant, new TestClient(), Alice);
        stream.Add([.. Enumerable.Range(1, tags).Select(i => Item((uint)i))], out _);
        plant.Advance(100);
        Assert.Equal(1, stream.Batches.Count);
        var lesser = new TestClient();
        lesser.Denied.Add(plant.Handle(1));

        Assert.Equal(StatusCode.Good, stream.ChangeUser(lesser, Alice));

        Assert.Equal(0, stream.Batches.Count);
        plant.Advance(100);
        List<uint> refused = [];
        List<uint> good = [];
        while (stream.Batches.TryRead(out var batch))
        {
            foreach (var change in batch.Changes)
                (change.Status == StatusCode.Good ? good : refused).Add(change.Handle);
            batch.Dispose();
        }

        Assert.Equal([1u], refused.Distinct());
        Assert.Equal(Enumerable.Range(2, tags - 1).Select(i => (uint)i), good.Order());
    }

    [Fact]
    public async Task ChangeUser_SameWithTheSameRights_UnreadBatchesStay()
    {
        await using var plant = new PublishFixture(Tags);
        Fill(plant, 0);
        using var stream = Open(plant, new TestClient(), Alice);
        stream.Add([Item(1), Item(2)], out _);
        plant.Advance(100);

        Assert.Equal(StatusCode.Good, stream.ChangeUser(new TestClient(), Alice));
        plant.Advance(100);

        Assert.True(stream.Batches.TryRead(out var batch));
        Assert.Equal(2, batch.Count);
        batch.Dispose();
        Assert.False(stream.Batches.TryRead(out _));
    }

    /// <summary>A failed allocation is one.</summary>
    [Fact]
    public async Task Drain_SinkFails_TheNotificationStaysAndNoValueIsLost()
    {
        await using var plant = new PublishFixture(Tags);
        Fill(plant, 0);
        var stream = Open(plant, new TestClient(), Alice);
        stream.Add([Item(1), Item(2), Item(3)], out _);
        lock (stream.Shard.Lock)
        {
            var sink = new FailingSink();
            Assert.Throws<InvalidOperationException>(
                () => stream.Subscription.Drain(NotificationKind.DataChange, 10, ref sink));
        }

        plant.Advance(100);
        Assert.True(stream.Batches.TryRead(out var batch));
        Assert.Equal([2u, 3u], batch.Changes.ToArray().Select(change => change.Handle));
        batch.Dispose();
        stream.Dispose();
        Fill(plant, 1);
        Assert.Equal(Tags, InUse(plant));
    }

    [Fact]
    public async Task Open_AtTheLimits_IsRefusedAndLeavesNothing()
    {
        await using var plant = new PublishFixture(limits: new PublishLimits
        {
            MaxSubscriptionsPerUser = 2,
            MaxMonitoredItemsPerUser = 3,
        });
        var access = new TestClient();
        using var one = Open(plant, access, Alice);
        using var two = Open(plant, access, Alice);
        Assert.Null(plant.Engine.OpenStream(access, Alice, Fast, out var status));
        Assert.Equal(StatusCodes.BadTooManySubscriptions, status.Code);
        Assert.Equal((2, 1L), (plant.Engine.Counters.Streams, plant.Engine.Counters.RefusedSubscriptions));
        using var other = Open(plant, access, Bob);

        one.Add([Item(1), Item(2)], out _);
        two.Add([Item(1), Item(2)], out var results);
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadTooManyMonitoredItems], results.Select(result => result.StatusCode.Code));
    }

    [Fact]
    public async Task Engine_Disposed_StreamsEnd()
    {
        var plant = new PublishFixture();
        var stream = Open(plant, new TestClient(), Alice);
        stream.Add([Item(1)], out _);
        await plant.DisposeAsync();
        await stream.Batches.Completion;
        Assert.Equal(StatusCodes.BadServerHalted, stream.Status);
        Assert.Equal(0, plant.Engine.Counters.Streams);
    }

    private static StreamItem Item(uint tag) => new() { Node = new NodeId(tag, 1), Handle = tag };

    private static ValueStream Open(PublishFixture plant, TestClient access, SessionOwner owner)
    {
        var stream = plant.Engine.OpenStream(access, owner, Fast, out var status);
        Assert.Equal(StatusCode.Good, status);
        return stream!;
    }

    private static void Fill(PublishFixture plant, double offset)
    {
        for (var tag = 1u; tag <= Tags; tag++)
            plant.Set(tag, tag + offset);
    }

    /// <summary>SharedValues that somebody holds.</summary>
    private static long InUse(PublishFixture plant) =>
        plant.Store.CreatedValues - plant.Store.IdleValues - plant.Store.DiscardedValues;

    private struct FailingSink : INotificationSink
    {
        private int _taken;

        public readonly bool HasRoomFor(in QueuedValue next) => true;

        public void Take(MonitoredItem item, in QueuedValue next)
        {
            if (_taken++ > 0)
                throw new InvalidOperationException();
            next.Value.Release();
        }
    }
}
