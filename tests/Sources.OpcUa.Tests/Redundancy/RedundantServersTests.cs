using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Redundancy;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Redundancy;

/// <summary>Three servers of one set, without a connector. Source: Part 4 §6.6.2.4.</summary>
public sealed class RedundantServersTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Warm = 2, Cold = 1;

    private static readonly NodeId ServiceLevel = new(2267), RedundancySupport = new(3709), ServerUris = new(11314);

    private readonly ManualTimeProvider _time = new();
    private readonly SignallingLog _log = new();
    private readonly FakeUpstream[] _servers = [new(), new(), new()];
    private readonly RedundantConnection _connection;
    private CancellationTokenSource _ended = new();
    private Task _watching = Task.CompletedTask;

    public RedundantServersTests()
    {
        for (var i = 0; i < _servers.Length; i++)
        {
            Set(i, ServiceLevel, new Variant((byte)255));
            Set(i, RedundancySupport, new Variant(Warm));
            _servers[i].Endpoint = new EndpointDescription
            {
                Server = new ApplicationDescription { ApplicationUri = $"urn:server:{i}" },
            };
        }

        _connection = new RedundantConnection(
            "A", [.. _servers.Select((server, i) => new RedundantMember($"opc.tcp://fake{i}", server, _time))], _time,
            _log);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public async ValueTask DisposeAsync()
    {
        await _ended.CancelAsync();
        await _watching.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        _ended.Dispose();
        _log.Dispose();
    }

    [Fact]
    public async Task Watch_TheFirstFalls_TheHealthyOneAndNotTheNextOneTakesOver()
    {
        Set(1, ServiceLevel, new Variant((byte)50));
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "standby");
        Set(0, ServiceLevel, new Variant((byte)1));

        await LookAsync(0, 30);

        var why = await Assert.ThrowsAsync<ServiceException>(() => _watching.WaitAsync(Patience.Limit));
        Assert.Contains("ServiceLevel 255 against 1", why.Message, StringComparison.Ordinal);
        Assert.Same(_servers[2].Session, await ConnectAsync());
        Assert.Equal(["unused", "standby", "active"], States());
    }

    /// <summary>A standby's certificate ends unseen otherwise.</summary>
    [Fact]
    public void Certificates_OfAllServers_AreReported()
    {
        var end = DateTimeOffset.UnixEpoch;
        for (var i = 0; i < _servers.Length; i++)
            _servers[i].Certificates = [new PresentedCertificate($"{i}", end)];

        Assert.Equal(["0", "1", "2"], _connection.Certificates.Select(static one => one.Thumbprint));
    }

    [Fact]
    public async Task Watch_ABackupRefuses_IsTriedLessAndLess()
    {
        _servers[1].ConnectStatus = StatusCodes.BadUserAccessDenied;
        await ConnectAndWatchAsync();
        await StatesAsync("active", "away", "standby");

        while (_servers[1].Connects < 6)
            await LookAsync(0, 5);

        // Half of 5, 10, 20, 40 and 80 s: the rest is left to chance.
        Assert.True(_time.Elapsed > TimeSpan.FromSeconds(77));
        Assert.Equal(1, _servers[2].Connects);
    }

    [Fact]
    public async Task Watch_ABackupDoesNotAnswer_TheOthersAreLookedAt()
    {
        _servers[1].OnConnecting = NeverAnswer;

        await ConnectAndWatchAsync();

        await StatesAsync("active", "unused", "standby");
        await LookAsync(0, 5);
        await LookAsync(2, 5);
    }

    /// <summary>A line goes silent: the others are known to be there when it is seen.</summary>
    [Fact]
    public async Task Watch_TheActiveOneFallsSilent_TheOthersAreLookedAt()
    {
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "standby");
        _servers[0].Hold = new TaskCompletionSource().Task;

        for (var look = 0; look < 3; look++)
        {
            // That of the looks at the active one, and those until the next look at each of the others.
            await Condition.UntilAsync(() => _time.Timers >= 3);
            await LookAsync(1, 8);
        }

        Assert.False(_watching.IsCompleted);
    }

    [Fact]
    public async Task Connect_AfterAnotherFailure_StaysWithTheHealthyOne()
    {
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "standby");
        await EndWatchAsync();

        var session = await ConnectAsync();

        Assert.Same(_servers[0].Session, session);
        Assert.Equal(["active", "standby", "standby"], States());
    }

    [Fact]
    public async Task Lost_TheStandbyHasFallen_TheNextOneTakesOver()
    {
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "standby");
        await EndWatchAsync();
        Set(1, ServiceLevel, new Variant((byte)0));

        var resumed = await LoseAsync(0);

        Assert.Same(_servers[2].Session, resumed.Session);
        Assert.Equal(ResumeKind.New, resumed.Kind);
        Assert.True(_servers[1].Session!.IsDisposed);
    }

    /// <summary>Each server names the others alone.</summary>
    [Fact]
    public async Task ServerUriArray_WithoutTheServerItself_ItMayComeBack()
    {
        Set(0, ServerUris, Variant.FromArray(BuiltInType.String, new[] { "urn:server:1", "urn:server:2" }));
        Set(1, ServerUris, Variant.FromArray(BuiltInType.String, new[] { "urn:server:1", "urn:server:2" }));
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "standby");
        await EndWatchAsync();
        Assert.Same(_servers[1].Session, (await LoseAsync(0)).Session);
        _servers[0].ConnectStatus = default;

        Watch(_servers[1].Session!);

        await LookAsync(1, 60);
        await StatesAsync("standby", "active", "standby");
    }

    [Fact]
    public async Task Lost_TheStandbyIsDeadToo_AndComesBack_IsNotAway()
    {
        _servers[2].ConnectStatus = StatusCodes.BadConnectionRejected;
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "away");
        await EndWatchAsync();
        _servers[1].Session!.Close();

        var resumed = await LoseAsync(0);
        Watch(resumed.Session);
        await LookAsync(1, 5);

        Assert.Same(_servers[1].Session, resumed.Session);
        Assert.Equal(["away", "active", "away"], States());
    }

    [Fact]
    public async Task Lost_TheOthersDoNotAnswer_TheLostOneIsTriedBesideThem()
    {
        Set(0, RedundancySupport, new Variant(Cold));
        var session = await ConnectAsync();
        _servers[1].OnConnecting = _servers[2].OnConnecting = NeverAnswer;
        _servers[0].ConnectStatus = StatusCodes.BadConnectionRejected;
        _servers[0].Remembers = ResumeKind.SameSession;
        ((FakeUpstreamSession)session).Close();
        var resuming = _connection.ResumeAsync(session, default).AsTask();
        await Condition.UntilAsync(() => _servers[1].Connects == 1);
        _servers[0].ConnectStatus = default;

        await AdvanceUntilAsync(() => resuming.IsCompleted);

        Assert.Equal(ResumeKind.SameSession, (await resuming).Kind);
        Assert.Equal("active", States()[0]);
    }

    /// <summary>It has died since it was looked at, without closing its connection.</summary>
    [Fact]
    public async Task Lost_TheHotStandbyDoesNotAnswer_TheLostSessionGoesOn()
    {
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "standby");
        await EndWatchAsync();
        _connection.TellStandby(_servers[1].Session, 1);
        _servers[1].Hold = new TaskCompletionSource().Task;
        _servers[0].Remembers = ResumeKind.SameSession;
        var lost = _servers[0].Session!;
        lost.Close();

        var resuming = _connection.ResumeAsync(lost, default).AsTask();
        await AdvanceUntilAsync(() => resuming.IsCompleted);

        Assert.Equal(ResumeKind.SameSession, (await resuming).Kind);
        Assert.Equal(["active", "standby", "standby"], States());
    }

    [Fact]
    public async Task Lost_SilentForTwoSeconds_TheStandbyTakesOver()
    {
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "standby");
        await EndWatchAsync();
        var lost = _servers[0].Session!;
        lost.Close();
        _servers[0].OnConnecting = NeverAnswer;

        var resuming = _connection.ResumeAsync(lost, default).AsTask();
        await AdvanceUntilAsync(() => resuming.IsCompleted);

        Assert.Same(_servers[1].Session, (await resuming).Session);
        Assert.Equal(["away", "active", "standby"], States());
    }

    [Theory]
    [InlineData(-1, 255)]
    [InlineData(1, -1)]
    public async Task Watch_ALevelIsNotKnown_StaysWithTheFirst(int first, int others)
    {
        SetLevel(1, others);
        SetLevel(2, others);
        await ConnectAndWatchAsync();
        await StatesAsync("active", "standby", "standby");
        SetLevel(0, first);

        await LookAsync(0, 60);
        await LookAsync(0, 60);

        Assert.False(_watching.IsCompleted);
    }

    [Fact]
    public async Task Connect_Cancelled_NoSessionStays()
    {
        Set(0, ServiceLevel, new Variant((byte)50));
        _servers[1].OnConnecting = NeverAnswer;
        using var ending = new CancellationTokenSource();
        var connecting = _connection.ConnectAsync(ending.Token).AsTask();
        await Condition.UntilAsync(() => _servers[1].Connects == 1);

        await ending.CancelAsync();

        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => connecting);
        Assert.True(_servers[0].Session!.IsDisposed);
    }

    [Fact]
    public async Task Close_ASessionWasLeftAtTheLostOne_IsClosedThere()
    {
        var lost = await ConnectAsync();
        _servers[0].ConnectStatus = StatusCodes.BadConnectionRejected;
        ((FakeUpstreamSession)lost).Close();
        await _connection.ResumeAsync(lost, default);
        _servers[0].ConnectStatus = default;

        await _connection.CloseAsync();

        Assert.Equal([lost], _servers[0].Closed);
    }

    private string[] States() => [.. _connection.Redundancy!.Servers.Select(static one => one.State)];

    private Task StatesAsync(params string[] states) => Condition.UntilAsync(() => States().SequenceEqual(states));

    /// <summary>A server that takes the connection and says nothing until the attempt is given up.</summary>
    private static Task NeverAnswer(CancellationToken ending) => Task.Delay(Timeout.Infinite, ending);

    private async Task<IUpstreamSession> ConnectAsync() =>
        await _connection.ConnectAsync(default).AsTask().WaitAsync(Patience.Limit);

    private async Task ConnectAndWatchAsync() => Watch(await ConnectAsync());

    private void Watch(IUpstreamSession session) => _watching = _connection.WatchAsync(session, _ended.Token);

    private async Task EndWatchAsync()
    {
        await _ended.CancelAsync();
        await Assert.ThrowsAnyAsync<OperationCanceledException>(() => _watching);
        _ended.Dispose();
        (_watching, _ended) = (Task.CompletedTask, new CancellationTokenSource());
    }

    private async Task<ResumedUpstream> LoseAsync(int server)
    {
        var lost = _servers[server].Session!;
        _servers[server].ConnectStatus = StatusCodes.BadConnectionRejected;
        lost.Close();
        return await _connection.ResumeAsync(lost, default).AsTask().WaitAsync(Patience.Limit);
    }

    /// <summary>To the next look at that server.</summary>
    private async Task LookAsync(int server, int seconds)
    {
        var before = Looks(_servers[server]);
        _time.Advance(TimeSpan.FromSeconds(seconds));
        await Condition.UntilAsync(() => Looks(_servers[server]) > before || _watching.IsCompleted);
    }

    private async Task AdvanceUntilAsync(Func<bool> holds) => await Condition.UntilAsync(() =>
    {
        _time.Advance(TimeSpan.FromMilliseconds(100));
        return holds();
    });

    private static int Looks(FakeUpstream server)
    {
        lock (server.Requests)
            return server.Requests.Count;
    }

    private void SetLevel(int server, int level) =>
        Set(server, ServiceLevel, level < 0 ? default : new Variant((byte)level));

    private void Set(int server, NodeId node, Variant value)
    {
        lock (_servers[server].Requests)
            _servers[server].Attributes[(node, AttributeId.Value)] = new DataValue(value);
    }
}
