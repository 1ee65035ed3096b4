using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Redundancy;

/// <summary>Two servers that stand in for each other. Source: Part 4 §6.6.2.4.</summary>
public sealed class RedundantConnectionTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Connected = 5001;
    private const int TookOver = 5073;
    private const int Disconnected = 5003;

    private static readonly NodeId Objects = new(85), Speed = new("Speed", 2), Double = new(11);
    private static readonly NodeId ServiceLevel = new(2267), RedundancySupport = new(3709), ServerUris = new(11314);

    private readonly UpstreamFixture _gateway = new();
    private readonly FakeUpstream _second = new();
    private UpstreamConnector? _connector;

    private FakeUpstream First => _gateway.Server;

    public Task InitializeAsync()
    {
        foreach (var server in new[] { First, _second })
        {
            server.AddVariable(Objects, Speed, new Variant(server == First ? 1.0 : 2.0), Double);
            Set(server, ServiceLevel, new Variant((byte)255));
            Set(server, RedundancySupport, new Variant(0));
        }

        return Task.CompletedTask;
    }

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task FirstOutOfReach_BeginsWithTheSecond()
    {
        First.ConnectStatus = StatusCodes.BadConnectionRejected;

        await StartAsync();

        Assert.Equal(["away", "active"], States());
        Assert.Equal(2.0, (await _gateway.ReadAsync(_gateway.Find("Speed"))).Value.AsDouble());
        Assert.Equal(0, _connector!.Report.Redundancy!.Failovers);
    }

    [Theory]
    [InlineData(0, 1, 1)]
    [InlineData(1, 100, 1)]
    [InlineData(199, 200, 1)]
    [InlineData(200, 255, 0)]
    [InlineData(100, 99, 0)]
    public async Task Begin_TakesTheFirstThatIsHealthyElseTheBest(byte first, byte second, int expected)
    {
        Set(First, ServiceLevel, new Variant(first));
        Set(_second, ServiceLevel, new Variant(second));

        await StartAsync();

        Assert.Equal("active", States()[expected]);
        // Of one that is not Healthy another is kept ready.
        if (expected == 1 && second >= 200)
            Assert.True(First.Session!.IsDisposed);
    }

    [Fact]
    public async Task Lost_AndOutOfReach_TheSecondTakesOverWithTheItems()
    {
        await StartAsync();
        _gateway.OnInterest(_gateway.Find("Speed"), true);
        await Condition.UntilAsync(() => First.Items.Count == 1);
        First.ConnectStatus = StatusCodes.BadConnectionRejected;

        First.Session!.Close();

        Assert.Contains("fake2", await _gateway.Log.NextAsync(TookOver), StringComparison.Ordinal);
        await Condition.UntilAsync(() => _second.Items.Count == 1);
        Assert.Equal(Speed, _second.Items[0].ItemToMonitor.NodeId);
        Assert.Equal(["away", "active"], States());
        Assert.Equal(1, _connector!.Report.Redundancy!.Failovers);
    }

    /// <summary>It opens sessions, and nothing can be done in them.</summary>
    [Fact]
    public async Task FirstCannotBeUsed_TheSecondIs()
    {
        First.SubscribeStatus = StatusCodes.BadOutOfMemory;

        var starting = StartAsync();
        await Condition.UntilAsync(() =>
        {
            _gateway.Time.Advance(TimeSpan.FromMilliseconds(100));
            return starting.IsCompleted;
        });
        await starting;

        Assert.Equal(["away", "active"], States());
        Assert.Contains("of no use", _connector!.Report.Redundancy!.Servers[0].LastError, StringComparison.Ordinal);
        Assert.True(First.Session!.IsDisposed);
    }

    [Fact]
    public async Task Lost_AndBackAtOnce_StaysWithItsSession()
    {
        await StartAsync();
        First.Remembers = ResumeKind.SameSession;

        First.Session!.Close();

        await Condition.UntilAsync(() => _connector!.Report.Counts.Resumed == 1);
        Assert.Null(_second.Session);
    }

    [Fact]
    public async Task Lost_NobodyInReachAndThenBack_IsActiveAgainWithItsSession()
    {
        await StartAsync();
        First.Remembers = ResumeKind.SameSession;
        (First.ConnectStatus, _second.ConnectStatus) =
            (StatusCodes.BadConnectionRejected, StatusCodes.BadConnectionRejected);
        First.Session!.Close();
        await Condition.UntilAsync(() => States().SequenceEqual(["away", "away"]));

        First.ConnectStatus = default;
        await Condition.UntilAsync(() =>
        {
            _gateway.Time.Advance(TimeSpan.FromMilliseconds(100));
            return _connector!.Report.Counts.Resumed == 1;
        });

        Assert.Equal(["active", "away"], States());
        Assert.Equal(0, _connector!.Report.Redundancy!.Failovers);
    }

    [Theory]
    [InlineData(2)]
    [InlineData(3)]
    public async Task WarmOrHot_AStandbyIsReadyAndTakenOver(int support)
    {
        Set(First, RedundancySupport, new Variant(support));
        await StartAsync();
        await Condition.UntilAsync(() => States()[1] == "standby");
        var standby = _second.Session;
        First.ConnectStatus = StatusCodes.BadConnectionRejected;
        _second.ConnectStatus = StatusCodes.BadConnectionRejected;

        First.Session!.Close();

        await _gateway.Log.NextAsync(TookOver);
        await Condition.UntilAsync(() => _connector!.Report.State == SourceState.Online);
        Assert.Same(standby, _second.Session);
        Assert.Equal(["away", "active"], States());
    }

    [Fact]
    public async Task Cold_HealthyFirst_TheSecondIsLeftAlone()
    {
        Set(First, RedundancySupport, new Variant(1));
        await StartAsync();

        await LookAsync();

        Assert.Null(_second.Session);
        Assert.Equal(["active", "unused"], States());
    }

    [Theory]
    [InlineData(2)]
    [InlineData(1)]
    public async Task ServiceLevelFalls_TheOtherTakesOverAndIsTold(int support)
    {
        Set(First, RedundancySupport, new Variant(support));
        await StartAsync();
        await LookAsync(30);
        var first = First.Session!;
        Set(First, ServiceLevel, new Variant((byte)1));

        await LookAsync();

        Assert.Contains(
            "ServiceLevel 255 against 1", await _gateway.Log.NextAsync(Disconnected), StringComparison.Ordinal);
        await _gateway.Log.NextAsync(TookOver);
        await Condition.UntilAsync(() => first.IsDisposed);
        await Condition.UntilAsync(() => States()[1] == "active");
    }

    [Fact]
    public async Task HealthyButLower_StaysWithIt()
    {
        Set(First, RedundancySupport, new Variant(2));
        Set(First, ServiceLevel, new Variant((byte)200));
        await StartAsync();

        await LookAsync(30);
        await LookAsync();

        Assert.Equal(["active", "standby"], States());
        Assert.Equal(200, _connector!.Report.Redundancy!.Servers[0].ServiceLevel!.Value);
    }

    [Fact]
    public async Task StandbyOfAnotherSet_IsRefusedAndSaidSo()
    {
        Set(First, RedundancySupport, new Variant(2));
        Set(First, ServerUris, Variant.FromArray(BuiltInType.String, new[] { "urn:first", "urn:second" }));
        _second.Endpoint = new EndpointDescription
        {
            SecurityPolicyUri = _second.Endpoint.SecurityPolicyUri,
            SecurityMode = _second.Endpoint.SecurityMode,
            Server = new ApplicationDescription { ApplicationUri = "urn:stranger" },
        };
        await StartAsync();

        await Condition.UntilAsync(() => States()[1] == "away");

        Assert.Contains(
            "ServerUriArray", _connector!.Report.Redundancy!.Servers[1].LastError, StringComparison.Ordinal);
        Assert.True(_second.Session!.IsDisposed);
    }

    [Fact]
    public async Task StandbyThatIsLost_IsMadeAgain()
    {
        Set(First, RedundancySupport, new Variant(2));
        await StartAsync();
        await Condition.UntilAsync(() => States()[1] == "standby");
        var standby = _second.Session!;
        standby.Close();

        await LookAsync();

        await Condition.UntilAsync(() => _second.Session != standby && States()[1] == "standby");
        Assert.Equal([standby], _second.Closed);
    }

    [Fact]
    public async Task SessionLeftAtAServer_IsClosedBeforeTheNextOne()
    {
        await StartAsync();
        var left = First.Session!;
        First.ConnectStatus = StatusCodes.BadConnectionRejected;
        left.Close();
        await _gateway.Log.NextAsync(TookOver);
        await _gateway.Log.NextAsync(Connected);
        First.ConnectStatus = default;
        Set(_second, ServiceLevel, new Variant((byte)50));

        await LookAsync();

        await Condition.UntilAsync(() => States()[0] == "standby");
        Assert.Equal([left], First.Closed);
    }

    [Fact]
    public async Task Stop_ClosesTheStandby()
    {
        Set(First, RedundancySupport, new Variant(2));
        await StartAsync();
        await Condition.UntilAsync(() => States()[1] == "standby");

        await _connector!.DisposeAsync();

        Assert.True(_second.Session!.IsDisposed);
        Assert.True(First.Session!.IsDisposed);
    }

    /// <summary>A CloseSession takes as long as a server that does not answer.</summary>
    [Fact]
    public async Task Begin_TheLoserDoesNotEnd_TheWinnerIsUsedAtOnce()
    {
        Set(First, ServiceLevel, new Variant((byte)1));
        var closing = new TaskCompletionSource();
        First.OnDispose = closing.Task;

        await StartAsync();

        Assert.Equal("active", States()[1]);
        Assert.True(First.Session!.IsDisposed);
        // It gets no other session before that one has ended.
        Set(_second, ServiceLevel, new Variant((byte)100));
        await LookAsync();
        Assert.Equal(1, First.Connects);
        closing.SetResult();
        await Condition.UntilAsync(() =>
        {
            _gateway.Time.Advance(TimeSpan.FromSeconds(1));
            return First.Connects > 1;
        });
    }

    /// <summary>Each attempt may bring a controller nearer to locking the account.</summary>
    [Fact]
    public async Task BothRefuse_NeitherIsAskedBeforeItsTime()
    {
        await StartAsync();
        (First.ConnectStatus, _second.ConnectStatus) =
            (StatusCodes.BadIdentityTokenRejected, StatusCodes.BadIdentityTokenRejected);
        var last = First.Connects + 6;
        var since = _gateway.Time.Elapsed;
        First.Session!.Close();

        await Condition.UntilAsync(() =>
        {
            _gateway.Time.Advance(TimeSpan.FromSeconds(1));
            return First.Connects >= last;
        });

        // Between them 5, 10, 20, 40 and 80 s, each half of it at least.
        Assert.True(_gateway.Time.Elapsed - since >= TimeSpan.FromSeconds(77));
        Assert.Contains("BadIdentityTokenRejected", _connector!.Report.LastError, StringComparison.Ordinal);
    }

    private string[] States() => [.. _connector!.Report.Redundancy!.Servers.Select(static one => one.State)];

    private async Task StartAsync()
    {
        var options = new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BackupUrls = ["opc.tcp://fake2"],
        };
        _connector = _gateway.Start(options, new RedundantConnection(
            options.Name,
            [
                new RedundantMember(options.EndpointUrl, First, _gateway.Time),
                new RedundantMember(options.BackupUrls[0], _second, _gateway.Time),
            ],
            _gateway.Time, _gateway.Log));
        await _gateway.Log.NextAsync(Connected);
        await Condition.UntilAsync(() => _connector.Report.State == SourceState.Online);
        await Condition.UntilAsync(() => _connector.Report.Redundancy!.Support.Length > 0);
        // A connection that ends sooner is not followed by the next at once.
        await LookAsync(6);
    }

    /// <summary>To the end of the next look at the servers.</summary>
    private async Task LookAsync(int seconds = 5)
    {
        var active = States()[0] == "active" ? First : _second;
        var before = Looks(active);
        _gateway.Time.Advance(TimeSpan.FromSeconds(seconds));
        await Condition.UntilAsync(() => Looks(active) > before);
    }

    private static int Looks(FakeUpstream server)
    {
        lock (server.Requests)
            return server.Requests.OfType<ReadRequest>()
                .Count(static one => one.NodesToRead![0].NodeId == ServiceLevel);
    }

    private static void Set(FakeUpstream server, NodeId node, Variant value)
    {
        lock (server.Requests)
            server.Attributes[(node, AttributeId.Value)] = new DataValue(value);
    }
}
