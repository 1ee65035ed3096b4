using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Events.Tests.Support;
using Gateway.Testing;

namespace Gateway.Events.Tests.Delivery;

/// <summary>A shard takes events before each of its cycles. A wake for each event cost more than the event.</summary>
public sealed class EventInboxTests : IDisposable
{
    private readonly EventHub _hub;
    private int _wakes;

    public EventInboxTests()
    {
        var time = new ManualTimeProvider();
        _hub = new EventHub(
            EventSample.Nodes, new ValueStore(time), new EventMaker(EventSample.Nodes, time), new EventHubLimits(),
            time);
    }

    public void Dispose() => _hub.Dispose();

    [Fact]
    public void Post_EventsThatAreTakenAtOnce_WakeNobody()
    {
        var inbox = Watch(10_000);
        for (var i = 0; i < 500; i++)
        {
            Raise(1);
            Assert.Equal(1, TakeAll(inbox));
        }

        Assert.Equal(0, _wakes);
    }

    [Theory]
    [InlineData(10_000, 63, 0)]
    [InlineData(10_000, 64, 1)]
    [InlineData(10_000, 640, 10)]
    [InlineData(10, 5, 1)]
    [InlineData(1, 1, 1)]
    public void Post_ManyThatWait_WakeTheShard(int most, int events, int wakes)
    {
        var inbox = Watch(most);
        Raise(events);
        Assert.Equal(wakes, _wakes);
        Assert.Equal(events, TakeAll(inbox));
        Assert.Equal(0, inbox.Lost);
    }

    [Fact]
    public void Post_Full_IsCountedAndToldToTheGroup()
    {
        var inbox = Watch(10);
        Raise(25);
        Assert.Equal(15, inbox.Lost);
        Assert.Equal(10, TakeAll(inbox));
        Assert.True(inbox.TryTakeLossy(out _, out var hasConditions));
        Assert.False(hasConditions);
        Assert.False(inbox.TryTakeLossy(out _, out _));
    }

    /// <summary>Many items that change in a burst must not look at all of it each (R44).</summary>
    [Fact]
    public void Read_ByManyItemsInABurst_LooksAtTheBurstOnce()
    {
        const int Burst = 1_000, Items = 500;
        var inbox = Watch(10_000);
        var filter = _hub.Take(new EventFilter { SelectClauses = [EventSample.Field("Message")] }, "test").Filter!;
        var quiet = _hub.Join(
            filter, EventSample.Nodes.Find(new NodeId(StandardIds.ObjectTypes.BaseEventType)), inbox, seesAudit: false);
        Raise(Burst);
        for (var i = 0; i < Items; i++)
        {
            Assert.Empty(_hub.Read(inbox, quiet, 0, out var last, out _));
            Assert.Equal(_hub.Raised, last);
        }

        Assert.InRange(inbox.Looked, 1, 2 * Burst);
    }

    [Fact]
    public void Read_BetweenEventsThatComeAndGo_HasWhatWaitsInOrder()
    {
        var inbox = Watch(10_000);
        Raise(3);
        Assert.True(inbox.TryTake(out var first));
        first.Fields.Release();
        Assert.Equal([2, 3], Waiting());
        Raise(1);
        Assert.True(inbox.TryTake(out var second));
        second.Fields.Release();
        Assert.Equal([3, 4], Waiting());
        Assert.Equal(2, TakeAll(inbox));
        Assert.Empty(Waiting());
        Raise(1);
        Assert.Equal([5], Waiting());
        TakeAll(inbox);

        List<long> Waiting()
        {
            var waiting = _hub.Read(inbox, first.Group, 0, out var last, out _);
            waiting.ForEach(static one => one.Fields.Release());
            // Also of one that was taken: the shard may be in the middle of it.
            Assert.Equal(_hub.Raised, last);
            return waiting.ConvertAll(static one => one.Sequence);
        }
    }

    [Fact]
    public void Read_ByAnItemThatHasSeenSome_HasThoseBehindAlone()
    {
        var inbox = Watch(10_000);
        Raise(1_000);
        Assert.True(inbox.TryTake(out var first));
        first.Fields.Release();
        Read(seen: 0, 999);
        var looked = inbox.Looked;
        Read(seen: 998, 2);
        for (var i = 0; i < 10; i++)
            Read(seen: 1_000, 0);
        Assert.Equal(looked + 2, inbox.Looked);
        TakeAll(inbox);

        void Read(long seen, int waits)
        {
            var waiting = _hub.Read(inbox, first.Group, seen, out var last, out _);
            waiting.ForEach(static one => one.Fields.Release());
            Assert.Equal(waits, waiting.Count);
            Assert.Equal(1_000, last);
        }
    }

    /// <summary>Items come and go while the shard lags, so that the queue is never empty (R43).</summary>
    [Fact]
    public void TryTake_TheLastOfAGroup_TheGroupIsForgotten()
    {
        var inbox = Watch(10_000);
        var server = EventSample.Nodes.Find(new NodeId(StandardIds.Objects.Server));
        Raise(2);
        for (var i = 0; i < 10; i++)
        {
            var filter = _hub.Take(
                new EventFilter { SelectClauses = [EventSample.Field("Message")] }, "test").Filter!;
            var group = _hub.Join(filter, server, inbox, seesAudit: false);
            _hub.Read(inbox, group, 0, out _, out _);
            Raise(1);
            _hub.Leave(group, inbox);
            _hub.Release(filter);
            for (var taken = 0; taken < 2; taken++)
            {
                Assert.True(inbox.TryTake(out var next));
                next.Fields.Release();
            }
        }

        Assert.InRange(inbox.Groups, 1, 2);
        TakeAll(inbox);
        Assert.Equal(0, inbox.Groups);
    }

    private EventInbox Watch(int most)
    {
        var inbox = _hub.OpenInbox(most, () => _wakes++);
        var verdict = _hub.Take(new EventFilter { SelectClauses = [EventSample.Field("EventId")] }, "test");
        _hub.Join(
            verdict.Filter!, EventSample.Nodes.Find(new NodeId(StandardIds.Objects.Server)), inbox, seesAudit: false);
        return inbox;
    }

    private void Raise(int count)
    {
        for (var i = 0; i < count; i++)
            _hub.Raise(_hub.Maker.Make(StandardEvents.SystemEvent, default, "test", "words", 500));
    }

    private static int TakeAll(EventInbox inbox)
    {
        var count = 0;
        for (; inbox.TryTake(out var next); count++)
            next.Fields.Release();
        return count;
    }
}
