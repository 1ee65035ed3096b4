using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Redundancy;

/// <summary>A server that stands by with the items. Source: Part 4 §6.6.2.4.5.5.</summary>
public sealed class HotStandbyTests : HotStandbyTest
{
    private const int StandbyWithoutItems = 5077;

    [Theory]
    [InlineData(Hot, "auto")]
    [InlineData(5, "auto")]
    [InlineData(0, "hot")]
    public async Task Hot_TheItemsFillTheirQueuesAtTheStandbyAndNothingIsPublished(int support, string mode)
    {
        SetSupport(support);
        await StartAsync(mode);
        Watch("Speed");

        await StandbyItemsAsync(1);

        var item = Assert.Single(_second.Items);
        Assert.Equal(
            (Node("Speed"), MonitoringMode.Reporting), (item.ItemToMonitor.NodeId, item.MonitoringMode));
        Assert.False(Assert.Single(_second.Subscribed).PublishingEnabled);
        Assert.Equal(First.Items[0].RequestedParameters.QueueSize, item.RequestedParameters.QueueSize);
        Assert.Equal(["active", "standby"], Servers.Select(static one => one.State));
        Assert.Null(Servers[0].StandbyItems);
    }

    /// <summary>What the alert asks for: how it is now, and nothing of a set that is not hot.</summary>
    [Fact]
    public async Task Metric_StandbyGoneOrNoLongerHot_SaysHowItIsNow()
    {
        await StartAsync();
        await ReadyAsync(1);

        _second.ConnectStatus = StatusCodes.BadConnectionRejected;
        _second.Session!.Close();
        await ReadyAsync(0);
        SetSupport(Warm);

        await ReadyAsync();
    }

    [Theory]
    [InlineData(Warm, "auto")]
    [InlineData(Hot, "warm")]
    [InlineData(Hot, "cold")]
    public async Task NotHot_TheOthersHaveNoItems(int support, string mode)
    {
        SetSupport(support);
        await StartAsync(mode);
        Watch("Speed");
        await Condition.UntilAsync(() => First.Items.Count == 1);

        await LookAsync();

        Assert.Empty(_second.Items);
        Assert.Equal(mode == "cold" ? "unused" : "standby", Servers[1].State);
        Assert.Null(Servers[1].StandbyItems);
    }

    [Fact]
    public async Task Standby_FollowsTheItems()
    {
        await StartAsync();
        Watch("Speed");
        Watch("Level");
        await StandbyItemsAsync(2);

        _gateway.OnInterest(_gateway.Find("Level"), false);
        await StandbyItemsAsync(1);

        Assert.Single(Requests<DeleteMonitoredItemsRequest>(_second));
    }

    [Fact]
    public async Task Lost_TheStandbyReportsAndNothingIsMadeAnew()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        Notify(First, "Speed", (2.0, 10));
        First.ConnectStatus = StatusCodes.BadConnectionRejected;

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        Assert.True(Assert.Single(Requests<SetPublishingModeRequest>(_second)).PublishingEnabled);
        Assert.Single(_second.Items);
        Assert.Equal(0, _connector!.Report.Counts.Gaps);
        Assert.Equal(2.0, Value("Speed").Value.AsDouble());
        Assert.Equal(StatusCode.Good, Value("Speed").Status);
        await Condition.UntilAsync(() => Servers[1].State == "active");
    }

    /// <summary>Of a standby that has answered, all that has to be asked is under way before the next answer: one more
    /// round trip.</summary>
    [Fact]
    public async Task Lost_TheStandbyHasAnswered_AllIsAskedAtOnce()
    {
        _second.ItemsPerSubscription = 1;
        await StartAsync();
        Watch("Speed");
        Watch("Level");
        await StandbyItemsAsync(2);
        var answers = new TaskCompletionSource();
        _second.OnRequest = one =>
        {
            if (one is SetPublishingModeRequest)
                _second.Hold = answers.Task;
            return default;
        };
        var before = Requests<IServiceRequest>(_second).Length;

        First.Session!.Close();

        await Condition.UntilAsync(() => Requests<SetPublishingModeRequest>(_second).Length > 0 &&
            Requests<IServiceRequest>(_second).Skip(before).OfType<ReadRequest>().Any(
                static one => one.NodesToRead![0].NodeId == new NodeId(StandardIds.Variables.Server_NamespaceArray)));
        answers.SetResult();
        await _gateway.Log.NextAsync(TookOverWithoutGap);
        Assert.Equal(2, Assert.Single(Requests<SetPublishingModeRequest>(_second)).SubscriptionIds!.Length);
        Assert.Equal([false, false], _second.Subscribed.Select(static one => one.PublishingEnabled));
    }

    [Fact]
    public async Task Lost_ASubscriptionIsAddedAtTheOneThatTookOver_ItPublishes()
    {
        _second.ItemsPerSubscription = 1;
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        First.Session!.Close();
        await _gateway.Log.NextAsync(TookOverWithoutGap);

        Watch("Level");

        await Condition.UntilAsync(() => _second.Items.Count == 2);
        Assert.Equal([false, true], _second.Subscribed.Select(static one => one.PublishingEnabled));
    }

    [Fact]
    public async Task Lost_TheStandbyDoesNotPublish_AllIsMadeAnew()
    {
        _second.PublishingStatus = StatusCodes.BadSubscriptionIdInvalid;
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        First.ConnectStatus = StatusCodes.BadConnectionRejected;

        First.Session!.Close();

        await AdvanceUntilAsync(() => _second.Items.Count == 2 && Servers[1].State == "active");
        Assert.True(_second.Subscribed[^1].PublishingEnabled);
        Assert.Equal(1, _connector!.Report.Counts.Gaps);
    }

    /// <summary>A server with the items is not kept waiting for one that may come back.</summary>
    [Fact]
    public async Task Lost_AndBackAtOnce_TheStandbyGoesOn()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        var connects = First.Connects;

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        Assert.Equal(1, _connector!.Report.Redundancy!.Failovers);
        Assert.Equal(connects, First.Connects);
    }

    /// <summary>The queue begins with what the first server has told.</summary>
    [Fact]
    public async Task Lost_TheQueueOfTheStandby_BringsWhatTheFirstHasNotTold()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        Notify(First, "Speed", (2.0, 10), (3.0, 11));
        var inbox = _gateway.Values.OpenInbox(100, static () => { });
        _gateway.Values.Attach(_gateway.Find("Speed"), inbox.Shard);
        First.Session!.Close();
        await _gateway.Log.NextAsync(TookOverWithoutGap);

        Notify(_second, "Speed", (1.0, 9), (2.0, 10), (3.0, 11), (4.0, 12), (5.0, 13));

        Assert.Equal([4.0, 5.0], TakeChanges(inbox));
    }

    /// <summary>The clocks of the two differ: what was dropped at last is read.</summary>
    [Fact]
    public async Task Lost_TheStandbysClockIsBehind_TheValueIsReadInTheEnd()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        Notify(First, "Speed", (2.0, 30));
        First.Session!.Close();
        await _gateway.Log.NextAsync(TookOverWithoutGap);
        _second.Attributes[(Node("Speed"), AttributeId.Value)] =
            new DataValue(new Variant(7.0), default, FakeUpstream.At(20));

        Notify(_second, "Speed", (7.0, 20));

        Assert.Equal(2.0, Value("Speed").Value.AsDouble());
        await AdvanceUntilAsync(() => Value("Speed").Value.AsDouble().Equals(7.0));
        Assert.Equal(StatusCode.Good, Value("Speed").Status);
    }

    [Fact]
    public async Task ServiceLevelFalls_TheStandbyGoesOnWithoutAGap()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        Notify(First, "Speed", (2.0, 10));
        _gateway.Time.Advance(TimeSpan.FromSeconds(30));
        var first = First.Session!;
        Set(First, ServiceLevel, new Variant((byte)1));

        await AdvanceUntilAsync(() => Servers[1].State == "active");

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        Assert.Equal(2.0, Value("Speed").Value.AsDouble());
        Assert.Single(_second.Items);
        await Condition.UntilAsync(() => first.IsDisposed);
    }

    [Fact]
    public async Task StandbyThatHasNoItem_TheNodeIsMadeThereAtTheFailover()
    {
        await StartAsync();
        _second.MaxItems = 1;
        Watch("Speed");
        await StandbyItemsAsync(1);
        Watch("Level");
        await Condition.UntilAsync(() => First.Items.Count == 2);
        await AdvanceUntilAsync(() => Requests<CreateMonitoredItemsRequest>(_second).Length >= 2);
        await StandbyItemsAsync(1);
        _second.MaxItems = 2;

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOverWithoutGap);
        // It has said that it has no room: it is asked again after a while.
        await AdvanceUntilAsync(() => _second.Items.Count == 2);
        Assert.Equal(MonitoringMode.Reporting, _second.Items[1].MonitoringMode);
    }

    [Fact]
    public async Task StandbyWithoutSubscriptions_IsWarmAndSaidSo()
    {
        _second.SubscribeStatus = StatusCodes.BadTooManySubscriptions;
        await StartAsync();
        Watch("Speed");

        Assert.Contains(
            "BadTooManySubscriptions", await _gateway.Log.NextAsync(StandbyWithoutItems), StringComparison.Ordinal);
        _second.SubscribeStatus = default;
        First.ConnectStatus = StatusCodes.BadConnectionRejected;
        First.Session!.Close();

        await Condition.UntilAsync(() => _second.Items.Count == 1 && Servers[1].State == "active");
        Assert.Equal(MonitoringMode.Reporting, _second.Items[0].MonitoringMode);
    }

    /// <summary>A server that publishes all the same says nothing here, and its queues lack what it said.</summary>
    [Fact]
    public async Task StandbyThatPublishes_IsNotHeardAndLeft()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        Notify(First, "Speed", (2.0, 10));

        Notify(_second, "Speed", (66.0, 20));

        Assert.Equal(2.0, Value("Speed").Value.AsDouble());
        await AdvanceUntilAsync(() => Servers[1].StandbyItems is null);
        Assert.Contains("publishes", await _gateway.Log.NextAsync(StandbyWithoutItems), StringComparison.Ordinal);
    }

    [Fact]
    public async Task StandbyThatFloods_IsLeft()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        var standby = _second.Session!;

        for (var i = 0; i <= _gateway.Limits.MaxUpstreamEmptyPublishes; i++)
            Notify(_second, "Speed", (66.0, 20));

        Assert.True(standby.IsAborted);
        Assert.Equal(SourceState.Online, _connector!.Report.State);
    }

    /// <summary>The answer to a change of its items did not come: nobody knows what it has.</summary>
    [Fact]
    public async Task Lost_WhileTheStandbysItemsAreInDoubt_AllIsMadeAnewThere()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        _second.Hold = new TaskCompletionSource().Task;
        Watch("Level");
        await AdvanceUntilAsync(() => Requests<CreateMonitoredItemsRequest>(_second).Length == 2);
        First.ConnectStatus = StatusCodes.BadConnectionRejected;

        First.Session!.Close();
        _second.Hold = null;

        await AdvanceUntilAsync(() => _connector!.Report.Counts.Gaps == 1);
        await Condition.UntilAsync(() => Servers[1].State == "active");
        Assert.Empty(Requests<SetPublishingModeRequest>(_second));
        await Condition.UntilAsync(() => _second.Items.Count == 3);
        Assert.True(_second.Subscribed[^1].PublishingEnabled);
    }

    private async Task ReadyAsync(params int[] values)
    {
        using var metrics = new UpstreamMetrics("A", isInsecure: false, _gateway.Time);
        metrics.WatchRedundancy(() => _connector!.Report.Redundancy);
        await AdvanceUntilAsync(() => values.SequenceEqual(
            metrics.MeasureStandbyReady().Select(static one => one.Value)));
    }

    private List<double> TakeChanges(ChangeInbox inbox)
    {
        List<double> seen = [];
        while (inbox.TryTake(out var batch))
        {
            foreach (var change in batch.Changes)
            {
                seen.Add(change.Value.Numeric);
                change.Value.Release();
            }

            inbox.Recycle(batch);
        }

        return seen;
    }

    /// <summary>In one message.</summary>
    private void Notify(FakeUpstream server, string name, params (double Value, int Second)[] values)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        new DataChangeNotification
        {
            MonitoredItems = Array.ConvertAll(values, one => new MonitoredItemNotification
            {
                ClientHandle = (uint)_gateway.Find(name).Index,
                Value = new DataValue(new Variant(one.Value), default, FakeUpstream.At(one.Second)),
            }),
        }.Encode(ref writer);
        writer.Complete();
        var changes = new DataChangeReader(new UaBinaryReader(buffer.WrittenSpan), 1, DateTime.UnixEpoch);
        server.Handler!.OnDataChange(null!, ref changes);
    }
}
