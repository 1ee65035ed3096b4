using Gateway.Client;
using Gateway.Client.Subscriptions;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>A connection that is lost and comes back. The fake answers at once: what a client sees during the break is
/// looked at while the connector connects again.</summary>
public sealed class UpstreamBreakTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Synchronized = 5002;
    private const int Resumed = 5062;
    private const int SubscriptionGone = 5063;

    private static readonly NodeId Objects = new(85), Speed = new("Speed", 2), Double = new(11);

    private readonly UpstreamFixture _gateway = new();
    private UpstreamConnector _connector = null!;

    private FakeUpstream Server => _gateway.Server;

    private DataValue Stored => _gateway.Values.Read(_gateway.Find("Speed"));

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Theory]
    [InlineData(ResumeKind.SameSession)]
    [InlineData(ResumeKind.Transferred)]
    public async Task Break_UpstreamRemembers_ValuesKeepTheirStatusAndRecoveredOnesFollow(ResumeKind kind)
    {
        await StartAsync();
        Notify(1);
        Server.Remembers = kind;
        List<DataValue> during = [];
        Server.OnConnect = () => during.Add(Stored);
        Server.OnRecover = () =>
        {
            during.Add(Stored);
            Notify(2);
            return 1;
        };

        Lose();

        Assert.Contains(kind.ToString(), await _gateway.Log.NextAsync(Resumed), StringComparison.Ordinal);
        Assert.All(during, value => Assert.Equal((StatusCode.Good, 1.0), (value.Status, value.Value.AsDouble())));
        Assert.Equal(2, during.Count);
        Assert.Equal(2.0, Stored.Value.AsDouble());
        var counts = _connector.Report.Counts;
        Assert.Equal(
            (kind == ResumeKind.SameSession ? 1 : 0, kind == ResumeKind.Transferred ? 1 : 0),
            (counts.Resumed, counts.Transferred));
        Assert.Equal((1, 0), (counts.RecoveredMessages, counts.Gaps));
        Assert.Equal(kind == ResumeKind.SameSession ? 1 : 2, counts.Connects);
        // The item is the one of before, and nothing was browsed again.
        Assert.Single(Server.Items);
        Assert.Equal(0, Server.Unsubscribed);
    }

    [Fact]
    public async Task Break_LongerThanTheBridge_NoCommunicationSinceTheLossThenTheLastValueAgain()
    {
        await StartAsync();
        Notify(1);
        Server.Remembers = ResumeKind.SameSession;
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        var lost = _gateway.Time.GetUtcNow().UtcDateTime;
        List<DataValue> during = [];
        Server.OnConnect = () =>
        {
            _gateway.Time.Advance(TimeSpan.FromSeconds(4.9));
            during.Add(Stored);
            _gateway.Time.Advance(TimeSpan.FromSeconds(0.2));
            during.Add(Stored);
        };
        Server.OnRecover = () =>
        {
            during.Add(Stored);
            return 0;
        };

        Server.Session!.Close();

        await _gateway.Log.NextAsync(Resumed);
        Assert.Equal(
            [StatusCodes.Good, StatusCodes.BadNoCommunication, StatusCodes.Good],
            during.Select(value => value.Status.Code));
        Assert.Equal(lost, during[1].SourceTimestamp);
        Assert.Equal((1.0, FakeUpstream.At(1)), (during[2].Value.AsDouble(), during[2].SourceTimestamp));
    }

    /// <summary>Nothing can go on after a session that has timed out.</summary>
    [Fact]
    public async Task Break_SessionTimeoutBelowTheBridge_BridgeEndsWithIt()
    {
        Server.SessionTimeout = TimeSpan.FromSeconds(2);
        await StartAsync();
        Notify(1);
        List<StatusCode> during = [];
        Server.OnConnect = () =>
        {
            _gateway.Time.Advance(TimeSpan.FromSeconds(2.1));
            during.Add(Stored.Status);
        };

        Lose();

        await _gateway.Log.NextAsync(SubscriptionGone);
        Assert.Equal([StatusCodes.BadNoCommunication], during.Select(status => status.Code));
    }

    [Fact]
    public async Task Break_ReadMeanwhile_WatchedValueKnownAtTheLossAndNothingFresher()
    {
        await StartAsync();
        Notify(1);
        Server.Remembers = ResumeKind.SameSession;
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        var (speed, lost) = (_gateway.Find("Speed"), _gateway.Time.GetUtcNow().UtcDateTime);
        List<(bool, DataValue)> during = [];
        Server.OnConnect = () =>
        {
            _gateway.Time.Advance(TimeSpan.FromSeconds(1));
            during.Add((_gateway.Source.TryRead(speed, 1_501, out var watched), watched));
            during.Add((_gateway.Source.TryRead(speed, 1_499, out var fresh), fresh));
        };

        Server.Session!.Close();

        await _gateway.Log.NextAsync(Resumed);
        Assert.All(during, read => Assert.True(read.Item1));
        Assert.Equal((StatusCode.Good, lost), (during[0].Item2.Status, during[0].Item2.ServerTimestamp));
        Assert.Equal(StatusCodes.BadNoCommunication, during[1].Item2.Status);
    }

    [Fact]
    public async Task Break_UpstreamForgot_ToldByStatusAndCountedAndMadeAnew()
    {
        await StartAsync();
        Notify(1);
        var created = NextItem();

        Lose();

        await _gateway.Log.NextAsync(SubscriptionGone);
        await created;
        Assert.Equal(StatusCodes.BadNoCommunication, Stored.Status);
        var counts = _connector.Report.Counts;
        Assert.Equal((0, 0, 1, 2), (counts.Resumed, counts.Transferred, counts.Gaps, counts.Connects));
    }

    /// <summary>Nobody knows which items the upstream has: a second one for a node would never go.</summary>
    /// <param name="failure">Of the request.</param>
    /// <param name="isClosedFirst">Whether the session has ended by then: a request may learn of it first.</param>
    [Theory]
    [InlineData(StatusCodes.BadConnectionClosed, true)]
    [InlineData(StatusCodes.BadConnectionClosed, false)]
    [InlineData(StatusCodes.BadSessionIdInvalid, false)]
    [InlineData(StatusCodes.BadTimeout, false)]
    public async Task Break_ItemsUnanswered_SubscriptionDeletedAndMadeAnewInTheSession(uint failure, bool isClosedFirst)
    {
        Server.AddVariable(Objects, new NodeId("More", 2), new Variant(1.0), Double);
        await StartAsync();
        Server.Remembers = ResumeKind.SameSession;
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        var session = Server.Session!;
        Server.OnCreateItem = () =>
        {
            Server.OnCreateItem = null;
            if (isClosedFirst)
                session.Close();
            throw new ServiceException(failure, "create");
        };

        _gateway.OnInterest(_gateway.Find("More"), true);

        await _gateway.Log.NextAsync(SubscriptionGone);
        Assert.Equal((1, 1), (Server.Unsubscribed, _connector.Report.Counts.Gaps));
        Assert.True(session.Closed.IsCompleted);
        Assert.NotSame(session, Server.Session);
    }

    /// <summary>A server may give any reason for the end. The request that waits then gets it for its answer.</summary>
    [Fact]
    public async Task Break_ServerSaysWhyAndARequestWaits_SubscriptionGoesOn()
    {
        await StartAsync(new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BrowseInterval = TimeSpan.FromSeconds(10),
        });
        Server.Remembers = ResumeKind.SameSession;
        Server.OnRequest = request =>
        {
            if (request is not BrowseRequest)
                return StatusCode.Good;
            Server.OnRequest = null;
            Server.Session!.Close(StatusCodes.BadTcpInternalError);
            return StatusCodes.BadTcpInternalError;
        };

        _gateway.Time.Advance(TimeSpan.FromSeconds(10));

        await _gateway.Log.NextAsync(Resumed);
        Assert.Equal(0, Server.Unsubscribed);
    }

    /// <summary>A request may learn of the end while a message is being handled still: its values would come behind
    /// those of the next connection, and its end would end that one.</summary>
    [Fact]
    public async Task Break_RequestLearnsOfItFirst_NothingGoesOnBeforeTheEnd()
    {
        Server.AddVariable(Objects, new NodeId("More", 2), new Variant(1.0), Double);
        await StartAsync();
        (Server.Remembers, Server.EndsLate) = (ResumeKind.SameSession, true);
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.OnCreateItem = () =>
        {
            Server.OnCreateItem = null;
            throw new ServiceException(StatusCodes.BadConnectionClosed, "create");
        };

        _gateway.OnInterest(_gateway.Find("More"), true);

        await _gateway.Log.NextAsync(SubscriptionGone);
    }

    [Fact]
    public async Task Break_OtherNamespaceOrderMeanwhile_AllAnew()
    {
        await StartAsync();
        Server.Remembers = ResumeKind.SameSession;
        Server.OnConnect = () => Server.Namespaces = ["http://opcfoundation.org/UA/", "urn:data", "urn:fake"];

        Lose();

        await _gateway.Log.NextAsync(SubscriptionGone);
        Assert.Equal(1, Server.Unsubscribed);
    }

    /// <summary>The session that was reached is gone on with at the next attempt.</summary>
    [Fact]
    public async Task Break_LostAgainWhileItRecovers_GoesOnWithTheSessionReached()
    {
        await StartAsync();
        Notify(1);
        Server.Remembers = ResumeKind.SameSession;
        var attempts = 0;
        Server.OnRecover = () =>
        {
            if (attempts++ > 0)
                return 0;
            // Without a delay, which would need fake time.
            throw new ServiceException(StatusCodes.BadConnectionClosed, "recover") { RetryAfter = TimeSpan.Zero };
        };

        Lose();
        await _gateway.Log.NextAsync(Resumed);

        Assert.Equal(2, attempts);
        Assert.Equal((StatusCode.Good, 1), (Stored.Status, _connector.Report.Counts.Resumed));
    }

    /// <summary>What it answers may be the same for ever.</summary>
    [Fact]
    public async Task Break_EachAttemptFailsInTheSession_ItIsClosedAndANewOneServes()
    {
        await StartAsync();
        Notify(1);
        Server.Remembers = ResumeKind.SameSession;
        var attempts = 0;
        Server.OnRecover = () =>
        {
            attempts++;
            throw new ServiceException(StatusCodes.BadUnexpectedError, "recover") { RetryAfter = TimeSpan.Zero };
        };
        FakeUpstreamSession? last = null;
        Server.OnConnect = () => last = Server.Session;
        var created = NextItem();

        Lose();
        await created;

        Assert.Equal((3, 2), (attempts, _connector.Report.Counts.Connects));
        Assert.True(last!.IsDisposed);
        Assert.False(last.IsAborted);
        Assert.NotSame(last, Server.Session);
    }

    [Fact]
    public async Task Break_ServerHasNoTimeAgainAndAgain_TheSameSessionGoesOn()
    {
        await StartAsync();
        Notify(1);
        Server.Remembers = ResumeKind.SameSession;
        var attempts = 0;
        Server.OnRecover = () => ++attempts > 5
            ? 0
            : throw new ServiceException(StatusCodes.BadServerTooBusy, "recover") { RetryAfter = TimeSpan.Zero };

        Lose();
        await Condition.UntilAsync(() => _connector.Report.Counts.Resumed == 1);

        Assert.Equal((6, 1), (attempts, _connector.Report.Counts.Connects));
    }

    [Fact]
    public async Task Break_EachAttemptLosesTheConnection_TheSessionIsClosedLaterAndANewOneServes()
    {
        await StartAsync();
        Server.Remembers = ResumeKind.SameSession;
        Server.OnRecover = () =>
        {
            Server.Session!.Close();
            throw new ServiceException(StatusCodes.BadConnectionClosed, "recover") { RetryAfter = TimeSpan.Zero };
        };
        var created = NextItem();

        Lose();
        await created;

        Assert.Single(Server.Closed);
        Assert.Equal(2, _connector.Report.Counts.Connects);
    }

    /// <summary>The session goes on, and its connection ends at once, again and again.</summary>
    [Fact]
    public async Task Break_EachStayIsShort_TheSessionIsClosedAndANewOneServes()
    {
        await StartAsync();
        Server.Remembers = ResumeKind.SameSession;
        Server.OnRecover = () =>
        {
            Server.Session!.Close();
            return 0;
        };

        Lose();
        await Condition.UntilAsync(() =>
        {
            _gateway.Time.Advance(TimeSpan.FromMilliseconds(100));
            return _connector.Report.Counts.Connects == 2;
        });

        Assert.True(_connector.Report.Counts.Resumed >= 5);
        Assert.Single(Server.Closed);
    }

    [Fact]
    public async Task Item_QueueHoldsTheChangesOfABreak()
    {
        await StartAsync();
        Assert.Equal(4u + (5_000 / 250), Server.Items[0].RequestedParameters.QueueSize);
    }

    /// <summary>Nobody goes on with it: it is not to stay at the upstream until its time-out.</summary>
    [Fact]
    public async Task Break_GatewayStops_SessionOfBeforeIsClosed()
    {
        await StartAsync();
        var lost = Server.Session!;
        var tried = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Server.OnConnect = () =>
        {
            tried.TrySetResult();
            throw new ServiceException(StatusCodes.BadTimeout, "connect");
        };
        Lose();
        await tried.Task.WaitAsync(Patience.Limit);

        await _connector.DisposeAsync();

        Assert.Same(lost, Assert.Single(Server.Closed));
    }

    /// <summary>Each attempt would leave one more.</summary>
    [Fact]
    public async Task Connect_SessionCannotBeUsed_ClosedAndNotOnlyLeft()
    {
        Server.RequestStatus = StatusCodes.BadOutOfMemory;
        _connector = _gateway.Start();
        await _gateway.Log.NextAsync(5004);

        Assert.True(Server.Session!.IsDisposed);
        Assert.False(Server.Session.IsAborted);
    }

    private async Task StartAsync(UpstreamOptions? options = null)
    {
        Server.AddVariable(Objects, Speed, new Variant(10.0), Double);
        _connector = _gateway.Start(options);
        await _gateway.Log.NextAsync(Synchronized);
        var created = NextItem();
        _gateway.OnInterest(_gateway.Find("Speed"), true);
        await created;
        // The answer is handled on the thread that asked, at once.
        await Condition.UntilAsync(() => _gateway.Source.Items.ActiveCount > 0);
    }

    private Task NextItem()
    {
        var created = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        Server.OnCreateItem = () => created.TrySetResult();
        return created.Task.WaitAsync(Patience.Limit);
    }

    /// <summary>After a stay that needs no pause.</summary>
    private void Lose()
    {
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.Session!.Close();
    }

    private void Notify(double value)
    {
        using var buffer = new PooledBuffer();
        var writer = new UaBinaryWriter(buffer);
        var item = new MonitoredItemNotification
        {
            ClientHandle = (uint)_gateway.Find("Speed").Index,
            Value = new DataValue(new Variant(value), default, FakeUpstream.At(1)),
        };
        new DataChangeNotification { MonitoredItems = [item] }.Encode(ref writer);
        writer.Complete();
        var changes = new DataChangeReader(new UaBinaryReader(buffer.WrittenSpan), 1, DateTime.UnixEpoch);
        _gateway.Source.Intake.OnDataChange(null!, ref changes);
    }
}
