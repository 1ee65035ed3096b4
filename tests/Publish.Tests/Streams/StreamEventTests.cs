using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish.Items;
using Gateway.Publish.Streams;
using Gateway.Publish.Tests.Items;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Streams;

/// <summary>Events for a consumer inside the process. Source: Part 4 §5.13.1, Part 9 §5.5.7.</summary>
public sealed class StreamEventTests : RefreshTest
{
    private readonly TestClient _access = new();

    [Fact]
    public void Add_Notifier_BringsItsEventsAsFields()
    {
        using var stream = Open();
        Report(1);
        _plant.Advance(100);
        using var batch = Read(stream);
        Assert.Equal(1, batch.Count);
        Assert.Equal(NotificationKind.Event, batch.Changes[0].Kind);
        Assert.Equal("1", NameOf(FieldsOf(batch.Changes[0])));
    }

    [Fact]
    public void Streams_WithTheSameFilter_ShareTheEncodedEvent()
    {
        using var one = Open();
        using var two = Open();
        Report(1);
        _plant.Advance(100);
        using var first = Read(one);
        using var second = Read(two);
        Assert.Same(first.Changes[0].Value, second.Changes[0].Value);
    }

    [Fact]
    public void Add_NodeWithoutEvents_IsRefused()
    {
        using var stream = _plant.Engine.OpenStream(_access, Alice, new StreamOptions { IntervalMs = 100 }, out _)!;
        stream.Add([ItemOn(new NodeId(1, 1), 100)], out var results);
        Assert.True(results[0].StatusCode.IsBad);
        Assert.Equal(0, _plant.Engine.Events.FilterCount);
    }

    [Fact]
    public void RefreshConditions_MoreThanTheQueueHolds_BringsAllBetweenStartAndEnd()
    {
        for (var number = 1; number <= 300; number++)
            Report(number);
        using var stream = Open(queueSize: 20);
        Assert.Equal(StatusCode.Good, stream.RefreshConditions());
        var told = new List<string>();
        while (told is not [.., "end"])
        {
            _plant.Advance(100);
            using var batch = Read(stream);
            told.AddRange(NamesOf(batch));
            Assert.Equal(0, batch.Skipped);
        }

        Assert.Equal(["start", .. Enumerable.Range(1, 300).Select(static one => $"{one}"), "end"], told);
        Assert.Equal(StatusCode.Good, stream.RefreshConditions());
        Assert.Equal(StatusCodes.BadRefreshInProgress, stream.RefreshConditions());
    }

    [Fact]
    public void Events_OfASlowConsumer_AreCountedAndTold()
    {
        using var stream = Open(queueSize: 10);
        for (var number = 1; number <= 25; number++)
            Report(number);
        _plant.Advance(100);
        // As many as the queue holds; the notice is one of them.
        using (var batch = Read(stream))
        {
            Assert.Equal(15, batch.Skipped);
            Assert.Equal(["overflow", .. Enumerable.Range(16, 9).Select(static one => $"{one}")], NamesOf(batch));
        }

        using var rest = Read(stream);
        Assert.Equal(0, rest.Skipped);
        Assert.Equal("25", NamesOf(rest)[0]);
    }

    [Fact]
    public void Events_OfASourceThatTheUserMayNotReceive_DoNotCome()
    {
        using var stream = Open();
        Restrict();
        _access.NoEvents.Add(_plant.Handle(Upstream));
        Report(1, source: new NodeId(Upstream, 1));
        Report(2);
        _plant.Advance(100);
        using var batch = Read(stream);
        Assert.Equal(["2"], NamesOf(batch));
    }

    /// <summary>Events that were kept for the consumer must not go again to a user who has lost the right (R16).
    /// </summary>
    [Fact]
    public void MayKeepEvents_RightOnASourceIsGone_False()
    {
        using var stream = Open();
        Restrict();
        Report(1, source: new NodeId(Upstream, 1));
        _plant.Advance(100);
        Read(stream).Dispose();
        Assert.True(stream.MayKeepEvents());
        _access.NoEvents.Add(_plant.Handle(Upstream));
        Assert.False(stream.MayKeepEvents());
    }

    /// <summary>The unread batch is dropped, and its events do not come again: so the loss is told.</summary>
    [Fact]
    public void ChangeUser_RightIsGone_UnreadEventsAreDroppedAndTheLossIsTold()
    {
        using var stream = Open();
        Restrict();
        Report(1, source: new NodeId(Upstream, 1));
        Report(2);
        _plant.Advance(100);
        var other = new TestClient();
        other.NoEvents.Add(_plant.Handle(Upstream));
        Assert.Equal(StatusCode.Good, stream.ChangeUser(other, Alice));
        _plant.Advance(200);
        using var batch = Read(stream);
        Assert.Equal(["overflow", "required"], NamesOf(batch));
    }

    [Fact]
    public void Dispose_WithEventsAndARefresh_GivesAllBack()
    {
        var stream = Open(queueSize: 10);
        for (var number = 1; number <= 50; number++)
            Report(number);
        stream.RefreshConditions();
        _plant.Advance(100);
        stream.Dispose();
        _plant.Advance(1000);
        Assert.Equal(0, _plant.Engine.Events.FilterCount);
        Assert.Equal(0, _plant.Engine.RefreshService.Open);
        Assert.Equal(0, _plant.Store.CreatedValues - _plant.Store.IdleValues - _plant.Store.DiscardedValues);
    }

    private static StreamBatch Read(ValueStream stream)
    {
        Assert.True(stream.Batches.TryRead(out var batch));
        return batch;
    }

    private static Variant[] FieldsOf(in StreamChange change)
    {
        var reader = new UaBinaryReader(change.Value.EncodedVariant);
        return reader.ReadVariant().AsArray<Variant>()!;
    }

    private static List<string> NamesOf(StreamBatch batch)
    {
        var names = new List<string>();
        foreach (ref readonly var change in batch.Changes)
            names.Add(NameOf(FieldsOf(change)));
        return names;
    }

    private static StreamItem ItemOn(NodeId node, uint queueSize) => new()
    {
        Node = node,
        Handle = 1,
        QueueSize = queueSize,
        Events = new EventFilter
        {
            SelectClauses =
                [Clause("EventId"), Clause("EventType"), Clause("BranchId"), Clause("Severity"), Clause("SourceName")],
        },
    };

    private ValueStream Open(uint queueSize = 1000)
    {
        var stream = _plant.Engine.OpenStream(_access, Alice, new StreamOptions { IntervalMs = 100 }, out _)!;
        stream.Add([ItemOn(new NodeId(StandardIds.Objects.Server), queueSize)], out var results);
        Assert.Equal(StatusCode.Good, results[0].StatusCode);
        return stream;
    }
}
