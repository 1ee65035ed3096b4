using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Events;

/// <summary>Events and conditions of an upstream on their way to the gateway's clients, and methods on their way back.
/// Source: Part 9 §4.5, §5.5.7; Part 5 §6.4.2.</summary>
public sealed class UpstreamEventsTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Resumed = 5062, Subscribed = 5080, NoEvents = 5081, Flooded = 5082, RefreshFailed = 5083;

    private static readonly NodeId Objects = new(85), Area = new("Area", 2), Pump = new("Pump", 2);
    private static readonly NodeId Refresh = new(3875), Acknowledge = new(9111);
    private static readonly DateTime Origin = FakeUpstream.At(7);

    private UpstreamFixture _gateway = null!;
    private EventWatch _watch = null!;
    private UpstreamConnector _connector = null!;

    private FakeUpstream Server => _gateway.Server;

    private int Refreshes
    {
        get
        {
            lock (Server.Requests)
                return Server.Requests.OfType<CallRequest>()
                    .Count(static one => one.MethodsToCall![0].MethodId == Refresh);
        }
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task Event_OfTheUpstream_IdsAreMappedTimeAndEventIdUntouched()
    {
        await StartAsync();
        Assert.Equal(1, Refreshes);
        Assert.Equal((uint)AttributeId.EventNotifier, Server.EventItem.ItemToMonitor.AttributeId);
        Assert.Equal(new NodeId(StandardIds.Objects.Server), Server.EventItem.ItemToMonitor.NodeId);

        _watch.Send(Alarm("hot", 1, ("SourceNode", new Variant(Pump))));

        var told = await _watch.NextAsync();
        var local = _gateway.Nodes.GetNodeId(_gateway.Find("Pump"));
        Assert.NotEqual(Pump, local);
        Assert.Equal(local, told["SourceNode"].AsNodeId());
        Assert.Equal(new NodeId("hot", local.NamespaceIndex), told[""].AsNodeId());
        Assert.Equal([1], told["EventId"].AsByteString());
        Assert.Equal(Origin, told["Time"].AsDateTime());
        Assert.Equal(_gateway.Time.GetUtcNow().UtcDateTime, told["ReceiveTime"].AsDateTime());
        var report = _gateway.Conditions.Read(retainedOnly: true).Single();
        Assert.Equal(("A", local, true), (report.Upstream, report.Source, report.Active.Id));
    }

    [Fact]
    public async Task Event_BelowAnArea_ComesToTheAreaAndTheUpstreamsObject()
    {
        await StartAsync();
        var area = _gateway.Find("Area");
        _gateway.Nodes.ReadAttribute(area, AttributeId.EventNotifier, out var notifier);
        Assert.Equal(1, notifier.AsInt64());
        _watch.Join(_gateway.Nodes.GetNodeId(area));
        _watch.Join(_gateway.Nodes.GetNodeId(_gateway.Nodes.Find(Root)));
        _watch.Send(Alarm("hot", 1, ("SourceNode", new Variant(Pump))), Alarm("cold", 2));
        List<byte> told = [];
        for (var i = 0; i < 5; i++)
            told.Add((await _watch.NextAsync())["EventId"].AsByteString()![0]);
        // The second one has no source, so it is none of the area's.
        Assert.Equal([1, 1, 1, 2, 2], told);
        Assert.True(_watch.IsEmpty);
    }

    [Fact]
    public async Task Events_AboutTheSubscription_AreNotPassedOn()
    {
        await StartAsync();
        foreach (var type in new[] { 2787u, 2788u, 2789u, 3035u })
            _watch.Send(new Dictionary<string, Variant>
            {
                ["EventId"] = Variant.FromByteString([9]),
                ["EventType"] = new Variant(new NodeId(type)),
            });
        _watch.Send(Alarm("hot", 1));
        Assert.Equal([1], (await _watch.NextAsync())["EventId"].AsByteString());
        // It is asked again, but not at once.
        Assert.Equal(1, Refreshes);
        await AdvanceUntilAsync(() => Refreshes == 2, 11);
    }

    [Fact]
    public async Task Reconnect_UpstreamForgot_WhatIsGoneIsTold()
    {
        await StartAsync();
        Bracket(() => _watch.Send(Alarm("a", 1), Alarm("b", 2), Alarm("c", 3)));
        for (var i = 0; i < 3; i++)
            await _watch.NextAsync();

        Lose();

        await _gateway.Log.NextAsync(Subscribed);
        await Condition.UntilAsync(() => Refreshes == 2);
        Bracket(() => _watch.Send(Alarm("a", 1), Alarm("c", 3)));
        var gone = await _watch.NextAsync();
        // Some may have been told as without communication before.
        while (gone["Retain"].AsBoolean())
            gone = await _watch.NextAsync();
        Assert.Equal("b", gone[""].AsNodeId().String);
        Assert.True(_watch.IsEmpty);
        Assert.All(_gateway.Conditions.Read(retainedOnly: true), static one => Assert.True(one.Quality.IsGood));
        Assert.Equal(2, _gateway.Conditions.Read(retainedOnly: true).Count);
    }

    [Fact]
    public async Task Away_LongerThanTheBridge_EachIsToldOnceAndGoodAgainWhenItIsBack()
    {
        await StartAsync();
        _watch.Send(Alarm("a", 1), Alarm("b", 2));
        await _watch.NextAsync();
        await _watch.NextAsync();
        Server.ConnectStatus = StatusCodes.BadConnectionRejected;
        Lose();
        await Condition.UntilAsync(() => _gateway.Source.Link is null);
        Assert.True(_watch.IsEmpty);
        var first = _watch.NextAsync();
        await AdvanceUntilAsync(() => first.IsCompleted, 1);
        foreach (var told in new[] { await first, await _watch.NextAsync() })
            Assert.Equal(StatusCodes.BadNoCommunication, told["Quality"].AsStatusCode().Code);
        Server.ConnectStatus = default;
        await AdvanceUntilAsync(() => Refreshes == 2, 5);
        Bracket(() => _watch.Send(Alarm("a", 1), Alarm("b", 2)));
        foreach (var told in new[] { await _watch.NextAsync(), await _watch.NextAsync() })
            Assert.Equal(StatusCodes.Good, told["Quality"].AsStatusCode().Code);
    }

    [Fact]
    public async Task Break_SubscriptionGoesOn_NothingIsAskedAgain()
    {
        await StartAsync();
        Bracket(() => _watch.Send(Alarm("a", 1)));
        await _watch.NextAsync();
        await Condition.UntilAsync(() => Server.EventIntake!.IsIdle);
        var item = Server.EventItem;
        (Server.Remembers, Server.Session!.HasSubscription) = (ResumeKind.SameSession, true);
        Server.EventHandler!.OnStatusChange(null!, StatusCodes.BadConnectionClosed); // The connection's end.
        Lose();
        await _gateway.Log.NextAsync(Resumed);
        _watch.Send(Alarm("a", 2));
        Assert.Equal([2], (await _watch.NextAsync())["EventId"].AsByteString());
        Assert.Equal((1, 0, item), (Refreshes, Server.Unsubscribed, Server.EventItem));
    }

    [Fact]
    public async Task Refresh_NeverEnds_IsGivenUpAndNothingIsGone()
    {
        await StartAsync();
        _watch.Send(Alarm("a", 1));
        await _watch.NextAsync();
        Lose();
        await _gateway.Log.NextAsync(Subscribed);
        await Condition.UntilAsync(() => Refreshes == 2);
        var failed = _gateway.Log.NextAsync(RefreshFailed);
        await AdvanceUntilAsync(() => failed.IsCompleted, 10);
        Assert.Contains("BadTimeout", await failed, StringComparison.Ordinal);
        Assert.Equal(1, Met(UpstreamBound.MaxUpstreamRefreshTime));
        // An end that comes now is nobody's.
        _watch.Send(Control(2788), Alarm("b", 2));
        while ((await _watch.NextAsync())[""].AsNodeId().String != "b")
        {
            // Without communication, meanwhile.
        }

        Assert.Equal(2, _gateway.Conditions.Read(retainedOnly: true).Count);
    }

    /// <summary>A loss must never become the end of an alarm.</summary>
    [Fact]
    public async Task Refresh_AnEventOfItIsLost_NothingIsGone()
    {
        await StartAsync(new UpstreamLimits { MaxUpstreamEventBytes = 2_000 });
        Bracket(() => _watch.Send(Alarm("a", 1)));
        await _watch.NextAsync();
        await NewRefreshAsync();

        Bracket(() => _watch.Send(Alarm("a", 2, ("SourceName", new Variant(new string('x', 5_000))))));
        _watch.Send(Alarm("b", 3));

        await UntilToldAsync("b");
        Assert.Equal(2, _gateway.Conditions.Read(retainedOnly: true).Count);
        // It is asked again.
        await AdvanceUntilAsync(() => Refreshes == 3, 21);
    }

    /// <summary>Of a refresh that was given up, or of another client's.</summary>
    [Fact]
    public async Task Refresh_AnEndWithoutItsStart_NothingIsGone()
    {
        await StartAsync();
        Bracket(() => _watch.Send(Alarm("a", 1)));
        await _watch.NextAsync();
        await NewRefreshAsync();

        _watch.Send(Control(2788), Alarm("b", 3));

        await UntilToldAsync("b");
        Assert.Equal(2, _gateway.Conditions.Read(retainedOnly: true).Count);
    }

    /// <summary>The upstream's Server object is not the gateway's, and has not its rights (R36).</summary>
    [Fact]
    public async Task Event_OfTheUpstreamsServerObject_GoesByTheRightsOnTheUpstream()
    {
        await StartAsync();

        _watch.Send(Alarm("a", 1, ("SourceNode", new Variant(new NodeId(2253)))));

        await _watch.NextAsync();
        Assert.Equal(Root, _gateway.Conditions.Read(retainedOnly: true).Single().Source);
    }

    /// <summary>Each type is looked at once.</summary>
    [Fact]
    public async Task Types_InACircle_EventsComeAllTheSame()
    {
        var (a, b) = (new NodeId("TypeA", 2), new NodeId("TypeB", 2));
        await StartAsync(before: server =>
        {
            server.Add(new NodeId(2041), a, NodeClass.ObjectType, 45);
            server.Add(a, b, NodeClass.ObjectType, 45);
            server.Add(b, a, NodeClass.ObjectType, 45);
        });

        _watch.Send(Alarm("hot", 1));

        Assert.Equal([1], (await _watch.NextAsync())["EventId"].AsByteString());
    }

    [Fact]
    public async Task Refresh_UpstreamHasNone_EventsComeAndAlarmsOfBeforeAreUncertain()
    {
        await StartAsync(onCall: static _ => StatusCodes.BadMethodInvalid);
        Assert.Contains("BadMethodInvalid", await _gateway.Log.NextAsync(RefreshFailed), StringComparison.Ordinal);
        _watch.Send(Control(2789), Alarm("a", 1));
        await _watch.NextAsync();
        Assert.Equal(1, Refreshes);
        Lose();
        await _gateway.Log.NextAsync(RefreshFailed);
        var known = Assert.Single(_gateway.Conditions.Read(retainedOnly: true));
        Assert.Equal((StatusCodes.Uncertain, true), (known.Quality.Code, known.Retain));
    }

    [Fact]
    public async Task Events_Flood_AreNotTakenForAWhileAndValuesGoOn()
    {
        await StartAsync(new UpstreamLimits { MaxUpstreamEventsPerSecond = 10 });
        _watch.Send([.. Enumerable.Range(0, 50).Select(static i => Alarm("a", (byte)i))]);
        for (var i = 0; i < 50; i++)
            await _watch.NextAsync();
        _watch.Send(Alarm("a", 99));
        await _gateway.Log.NextAsync(Flooded);
        await Condition.UntilAsync(() => Server.Unsubscribed == 1);
        Assert.Equal(1, Met(UpstreamBound.MaxUpstreamEventsPerSecond));
        Assert.False(Server.Session!.IsAborted);
        Assert.True(_watch.IsEmpty);
        var again = _gateway.Log.NextAsync(Subscribed);
        await AdvanceUntilAsync(() => again.IsCompleted, 10);
        await Condition.UntilAsync(() => Refreshes == 2);
        _watch.Send(Alarm("a", 100));
        Assert.Equal([100], (await _watch.NextAsync())["EventId"].AsByteString());
    }

    [Theory]
    [InlineData(UpstreamBound.MaxUpstreamEventBytes)]
    [InlineData(UpstreamBound.MaxUpstreamPendingEvents)]
    [InlineData(UpstreamBound.MaxUpstreamPendingEventBytes)]
    public async Task Event_MeetsABound_IsLostCountedAndMadeGoodByARefresh(UpstreamBound bound)
    {
        await StartAsync(new UpstreamLimits
        {
            MaxUpstreamEventBytes = bound == UpstreamBound.MaxUpstreamEventBytes ? 2_000 : 100_000,
            MaxUpstreamPendingEvents = bound == UpstreamBound.MaxUpstreamPendingEvents ? 0 : 10,
            MaxUpstreamPendingEventBytes = bound == UpstreamBound.MaxUpstreamPendingEventBytes ? 15_000 : 1_000_000,
        });
        _watch.Send(Alarm("a", 1, ("SourceName", new Variant(new string('x', 5_000)))));
        Assert.Equal(1, Met(bound));
        await AdvanceUntilAsync(() => Refreshes == 2, 11);
        Assert.True(_watch.IsEmpty);
        Assert.Equal(1, _connector.Report.Counts.RefusedEvents);
    }

    [Theory]
    [InlineData(UpstreamBound.MaxUpstreamConditions)]
    [InlineData(UpstreamBound.MaxUpstreamConditionBytes)]
    public async Task Condition_FindsNoRoom_IsToldAndCounted(UpstreamBound bound)
    {
        await StartAsync(new UpstreamLimits
        {
            MaxUpstreamConditions = bound == UpstreamBound.MaxUpstreamConditions ? 1 : 10,
            MaxUpstreamConditionBytes = bound == UpstreamBound.MaxUpstreamConditionBytes ? 10_000 : 1_000_000,
        });
        _watch.Send(Alarm("a", 1));
        _watch.Send(Alarm("b", 2, ("SourceName", new Variant(new string('x', 5_000)))));
        await _watch.NextAsync();
        await _watch.NextAsync();
        await Condition.UntilAsync(() => Met(bound) == 1);
        Assert.Single(_gateway.Conditions.Read(retainedOnly: true));
    }

    [Fact]
    public async Task Event_FieldsOfWrongTypes_StandAsTypeMismatch()
    {
        await StartAsync();
        var strange = Alarm(
            "a", 1, ("Severity", new Variant("high")), ("Message", new Variant(7)), ("Retain", new Variant(1.5)),
            ("SourceNode", new Variant(new NodeId("x", 60_000))));
        _watch.Send(
            strange, new() { ["EventType"] = new Variant(new NodeId(2041)) },
            new() { ["EventId"] = Variant.FromByteString([5]) },
            Alarm("b", 6, ("", new Variant(new NodeId("b", 60_000)))), Alarm("c", 7));
        var told = await _watch.NextAsync();
        Assert.Equal(StatusCodes.BadTypeMismatch, told["Severity"].AsStatusCode().Code);
        Assert.Equal(StatusCodes.BadTypeMismatch, told["Retain"].AsStatusCode().Code);
        Assert.Equal(StatusCodes.BadNodeIdUnknown, told["SourceNode"].AsStatusCode().Code);
        // Those without an EventId, a type, or a condition that can be named.
        Assert.Equal([7], (await _watch.NextAsync())["EventId"].AsByteString());
        Assert.Equal(3, _connector.Report.Counts.RefusedEvents);
        var strangeOne = _gateway.Conditions.Read(retainedOnly: false).Single(static one => one.EventId is [1]);
        Assert.Equal(0, strangeOne.Severity);
    }

    [Fact]
    public async Task Event_TypeThatTheGatewayDoesNotKnow_CountsAsTheNearestAndKeepsItsId()
    {
        await StartAsync();
        _watch.Send(Alarm("a", 1, ("EventType", new Variant(new NodeId(77, 2)))));
        var told = await _watch.NextAsync();
        Assert.Equal(77u, told["EventType"].AsNodeId().Numeric);
        Assert.True(told["ActiveState/Id"].AsBoolean());
    }

    /// <summary>R36: only the upstream knows its type, which is no node here; the field tells what it is.</summary>
    [Fact]
    public async Task Event_AuditOfATypeThatIsNotKnown_IsForThoseWhoMayReadTheAuditTrail()
    {
        await StartAsync();
        var audit = Control(77);
        audit["EventType"] = new Variant(new NodeId(77, 2));
        audit["ActionTimeStamp"] = new Variant(Origin);
        _watch.Send(audit, Alarm("hot", 3));
        Assert.Equal([3], (await _watch.NextAsync())["EventId"].AsByteString());
        Assert.True(_watch.IsEmpty);
    }

    [Fact]
    public async Task Call_Condition_GoesOnWithTheUpstreamsIdsAndTheCallersName()
    {
        await StartAsync();
        _watch.Send(Alarm("hot", 1));
        var id = (await _watch.NextAsync())[""].AsNodeId();
        var call = new ForwardedCall(
            id, Acknowledge, [Variant.FromByteString([1]), new Variant(new LocalizedText("ok"))], "anna",
            "user:anna");
        Server.OnCall = static _ => StatusCodes.BadConditionBranchAlreadyAcked;
        var target = _gateway.Conditions.Find(id, [1])!.Value;
        var result = await target.CallAsync(call, default);
        Assert.Equal(StatusCodes.BadConditionBranchAlreadyAcked, result.StatusCode.Code);
        var sent = Server.Requests.OfType<CallRequest>().Last();
        Assert.Equal("anna", sent.RequestHeader.AuditEntryId);
        var method = sent.MethodsToCall![0];
        Assert.Equal((new NodeId("hot", 2), Acknowledge), (method.ObjectId, method.MethodId));
        Assert.Equal([1], method.InputArguments![0].AsByteString());

        var before = Server.Requests.Count;
        Server.ConnectStatus = StatusCodes.BadConnectionRejected;
        Lose();
        await Condition.UntilAsync(() => _gateway.Source.Link is null);
        Assert.Equal(StatusCodes.BadNoCommunication, (await target.CallAsync(call, default)).StatusCode.Code);
        Assert.Equal(before, Server.Requests.Count);
    }

    [Theory]
    [InlineData(0), InlineData(StatusCodes.BadServiceUnsupported)]
    public async Task Item_UpstreamRefusesEvents_ValuesAreServedAllTheSame(uint deletion)
    {
        await StartAsync(status: StatusCodes.BadNotSupported, before: server => server.UnsubscribeStatus = deletion);
        Assert.Contains("BadNotSupported", await _gateway.Log.NextAsync(NoEvents), StringComparison.Ordinal);
        await Condition.UntilAsync(() => Server.Unsubscribed == 1);
        Assert.NotNull(_gateway.Source.Link);
        Assert.Equal(1, Server.Connects);
        var fewer = (EventFilter)Server.EventItem.RequestedParameters.Filter.Body!;
        Assert.Equal(MirroredFields.LeastCount, fewer.SelectClauses!.Length);
    }

    [Fact]
    public async Task Fields_MoreThanTheLimit_TheFirstOnesAreAskedFor()
    {
        await StartAsync(new UpstreamLimits { MaxUpstreamEventFields = 40 });
        var filter = (EventFilter)Server.EventItem.RequestedParameters.Filter.Body!;
        Assert.Equal(40, filter.SelectClauses!.Length);
        Assert.Equal(1, Met(UpstreamBound.MaxUpstreamEventFields));
    }

    private NodeId Root => new("A", (ushort)_gateway.Nodes.Namespaces.GetOrAdd("urn:gateway:upstreams"));

    private long Met(UpstreamBound bound) =>
        _connector.Report.Bounds.Where(one => one.Limit == bound.ToString()).Sum(static one => one.Count);

    private async Task StartAsync(
        UpstreamLimits? limits = null, StatusCode status = default, Func<CallMethodRequest, StatusCode>? onCall = null,
        Action<FakeUpstream>? before = null)
    {
        _gateway = new UpstreamFixture(limits, events: true);
        _watch = new EventWatch(
            _gateway, "", "EventId", "EventType", "SourceNode", "Time", "ReceiveTime", "Severity", "Retain",
            "ActiveState/Id", "Quality");
        Server.Add(Objects, Area, NodeClass.Object, 35, 61);
        Server.Add(Area, Pump, NodeClass.Object, 36, 58);
        Server.Attributes[(Area, AttributeId.EventNotifier)] = new DataValue(new Variant((byte)1));
        before?.Invoke(Server);
        Server.EventItemStatus = status;
        Server.OnCall = onCall ?? (static _ => StatusCode.Good);
        _connector = _gateway.Start();
        if (status.IsBad)
            return;
        await _gateway.Log.NextAsync(Subscribed);
        await Condition.UntilAsync(() => Refreshes == 1);
    }

    private static Dictionary<string, Variant> Alarm(string name, byte id, params (string Path, Variant Value)[] more)
    {
        var fields = new Dictionary<string, Variant>
        {
            [""] = new Variant(new NodeId(name, 2)),
            ["EventId"] = Variant.FromByteString([id]),
            ["EventType"] = new Variant(new NodeId(2915)),
            ["Time"] = new Variant(Origin),
            ["ReceiveTime"] = new Variant(Origin),
            ["Severity"] = new Variant((ushort)500),
            ["Retain"] = new Variant(true),
            ["ActiveState/Id"] = new Variant(true),
            ["Quality"] = new Variant(StatusCode.Good),
        };
        foreach (var (path, value) in more)
            fields[path] = value;
        return fields;
    }

    private static Dictionary<string, Variant> Control(uint type) => new()
    {
        ["EventId"] = Variant.FromByteString([9]),
        ["EventType"] = new Variant(new NodeId(type)),
    };

    private void Bracket(Action send)
    {
        _watch.Send(Control(2787));
        send();
        _watch.Send(Control(2788));
    }

    /// <summary>The upstream is back and has been asked once more.</summary>
    private async Task NewRefreshAsync()
    {
        var before = Refreshes;
        Lose();
        await _gateway.Log.NextAsync(Subscribed);
        await Condition.UntilAsync(() => Refreshes == before + 1);
    }

    private async Task UntilToldAsync(string name)
    {
        while ((await _watch.NextAsync())[""].AsNodeId().String != name)
        {
            // Without communication, meanwhile.
        }
    }

    /// <summary>After a stay that needs no pause.</summary>
    private void Lose()
    {
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.Session!.Close();
    }

    /// <summary>The timers that are waited for may begin at any moment.</summary>
    private Task AdvanceUntilAsync(Func<bool> isSo, int seconds) => Condition.UntilAsync(() =>
    {
        if (isSo())
            return true;
        _gateway.Time.Advance(TimeSpan.FromSeconds(seconds));
        return false;
    });
}
