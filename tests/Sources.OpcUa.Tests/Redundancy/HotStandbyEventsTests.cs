using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Redundancy;

/// <summary>The events of an upstream at a server that stands by. Source: Part 4 §6.6.2.4.5.5, Part 9 §5.5.7.</summary>
public sealed class HotStandbyEventsTests() : HotStandbyTest(events: true)
{
    private const int Subscribed = 5080, NoStandbyEvents = 5084;
    private const uint RefreshStart = 2787, RefreshEnd = 2788, QueueOverflow = 3035, AlarmType = 2915, PlainType = 2041;

    private static readonly NodeId Refresh = new(3875);

    private EventWatch _watch = null!;

    [Fact]
    public async Task Hot_TheStandbyQueuesEventsAndPublishesNone()
    {
        await StandByAsync();

        Assert.Equal(
            (uint)_gateway.Limits.MaxUpstreamPendingEvents,
            _second.EventItem.RequestedParameters.QueueSize);
        Assert.Equal(MonitoringMode.Reporting, _second.EventItem.MonitoringMode);
        Assert.All(_second.Subscribed, static one => Assert.False(one.PublishingEnabled));
        Assert.Equal(0, Refreshes(_second));
    }

    /// <summary>Of its queue comes what the first server has not told, and the conditions are refreshed before anything
    /// is browsed.</summary>
    [Fact]
    public async Task Lost_TheStandbyGoesOn_ItsQueueComesAndTheConditionsAreRefreshedAtOnce()
    {
        await StandByAsync();
        EventWatch.Send(First, Event(1, 10, "a"), Event(2, 11));
        Assert.Equal([1, 2], await ToldAsync(2));
        // No answer to a Browse comes.
        var browse = new TaskCompletionSource();
        _second.OnRequest = one =>
        {
            if (one is BrowseRequest)
                _second.Hold = browse.Task;
            return default;
        };

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        await Condition.UntilAsync(() => Refreshes(_second) == 1);
        var publishing = Assert.Single(Requests<SetPublishingModeRequest>(_second));
        Assert.Contains(FakeUpstreamSession.EventSubscription, publishing.SubscriptionIds!);
        EventWatch.Send(
            _second, Control(QueueOverflow, 10), Event(1, 10, "a"), Event(2, 11), Event(3, 12, "b"), Event(4, 13));
        Assert.Equal([3, 4], await ToldAsync(2));
        // "a" is gone there. The overflow was of what had been told: nothing is asked once more.
        EventWatch.Send(_second, Control(RefreshStart, 14), Event(3, 12, "b"), Control(RefreshEnd, 14));
        var gone = await _watch.NextAsync();
        Assert.Equal(("a", false), (gone[""].AsNodeId().String, gone["Retain"].AsBoolean()));
        Assert.True(_watch.IsEmpty);
        browse.SetResult();
    }

    /// <summary>EventIds of its own: then Time decides. The number of one server may be that of another event at the
    /// other one.</summary>
    [Fact]
    public async Task Lost_TheStandbyHasOtherEventIds_WhatIsNewerIsTold()
    {
        await StandByAsync();
        EventWatch.Send(First, Event(1, 10), Event(2, 11));
        await ToldAsync(2);

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        EventWatch.Send(_second, Event(7, 10), Event(8, 11), Event(1, 12), Event(2, 13));
        Assert.Equal([1, 2], await ToldAsync(2));
        Assert.True(_watch.IsEmpty);
    }

    /// <summary>One that the first server had not told, though a later one it had.</summary>
    [Fact]
    public async Task Lost_AnEventWasLate_ItIsToldWhereTheIdsAreTheSame()
    {
        await StandByAsync();
        EventWatch.Send(First, Event(1, 10), Event(3, 12));
        await ToldAsync(2);

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        EventWatch.Send(_second, Event(1, 10), Event(2, 11), Event(3, 12));
        Assert.Equal([2], await ToldAsync(1));
    }

    /// <summary>Behind the queue nothing is dropped for its Time.</summary>
    [Fact]
    public async Task Lost_TheQueueIsOver_EachEventIsTold()
    {
        await StandByAsync();
        EventWatch.Send(First, Event(1, 10));
        await ToldAsync(1);
        First.Session!.Close();
        await _gateway.Log.NextAsync(TookOverWithoutGap);

        EventWatch.Send(_second, Control(RefreshStart, 11), Control(RefreshEnd, 11), Event(2, 5));

        Assert.Equal([2], await ToldAsync(1));
    }

    /// <summary>Some servers tell all of their clients of a refresh.</summary>
    [Fact]
    public async Task Lost_TheQueueHasARefreshOfAnotherClient_NothingIsToldTwice()
    {
        await StandByAsync();
        EventWatch.Send(First, Event(1, 10), Event(2, 11), Event(3, 12));
        await ToldAsync(3);
        First.Session!.Close();
        await _gateway.Log.NextAsync(TookOverWithoutGap);

        EventWatch.Send(
            _second, Event(1, 10), Control(RefreshStart, 11), Event(2, 11), Control(RefreshEnd, 11), Event(3, 12),
            Event(4, 13));

        Assert.Equal([4], await ToldAsync(1));
    }

    [Fact]
    public async Task StandbyWithoutEvents_HasTheItemsAndIsAskedAnew()
    {
        _second.EventItemStatus = StatusCodes.BadNotSupported;
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        await _gateway.Log.NextAsync(NoStandbyEvents);
        _second.EventItemStatus = default;

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        await Condition.UntilAsync(() => Refreshes(_second) == 1);
        Assert.True(_second.Subscribed[^1].PublishingEnabled);
    }

    [Fact]
    public async Task Lost_TheStandbyDoesNotPublishEvents_TheirSubscriptionGoesAndTheyAreAskedAnew()
    {
        await StandByAsync();
        var refused = _second.EventIntake;
        _second.EventPublishingStatus = StatusCodes.BadSubscriptionIdInvalid;
        _second.Session!.HasSubscription = true;

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        await Condition.UntilAsync(() => Refreshes(_second) == 1);
        Assert.NotSame(refused, _second.EventIntake);
        Assert.True(_second.Subscribed[^1].PublishingEnabled);
        Assert.Equal(1, _second.Unsubscribed);
    }

    private static int Refreshes(FakeUpstream server) => Requests<CallRequest>(server).Count(
        static one => one.MethodsToCall![0].MethodId == Refresh);

    private async Task StandByAsync()
    {
        _watch = new EventWatch(_gateway, "", "EventId", "Time", "Retain");
        await StartAsync();
        await _gateway.Log.NextAsync(Subscribed);
        Watch("Speed");
        await StandbyItemsAsync(1);
        await AdvanceUntilAsync(() => _second.EventIntake is not null);
    }

    private async Task<List<int>> ToldAsync(int count)
    {
        List<int> told = [];
        while (told.Count < count)
            told.Add((await _watch.NextAsync())["EventId"].AsByteString()![0]);
        return told;
    }

    /// <param name="id">Its EventId.</param>
    /// <param name="second">Its Time.</param>
    /// <param name="condition">Active; null: a plain event.</param>
    private static Dictionary<string, Variant> Event(byte id, int second, string? condition = null)
    {
        var fields = new Dictionary<string, Variant>
        {
            ["EventId"] = Variant.FromByteString([id]),
            ["EventType"] = new Variant(new NodeId(condition is null ? PlainType : AlarmType)),
            ["Time"] = new Variant(FakeUpstream.At(second)),
            ["Severity"] = new Variant((ushort)500),
        };
        if (condition is not null)
        {
            fields[""] = new Variant(new NodeId(condition, 2));
            fields["Retain"] = fields["ActiveState/Id"] = new Variant(true);
        }

        return fields;
    }

    private static Dictionary<string, Variant> Control(uint type, int second) => new()
    {
        ["EventId"] = Variant.FromByteString([99]),
        ["Time"] = new Variant(FakeUpstream.At(second)),
        ["EventType"] = new Variant(new NodeId(type)),
    };
}
