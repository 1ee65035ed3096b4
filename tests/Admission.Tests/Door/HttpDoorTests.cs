using System.Net;
using Gateway.Admission.Door;
using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Door;

public class HttpDoorTests
{
    private const string Good = "10.0.0.1";
    private const string Abuser = "10.0.0.66";

    private readonly ManualTimeProvider _time = new();
    private readonly List<HttpPlace> _gone = [];

    private AdmissionControl Control(
        int limit = 12, int perAddress = 100, int perSecond = 1000, int perSecondPerAddress = 1000,
        int requests = 1000, bool isEnabled = true,
        int forHealth = 0) => new(
            new AdmissionLimits
            {
                MaxHttpConnections = limit,
                HttpConnectionsForHealth = forHealth,
                MaxHttpConnectionsPerAddress = perAddress,
                MaxHttpConnectionsPerSecond = perSecond,
                MaxHttpConnectionsPerSecondPerAddress = perSecondPerAddress,
                MaxHttpRequestsPerSecondPerAddress = requests,
            },
            _time, isEnabled, 200);

    private HttpPlace Arrive(AdmissionControl control, string address, out Decision decision)
    {
        HttpPlace place = null!;
        place = new HttpPlace(IPAddress.Parse(address), () => _gone.Add(place));
        decision = control.Http.Arrive(place);
        return place;
    }

    private HttpPlace LetIn(AdmissionControl control, string address)
    {
        var place = Arrive(control, address, out var decision);
        Assert.True(decision.IsAdmitted, decision.ToString());
        return place;
    }

    private HttpPlace[] LetIn(AdmissionControl control, string address, int count) =>
        [.. Enumerable.Range(0, count).Select(_ => LetIn(control, address))];

    private static long Shed(AdmissionControl control, RefusalReason reason) =>
        control.Stages.Shedded(AdmissionStage.HttpConnection, reason);

    /// <summary>Either the transport or the sender of the answer sees it first.</summary>
    [Theory]
    [InlineData(false, 1)]
    [InlineData(true, 0)]
    public void TakesNothing_ItsLateAnswerIsCountedOnce(bool senderWasFirst, long late)
    {
        var control = Control();
        var place = LetIn(control, Good);
        if (senderWasFirst)
            Assert.True(place.TrySetLate());

        control.Http.TakesNothing(place);

        Assert.Equal(late, control.Http.Late);
        Assert.False(place.TrySetLate());
        Assert.Equal(1, Shed(control, RefusalReason.WriteDeadline));
    }

    /// <summary>HTTP/2: a connection is busy as long as one of its requests is.</summary>
    [Fact]
    public void Begin_SeveralRequestsOnOneConnection_IdleBehindTheLast()
    {
        var control = Control(limit: 1);
        var place = LetIn(control, Good);
        control.Http.Begin(place, isRated: false);
        control.Http.Begin(place, isRated: false);
        control.Http.End(place);

        Assert.Equal(0, place.IdleSince);
        Arrive(control, Abuser, out var refused);
        Assert.Equal(RefusalReason.MaxConnections, refused.Reason);
        Assert.Empty(_gone);

        control.Http.End(place);
        Assert.NotEqual(0, place.IdleSince);
        LetIn(control, Abuser);
        Assert.Equal([place], _gone);
    }

    /// <summary>Six addresses keep all places busy: an orchestrator still gets its answer, and nobody else does.
    /// </summary>
    [Fact]
    public void Arrive_AllPlacesBusy_TheLastAnswerHealthAlone()
    {
        var control = Control(limit: 12, forHealth: 2);
        var busy = Enumerable.Range(1, 10).Select(i => LetIn(control, $"10.0.1.{i}")).ToArray();
        foreach (var one in busy)
            Assert.True(control.Http.Begin(one, isRated: true).IsAdmitted);

        var probe = LetIn(control, Good);
        Assert.True(control.Http.Begin(probe, isRated: false).IsAdmitted);
        control.Http.End(probe);
        var refused = control.Http.Begin(probe, isRated: true);
        control.Http.End(probe);
        Assert.Equal(RefusalReason.MaxConnections, refused.Reason);

        // Each newcomer has its chance: the oldest that waits on such a place makes room for it.
        var others = Enumerable.Range(1, 3).Select(i => LetIn(control, $"10.0.2.{i}")).ToArray();
        Assert.Equal([probe, others[0]], _gone);
        Assert.Equal(12, control.Http.Count);

        control.Http.Leave(busy[0]);
        Assert.True(control.Http.Begin(others[2], isRated: true).IsAdmitted);
        Assert.False(control.Http.Begin(others[1], isRated: true).IsAdmitted);
        control.Http.End(others[1]);
    }

    [Fact]
    public void Arrive_RequestThatYields_MakesRoomAndAnotherDoesNot()
    {
        var control = Control(limit: 2);
        var (first, second) = (LetIn(control, "10.0.1.1"), LetIn(control, "10.0.1.2"));
        control.Http.Begin(first, isRated: true);
        control.Http.Begin(second, isRated: true);
        using var yielding = new YieldingRequest(control.Http, first);
        using var later = new YieldingRequest(control.Http, second);
        yielding.Set(false);
        later.Set(false);
        Arrive(control, Good, out var refused);
        Assert.Equal(RefusalReason.MaxConnections, refused.Reason);

        later.Set(true);
        LetIn(control, Good);

        Assert.Equal([second], _gone);
        later.Dispose();
        control.Http.End(second);
        control.Http.Leave(second);
        Assert.Equal(2, control.Http.Count);
    }

    [Fact]
    public void Arrive_AndLeave_CountedAtTheSameAccountAsUaClients()
    {
        var control = Control();
        var place = LetIn(control, "::ffff:10.0.0.1");
        var account = control.Clients.Address(IPAddress.Parse(Good));

        Assert.Equal(1, control.Http.Count);
        Assert.Equal((1, 1L, 0), (account.HttpConnections, account.Attempts, account.Connections));
        control.Http.Leave(place);

        Assert.Equal(0, control.Http.Count);
        Assert.Equal(0, account.HttpConnections);
        Assert.Equal(1, control.Stages.Admitted(AdmissionStage.HttpConnection));
    }

    [Fact]
    public void Arrive_AtTheCap_OldestIdleOfTheAddressThatHoldsMostMakesRoom()
    {
        var control = Control();
        var friend = LetIn(control, "10.0.0.2");
        var flood = LetIn(control, Abuser, 9);
        LetIn(control, "10.0.0.3");
        LetIn(control, "10.0.0.4");

        LetIn(control, Good);

        Assert.Equal([flood[0]], _gone);
        Assert.DoesNotContain(friend, _gone);
        Assert.Equal(12, control.Http.Count);
        Assert.Equal(1, Shed(control, RefusalReason.Recycled));
        control.Http.Leave(flood[0]);
        Assert.Equal(12, control.Http.Count);
    }

    /// <summary>However many come from one address, those of others stay and a newcomer gets in (R41, R46).</summary>
    [Fact]
    public void Arrive_FloodOfOneAddress_MakesRoomForItselfAndForANewcomer()
    {
        var control = Control();
        var others = LetIn(control, "10.0.0.2", 2);
        var flood = LetIn(control, Abuser, 50);

        Assert.All(_gone, place => Assert.Contains(place, flood));
        Assert.Equal(10, control.Http.Count);
        LetIn(control, Good);
        Assert.DoesNotContain(_gone, others.Contains);
    }

    [Fact]
    public void Arrive_TheLastSixth_NotForAnAddressThatHoldsMoreThanASixth()
    {
        var control = Control();
        foreach (var place in LetIn(control, Abuser, 10))
            control.Http.Begin(place, isRated: true);

        Arrive(control, Abuser, out var refused);
        LetIn(control, Good, 2);
        Arrive(control, Good, out var full);

        Assert.Equal(RefusalReason.MaxConnections, refused.Reason);
        Assert.True(refused.RetryAfterMs > 0);
        Assert.DoesNotContain(_gone, place => place.Address.ToString() == Abuser);
        Assert.True(full.IsAdmitted);
        Assert.Single(_gone);
    }

    [Fact]
    public void Arrive_AllBusy_RefusedAndExplained()
    {
        var control = Control(limit: 6);
        foreach (var number in Enumerable.Range(1, 6))
            control.Http.Begin(LetIn(control, $"10.0.1.{number}"), isRated: true);

        Arrive(control, Good, out var refused);

        Assert.Equal(RefusalReason.MaxConnections, refused.Reason);
        Assert.Equal(503, ReasonTable.HttpStatusOf(refused.Reason));
        Assert.Equal(1, refused.RetryAfterSeconds);
        Assert.Empty(_gone);
        var kept = control.Decisions.Snapshot()[0];
        Assert.Equal((AdmissionStage.HttpConnection, Good), (kept.Stage, kept.Address));
        Assert.Equal(6, control.Http.RequestsUnderWay);
    }

    [Fact]
    public void Arrive_AtItsOwnCap_OwnIdleMakesRoomBusyNot()
    {
        var control = Control(perAddress: 2);
        var other = LetIn(control, Good);
        var own = LetIn(control, Abuser, 2);
        control.Http.Begin(own[0], isRated: true);

        var third = LetIn(control, Abuser);
        Assert.Equal([own[1]], _gone);
        control.Http.Begin(third, isRated: true);
        Arrive(control, Abuser, out var refused);

        Assert.Equal(RefusalReason.MaxConnectionsPerAddress, refused.Reason);
        Assert.Equal(429, ReasonTable.HttpStatusOf(refused.Reason));
        Assert.DoesNotContain(other, _gone);
    }

    [Fact]
    public void End_OfARequest_IdleAgainAndTheYoungest()
    {
        var control = Control(limit: 2);
        var first = LetIn(control, "10.0.0.2");
        var second = LetIn(control, "10.0.0.3");
        Assert.False(first.HasServed);
        control.Http.Begin(first, isRated: true);
        Assert.Equal(0, first.IdleSince);
        _time.Advance(10);
        control.Http.End(first);
        Assert.True(first.HasServed);
        Assert.Equal(_time.GetTimestamp(), first.IdleSince);

        LetIn(control, Good);

        Assert.Equal([second], _gone);
        Assert.Equal(0, control.Http.RequestsUnderWay);
    }

    [Fact]
    public void Begin_AfterItMadeRoom_NothingIsCountedTwice()
    {
        var control = Control(limit: 1);
        var first = LetIn(control, "10.0.0.2");
        LetIn(control, Good);
        control.Http.Begin(first, isRated: true);
        control.Http.End(first);
        control.Http.Leave(first);

        Assert.Equal(1, control.Http.Count);
        LetIn(control, "10.0.0.3");
        Assert.Equal(1, control.Http.Count);
    }

    /// <summary>The request comes between the choice and the end that the choice leads to (R41).</summary>
    [Fact]
    public void Begin_AfterItWasChosenToMakeRoom_TheRequestDoesNotBegin()
    {
        var control = Control(limit: 1);
        HttpPlace victim = null!;
        Decision late = default;
        victim = new HttpPlace(
            IPAddress.Parse("10.0.0.2"), () => late = control.Http.Begin(victim, isRated: false));
        Assert.True(control.Http.Arrive(victim).IsAdmitted);

        LetIn(control, Good);
        control.Http.End(victim);

        Assert.Equal(RefusalReason.Recycled, late.Reason);
        Assert.Equal(503, ReasonTable.HttpStatusOf(late.Reason));
        Assert.Equal(1, Shed(control, RefusalReason.Recycled));
        Assert.Equal((1, 0), (control.Http.Count, control.Http.RequestsUnderWay));
    }

    [Theory]
    [InlineData(1000, 2, RefusalReason.ConnectionRatePerAddress, 429)]
    [InlineData(2, 1000, RefusalReason.ConnectionRate, 503)]
    public void Arrive_TooFast_RefusedUntilATokenIsThere(
        int perSecond, int perSecondPerAddress, RefusalReason reason, int status)
    {
        var control = Control(perSecond: perSecond, perSecondPerAddress: perSecondPerAddress);
        LetIn(control, Abuser, reason == RefusalReason.ConnectionRate ? 7 : 6);

        Arrive(control, Abuser, out var refused);
        Assert.Equal(reason, refused.Reason);
        Assert.Equal(status, ReasonTable.HttpStatusOf(reason));
        Assert.Equal(1, Shed(control, reason));
        LetIn(control, Good);
        _time.Advance(500);

        LetIn(control, Abuser);
    }

    [Fact]
    public void Begin_TooManyRequestsOfAnAddress_RefusedOthersNot()
    {
        var control = Control(requests: 2);
        var place = LetIn(control, Abuser);
        var other = LetIn(control, Good);
        for (var i = 0; i < 6; i++)
        {
            Assert.True(control.Http.Begin(place, isRated: true).IsAdmitted);
            control.Http.End(place);
        }

        var refused = control.Http.Begin(place, isRated: true);
        control.Http.End(place);

        Assert.Equal(RefusalReason.RequestRatePerAddress, refused.Reason);
        Assert.Equal(429, ReasonTable.HttpStatusOf(refused.Reason));
        Assert.Equal(1, control.Stages.Shedded(AdmissionStage.Http, RefusalReason.RequestRatePerAddress));
        Assert.True(control.Http.Begin(place, isRated: false).IsAdmitted);
        Assert.True(control.Http.Begin(other, isRated: true).IsAdmitted);
    }

    [Fact]
    public void Arrive_AdmissionSwitchedOff_CapsHoldRatesDoNot()
    {
        var control = Control(perSecond: 1, perSecondPerAddress: 1, requests: 1, isEnabled: false);
        LetIn(control, Abuser, 40);

        Assert.Equal(10, control.Http.Count);
        Assert.Equal(30, _gone.Count);
    }

    [Fact]
    public void Lower_FewDescriptors_TheCapIsThat()
    {
        var control = Control();
        control.Http.Lower(100);
        Assert.Equal(12, control.Http.Limit);
        control.Http.Lower(3);
        LetIn(control, Abuser, 9);

        Assert.Equal(3, control.Http.Limit);
        Assert.InRange(control.Http.Count, 1, 3);
        control.Http.Lower(0);
        Assert.Equal(1, control.Http.Limit);
    }

    [Fact]
    public void Refusals_OfHttp_NameTheirOwnLimits()
    {
        // WriteDeadline is one limit for both doors.
        var reasons = Enum.GetValues<RefusalReason>()
            .Where(reason => RefusalLimits.IsUsual(AdmissionStage.HttpConnection, reason))
            .Where(reason => reason is not (RefusalReason.NoDescriptor or RefusalReason.WriteDeadline));

        Assert.All(reasons, reason => Assert.Contains(
            "Http", RefusalLimits.NameOf(AdmissionStage.HttpConnection, reason), StringComparison.Ordinal));
    }
}
