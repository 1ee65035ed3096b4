using Gateway.AddressSpace.Values;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Health;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Tests.Redundancy;

/// <summary>A server that stands by with the items. Source: Part 4 §6.6.2.4.5.5.</summary>
public sealed class HotStandbyTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Connected = 5001, StandbyWithoutItems = 5077, TookOverWithoutGap = 5078;
    private const int Hot = 3, Warm = 2;

    private static readonly NodeId Objects = new(85), Double = new(11);
    private static readonly NodeId ServiceLevel = new(2267), RedundancySupport = new(3709);

    private readonly UpstreamFixture _gateway = new();
    private readonly FakeUpstream _second = new();
    private UpstreamConnector? _connector;

    private FakeUpstream First => _gateway.Server;

    public Task InitializeAsync()
    {
        foreach (var server in new[] { First, _second })
        {
            server.AddVariable(Objects, Node("Speed"), new Variant(1.0), Double);
            server.AddVariable(Objects, Node("Level"), new Variant(1.0), Double);
            Set(server, ServiceLevel, new Variant((byte)255));
            Set(server, RedundancySupport, new Variant(Hot));
        }

        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(Hot, "auto")]
    [InlineData(5, "auto")]
    [InlineData(0, "hot")]
    public async Task Hot_TheItemsSampleAtTheStandbyAndReportNothing(int support, string mode)
    {
        SetSupport(support);
        await StartAsync(mode);
        Watch("Speed");

        await StandbyItemsAsync(1);

        var item = Assert.Single(_second.Items);
        Assert.Equal(
            (Node("Speed"), MonitoringMode.Sampling), (item.ItemToMonitor.NodeId, item.MonitoringMode));
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
        await AdvanceUntilAsync(() => Servers[1].StandbyItems == 1);

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
        var set = Assert.Single(Requests<SetMonitoringModeRequest>(_second));
        Assert.Equal(MonitoringMode.Reporting, set.MonitoringMode);
        Assert.Single(_second.Items);
        Assert.Equal(0, _connector!.Report.Counts.Gaps);
        Assert.Equal(2.0, Value("Speed").Value.AsDouble());
        Assert.Equal(StatusCode.Good, Value("Speed").Status);
        await Condition.UntilAsync(() => Servers[1].State == "active");
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
        await AdvanceUntilAsync(() => Servers[1].StandbyItems == 1);
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

    /// <summary>Items that sample along report nothing: a server that does so all the same says nothing here.
    /// </summary>
    [Fact]
    public async Task StandbyThatReports_IsNotHeard()
    {
        await StartAsync();
        Watch("Speed");
        await StandbyItemsAsync(1);
        Notify(First, "Speed", (2.0, 10));

        Notify(_second, "Speed", (66.0, 20));

        Assert.Equal(2.0, Value("Speed").Value.AsDouble());
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
        Assert.Empty(Requests<SetMonitoringModeRequest>(_second));
        await Condition.UntilAsync(() => _second.Items.Count(
            static one => one.MonitoringMode == MonitoringMode.Reporting) == 2);
    }

    private IReadOnlyList<RedundantServer> Servers => _connector!.Report.Redundancy!.Servers;

    private static NodeId Node(string name) => new(name, 2);

    private static T[] Requests<T>(FakeUpstream server)
    {
        lock (server.Requests)
            return [.. server.Requests.OfType<T>()];
    }

    private static void Set(FakeUpstream server, NodeId node, Variant value)
    {
        lock (server.Requests)
            server.Attributes[(node, AttributeId.Value)] = new DataValue(value);
    }

    private void SetSupport(int support)
    {
        foreach (var server in new[] { First, _second })
            Set(server, RedundancySupport, new Variant(support));
    }

    private void Watch(string name) => _gateway.OnInterest(_gateway.Find(name), true);

    private DataValue Value(string name) => _gateway.Values.Read(_gateway.Find(name));

    private Task StandbyItemsAsync(int count) => AdvanceUntilAsync(() => Servers[1].StandbyItems == count);

    private async Task ReadyAsync(params int[] values)
    {
        using var metrics = new UpstreamMetrics("A", isInsecure: false, _gateway.Time);
        metrics.WatchRedundancy(() => _connector!.Report.Redundancy);
        await AdvanceUntilAsync(() => values.SequenceEqual(
            metrics.MeasureStandbyReady().Select(static one => one.Value)));
    }

    private Task AdvanceUntilAsync(Func<bool> holds) => Condition.UntilAsync(() =>
    {
        _gateway.Time.Advance(TimeSpan.FromMilliseconds(500));
        return holds();
    });

    /// <summary>To the end of the next look at the servers, and of the standby's.</summary>
    private async Task LookAsync()
    {
        var before = Requests<ReadRequest>(First).Length;
        await AdvanceUntilAsync(() => Requests<ReadRequest>(First).Length > before + 4);
    }

    private async Task StartAsync(string mode = "auto")
    {
        var options = new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BackupUrls = ["opc.tcp://fake2"],
            Standby = mode,
        };
        _connector = _gateway.Start(options, new RedundantConnection(
            options.Name,
            [
                new RedundantMember(options.EndpointUrl, First, _gateway.Time),
                new RedundantMember(options.BackupUrls[0], _second, _gateway.Time),
            ],
            _gateway.Time, _gateway.Log, mode));
        await _gateway.Log.NextAsync(Connected);
        await Condition.UntilAsync(() => _connector.Report.State == SourceState.Online);
        await Condition.UntilAsync(() => _connector.Report.Redundancy!.Support.Length > 0);
        // A connection that ends sooner is not followed by the next at once.
        await LookAsync();
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
