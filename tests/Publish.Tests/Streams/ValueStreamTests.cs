using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Streams;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Streams;

/// <summary>What a consumer inside the process gets, item by item.</summary>
public sealed class ValueStreamTests : IAsyncLifetime, IAsyncDisposable
{
    private static readonly SessionOwner Alice = new("UserName:alice", false, "", false);

    private readonly PublishFixture _plant = new();
    private readonly TestClient _access = new();
    private readonly ValueStream _stream;

    public ValueStreamTests()
    {
        for (var tag = 1u; tag <= 3; tag++)
            _plant.Set(tag, tag);
        _stream = Open();
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public void Batches_Changes_OneAnIntervalAndNoneWithoutAChange()
    {
        Add(Item(1), Item(2));
        _plant.Advance(100);
        Assert.Equal([(1u, 1.0), (2u, 2.0)], Read(out var skipped));
        Assert.Equal(0, skipped);
        _plant.Set(2, 5);
        _plant.Advance(100);
        Assert.Equal([(2u, 5.0)], Read(out _));
        _plant.Advance(10_000);
        Assert.False(_stream.Batches.TryRead(out _));
    }

    [Fact]
    public void Add_OneItemCannotBe_ItsResultSaysWhyAndTheOthersRun()
    {
        _access.Denied.Add(_plant.Handle(2));
        _access.Hidden.Add(_plant.Handle(2));
        Assert.Equal(StatusCode.Good, _stream.Add([Item(1), Item(2), Item(999)], out var results));
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadUserAccessDenied, StatusCodes.BadNodeIdUnknown],
            results.Select(result => result.StatusCode.Code));
        _plant.Advance(100);
        Assert.Equal([(1u, 1.0)], Read(out _));
    }

    [Fact]
    public void Add_NodeThatMayNotBeReadNow_ReportsItsStatus()
    {
        _access.Denied.Add(_plant.Handle(2));
        Add(Item(2));
        _plant.Advance(100);
        Assert.Equal(StatusCodes.BadUserAccessDenied, ReadStatus());
    }

    [Fact]
    public void Items_AddedModifiedAndRemovedWhileItRuns_FollowAtOnce()
    {
        var first = Add(Item(1))[0];
        _plant.Advance(100);
        Read(out _);
        Add(Item(2));
        var coarse = Item(1) with { Handle = 11, Filter = Deadband(10) };
        Assert.Equal(StatusCode.Good, _stream.Modify(first, coarse, out _));
        _plant.Set(1, 9);
        _plant.Advance(100);
        Assert.Equal([(2u, 2.0)], Read(out _));
        _plant.Set(1, 20);
        _plant.Advance(100);
        Assert.Equal([(11u, 20.0)], Read(out _));

        Assert.Equal(StatusCode.Good, _stream.Remove([first], out var results));
        Assert.Equal(StatusCode.Good, Assert.Single(results));
        _plant.Set(1, 100);
        _plant.Set(2, 3);
        _plant.Advance(100);
        Assert.Equal([(2u, 3.0)], Read(out _));
        Assert.Equal(StatusCodes.BadMonitoredItemIdInvalid, _stream.Modify(first, coarse, out _));
    }

    [Fact]
    public void Add_SamplingInterval_OneValueAPeriod()
    {
        Add(Item(1) with { SamplingIntervalMs = 500, QueueSize = 10 });
        _plant.Advance(100);
        Read(out _);
        _plant.Advance(50);
        for (var i = 1; i <= 10; i++)
        {
            _plant.Set(1, 10 + i);
            _plant.Advance(100);
        }

        _plant.Advance(500);
        Assert.Equal([14, 19, 20], ReadAll().Select(change => (int)change.Value.Numeric));
    }

    [Fact]
    public void Node_RemovedAndBack_IsToldAndGoesOn()
    {
        Add(Item(1));
        _plant.Advance(100);
        Read(out _);
        _plant.Nodes.Apply(new NodeBatch().Remove(_plant.Handle(1)));
        _plant.Advance(100);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, ReadStatus());

        _plant.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId(1, 1), new QualifiedName("Tag1", 1), new(new NodeId(11)), null, default));
        _plant.Set(1, 7);
        _plant.Advance(100);
        Assert.Equal([(1u, 7.0)], Read(out _));
    }

    [Fact]
    public void Consumer_DoesNotRead_NewestStaysAndTheOthersAreCounted()
    {
        using var other = Open();
        Add(Item(1));
        Assert.Equal(StatusCode.Good, other.Add([Item(1)], out _));
        _plant.Advance(100);
        Assert.True(other.Batches.TryRead(out var mine));
        mine.Dispose();

        for (var i = 1; i <= 50; i++)
        {
            _plant.Set(1, 100 + i);
            _plant.Advance(100);
            Assert.True(other.Batches.TryRead(out mine));
            Assert.Equal(100 + i, Assert.Single(mine.Changes.ToArray()).Value.Numeric);
            mine.Dispose();
        }

        Assert.Equal((49, 0), (_stream.Skipped, other.Skipped));
        Assert.Equal([(1u, 1.0)], Read(out var skipped));
        Assert.Equal(0, skipped);
        // The room that was made brings what has waited, without a sweep.
        Assert.Equal([(1u, 150.0)], Read(out skipped));
        Assert.Equal(49, skipped);
        Assert.Equal(49, _plant.Engine.Counters.StreamSkippedValues);
    }

    [Fact]
    public void Consumer_DoesNotReadWithALongerQueue_OldestGoAndTheOverflowIsFlagged()
    {
        Add(Item(1) with { QueueSize = 3 });
        for (var i = 1; i <= 10; i++)
        {
            _plant.Advance(100);
            _plant.Set(1, 100 + i);
        }

        _plant.Advance(0);
        // Three are on their way, three wait: what lies between is lost.
        List<StreamChange> changes = ReadAll();
        Assert.Equal([1, 101, 102, 108, 109, 110], changes.Select(change => (int)change.Value.Numeric));
        Assert.Equal(3, Array.FindIndex([.. changes], change => change.Bits == NotificationBits.Overflow));
        Assert.Equal(5, _stream.Skipped);
        Assert.Equal(5, _plant.Engine.Counters.Overflows);
        changes.ForEach(change => change.Value.Release());
    }

    [Fact]
    public void Batches_LimitedInSize_NothingIsLost()
    {
        using var small = Open(new StreamOptions { IntervalMs = 100, MaxChangesPerBatch = 2, MaxBatches = 1 });
        Assert.Equal(StatusCode.Good, small.Add([Item(1), Item(2), Item(3)], out _));
        _plant.Advance(100);
        Assert.True(small.Batches.TryRead(out var first));
        Assert.False(small.Batches.TryRead(out _));
        Assert.Equal([1u, 2u], first.Changes.ToArray().Select(change => change.Handle));
        first.Dispose();
        Assert.True(small.Batches.TryRead(out var second));
        Assert.Equal(3u, Assert.Single(second.Changes.ToArray()).Handle);
        second.Dispose();
        Assert.Equal(0, small.Skipped);
    }

    [Fact]
    public void Resend_NothingChanged_EveryItemOnceMore()
    {
        Add(Item(1), Item(2));
        _plant.Advance(100);
        Read(out _);
        _plant.Set(2, 5);
        _plant.Advance(0);
        _stream.Resend();
        _plant.Advance(100);
        Assert.Equal([(2u, 5.0), (1u, 1.0)], Read(out var skipped));
        Assert.Equal(0, skipped);
    }

    [Fact]
    public void Lifetime_NothingChangesAndNobodyReads_TheStreamStays()
    {
        Add(Item(1));
        _plant.Advance(300_000);
        Assert.Equal(StatusCode.Good, _stream.Status);
        Assert.Equal(0, _plant.Engine.Counters.ExpiredSubscriptions);
        Assert.Equal([(1u, 1.0)], Read(out _));
    }

    [Fact]
    public void Subscription_OfAStream_IsNobodyElses()
    {
        var client = _plant.OpenClient(Alice);
        Assert.Equal(
            StatusCodes.BadSubscriptionIdInvalid, client.Transfer(_stream.Subscription.Id).StatusCode.Code);
        List<SubscriptionDiagnosticsDataType> diagnostics = [];
        _plant.Engine.ReadSubscriptionDiagnostics(diagnostics);
        Assert.Empty(diagnostics);
        Assert.Equal((1, 1), (_plant.Engine.Counters.Streams, _plant.Engine.Counters.Subscriptions));
    }

    private static DataChangeFilter Deadband(double width) => new()
    {
        Trigger = DataChangeTrigger.StatusValue,
        DeadbandType = (uint)DeadbandType.Absolute,
        DeadbandValue = width,
    };

    private static StreamItem Item(uint tag) => new() { Node = new NodeId(tag, 1), Handle = tag };

    private ValueStream Open(StreamOptions? options = null)
    {
        var stream = _plant.Engine.OpenStream(
            _access, Alice, options ?? new StreamOptions { IntervalMs = 100 }, out var status);
        Assert.Equal(StatusCode.Good, status);
        return stream!;
    }

    private uint[] Add(params StreamItem[] items)
    {
        Assert.Equal(StatusCode.Good, _stream.Add(items, out var results));
        Assert.All(results, result => Assert.Equal(StatusCode.Good, result.StatusCode));
        return [.. results.Select(result => result.MonitoredItemId)];
    }

    private (uint Handle, double Value)[] Read(out long skipped)
    {
        Assert.True(_stream.Batches.TryRead(out var batch));
        skipped = batch.Skipped;
        (uint, double)[] read = [.. batch.Changes.ToArray().Select(change => (change.Handle, change.Value.Numeric))];
        batch.Dispose();
        return read;
    }

    private uint ReadStatus()
    {
        Assert.True(_stream.Batches.TryRead(out var batch));
        var status = Assert.Single(batch.Changes.ToArray()).Status.Code;
        batch.Dispose();
        return status;
    }

    /// <summary>Each with a reference for the caller.</summary>
    private List<StreamChange> ReadAll()
    {
        List<StreamChange> all = [];
        while (_stream.Batches.TryRead(out var batch))
        {
            foreach (var change in batch.Changes)
            {
                change.Value.AddReference();
                all.Add(change);
            }

            batch.Dispose();
        }

        return all;
    }
}
