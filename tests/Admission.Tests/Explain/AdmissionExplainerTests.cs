using System.Net;
using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Explain;

public sealed class AdmissionExplainerTests
{
    private static readonly Dictionary<string, object> Limits = new()
    {
        ["MaxSessions"] = 12_000,
        ["MaxConnections"] = 13_000,
        ["DoorPatience"] = TimeSpan.FromSeconds(4),
    };

    private readonly ManualTimeProvider _time = new();
    private readonly AdmissionControl _control;
    private readonly AdmissionExplainer _explainer;

    public AdmissionExplainerTests()
    {
        _control = new AdmissionControl(new AdmissionLimits(), _time, true, 200);
        _explainer = new AdmissionExplainer(_control, Limits);
    }

    [Fact]
    public void Report_Nothing_EmptyAndWithoutAdvice()
    {
        var report = _explainer.Report();

        Assert.Equal(Enum.GetValues<AdmissionStage>(), report.Stages.Select(stage => stage.Stage));
        Assert.All(report.Stages, stage => Assert.Equal(0, stage.LastFiveMinutes.Admitted));
        Assert.Empty(report.Certificates);
        Assert.Empty(report.Addresses);
        Assert.Empty(report.Advice);
        Assert.Null(MinuteSummary.Of(report));
    }

    /// <summary>As on a host with few descriptors.</summary>
    [Fact]
    public void LimitOf_StageEnforcesLessThanConfigured_TheEnforcedOne()
    {
        Assert.Equal(13_000, _explainer.LimitOf(AdmissionStage.Connection, RefusalReason.MaxConnections)!.Value.Value);
        _control.Stages.Describe(AdmissionStage.Connection, 500, () => 500);
        _control.Stages.Shed(AdmissionStage.Connection, RefusalReason.MaxConnections);
        _explainer.Tick();

        Assert.Equal(500, _explainer.LimitOf(AdmissionStage.Connection, RefusalReason.MaxConnections)!.Value.Value);
        Assert.Contains(
            "the process's descriptor limit (LimitNOFILE, ulimit -n, the container's nofile): it lowers "
            + "`Limits:MaxConnections` from 13,000 to 500", Assert.Single(_explainer.Report().Advice).Text,
            StringComparison.Ordinal);
        _control.Stages.Describe(AdmissionStage.Connection, 20_000, () => 500);
        Assert.Equal(13_000, _explainer.LimitOf(AdmissionStage.Connection, RefusalReason.MaxConnections)!.Value.Value);
    }

    /// <summary>A page of refusals asks for each of them.</summary>
    [Fact]
    public void LimitOf_AskedAgain_MakesNoTable()
    {
        Assert.True(Allocations.Least(() => Allocated(100)) < 100 * 200);

        long Allocated(int times)
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < times; i++)
                _explainer.LimitOf(AdmissionStage.Connection, RefusalReason.MaxConnections);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        }
    }

    [Fact]
    public void Report_FlowsOfOneAndFiveMinutes_ByTheirTime()
    {
        Admit(3);
        Run(TimeSpan.FromMinutes(2));
        Admit(5);
        Run(TimeSpan.FromSeconds(30));
        _control.Stages.Shed(AdmissionStage.Open, RefusalReason.GaveUp);

        var open = _explainer.Report().Stages[(int)AdmissionStage.Open];

        Assert.Equal(5, open.LastMinute.Admitted);
        Assert.Equal(TimeSpan.FromMinutes(1), open.LastMinute.Over);
        Assert.Equal(8, open.LastFiveMinutes.Admitted);
        Assert.Equal(TimeSpan.FromSeconds(150), open.LastFiveMinutes.Over);
        Assert.Equal(
            [new KeyValuePair<RefusalReason, long>(RefusalReason.GaveUp, 1)], open.LastMinute.Shed);
        Assert.Equal(1, open.LastMinute.Refused);
    }

    [Fact]
    public void Report_AfterFiveMinutes_OldFlowsForgotten()
    {
        Admit(3);
        _control.Stages.Shed(AdmissionStage.CreateSession, RefusalReason.MaxSessions);
        Run(TimeSpan.FromMinutes(5) + AdmissionExplainer.TickInterval);

        var report = _explainer.Report();

        Assert.Equal(0, report.Stages[(int)AdmissionStage.Open].LastFiveMinutes.Admitted);
        Assert.Empty(report.Advice);
        Assert.Equal(TimeSpan.FromMinutes(5), report.Stages[0].LastFiveMinutes.Over);
    }

    [Fact]
    public void Advice_SessionCap_NamesKeyAndValue()
    {
        for (var i = 0; i < 7; i++)
            _control.Refuse(AdmissionStage.CreateSession, RefusalReason.MaxSessions, "127.0.0.9", null, null);

        var advice = Assert.Single(_explainer.Report().Advice);

        Assert.Equal(AdmissionStage.CreateSession, advice.Stage);
        Assert.Equal("MaxSessions", advice.LimitName);
        Assert.Equal(
            "7 refused at create_session in the last five minutes: raise `Limits:MaxSessions` above 12,000, or find "
            + "the client that leaves sessions open", advice.Text);
    }

    [Fact]
    public void Advice_RestlessClient_NamedWithSubjectAndAddress()
    {
        Reconnect("AA11", "CN=Historian 3", "127.0.0.9", 40);
        Reconnect("BB22", "CN=Panel", "127.0.0.8", 1);

        var report = _explainer.Report();

        Assert.Equal(["AA11", "BB22"], report.Certificates.Select(client => client.Key));
        Assert.Equal(40, report.Certificates[0].AttemptsLastMinute);
        var advice = Assert.Single(report.Advice);
        Assert.StartsWith("client CN=Historian 3 (127.0.0.9) reconnects 40 times a minute", advice.Text);
    }

    [Fact]
    public void Advice_ManyCertificatesBehindOneAddress_NoReproach()
    {
        for (var i = 0; i < 300; i++)
            Reconnect($"C{i}", "CN=Client", "127.0.0.7", 1);

        var report = _explainer.Report();

        Assert.Equal(300, Assert.Single(report.Addresses).VerifiedCertificates);
        Assert.Empty(report.Advice);
    }

    [Fact]
    public void Advice_AddressWithoutCertificates_Named()
    {
        var address = _control.Clients.Address(IPAddress.Parse("127.0.0.66"));
        for (var i = 0; i < 90; i++)
            address.Attempted();

        Assert.StartsWith(
            "address 127.0.0.66 connects 90 times a minute with 0 certificates",
            Assert.Single(_explainer.Report().Advice).Text);
    }

    [Fact]
    public void Advice_FalseClaims_AddressNamed()
    {
        var address = _control.Clients.Address(IPAddress.Parse("127.0.0.66"));
        address.Attempted();
        address.Lied(1);

        Assert.StartsWith(
            "address 127.0.0.66 named 1 certificates that it could not sign for",
            Assert.Single(_explainer.Report().Advice).Text);
    }

    [Fact]
    public void Clients_Quiet_ForgottenAfterFiveMinutesAndCountedRightlyAgain()
    {
        Reconnect("AA11", "CN=A", "127.0.0.9", 40);
        Run(TimeSpan.FromMinutes(2));
        var afterTwo = Assert.Single(_explainer.Report().Certificates);
        Run(TimeSpan.FromMinutes(4));
        var afterSix = _explainer.Report().Certificates;
        Reconnect("AA11", "CN=A", "127.0.0.9", 2);
        var again = Assert.Single(_explainer.Report().Certificates);

        Assert.Equal((0, 40), (afterTwo.AttemptsLastMinute, afterTwo.AttemptsLastFiveMinutes));
        Assert.Empty(afterSix);
        Assert.Equal((2, 2), (again.AttemptsLastMinute, again.AttemptsLastFiveMinutes));
    }

    [Fact]
    public void Clients_HostileSubject_CleanedAndCut()
    {
        Reconnect("AA11", "CN=x\r\n2026 error: \u001b[31m\u202eevil" + new string('y', 500), "127.0.0.9", 40);

        var report = _explainer.Report();
        var subject = report.Certificates[0].Subject!;

        Assert.Equal(160, subject.Length);
        Assert.DoesNotContain(subject, character => char.IsControl(character) || character == '\u202e');
        Assert.DoesNotContain('\n', report.Advice[0].Text);
    }

    [Fact]
    public void Summary_Refusals_OneLine()
    {
        for (var i = 0; i < 1_234; i++)
            _control.Stages.Shed(AdmissionStage.Connection, RefusalReason.WaitedTooLong);
        _control.Stages.Shed(AdmissionStage.CreateSession, RefusalReason.MaxSessions);
        _control.Stages.Admit(AdmissionStage.ActivateSession);

        var line = MinuteSummary.Of(_explainer.Report())!;

        Assert.StartsWith(
            "1,235 refused in the last minute (connection waited_too_long 1,234, create_session max_sessions 1); "
            + "1 sessions activated, 0 wait, 200 handshakes/s at 100 % share. 1,234 refused at connection in the last "
            + "five minutes: they waited 4 s (`Limits:DoorPatience`)", line);
        Assert.DoesNotContain('\n', line);
    }

    /// <summary>Two numbers of two spans: each says which.</summary>
    [Fact]
    public void Summary_RefusalsOfMinutesAgoToo_EachNumberSaysItsSpan()
    {
        _control.Stages.Shed(AdmissionStage.Connection, RefusalReason.WaitedTooLong);
        Run(TimeSpan.FromSeconds(70));
        _control.Stages.Shed(AdmissionStage.Connection, RefusalReason.WaitedTooLong);

        var line = MinuteSummary.Of(_explainer.Report())!;

        Assert.StartsWith("1 refused in the last minute (", line, StringComparison.Ordinal);
        Assert.Contains("2 refused at connection in the last five minutes: ", line, StringComparison.Ordinal);
    }

    [Fact]
    public void Summary_LongAgo_None()
    {
        _control.Stages.Shed(AdmissionStage.Connection, RefusalReason.WaitedTooLong);
        Run(TimeSpan.FromSeconds(70));

        Assert.Null(MinuteSummary.Of(_explainer.Report()));
    }

    [Fact]
    public void LimitOf_EveryReason_HasAdviceOrNeedsNone()
    {
        RefusalReason[] byDesign = [RefusalReason.None, RefusalReason.Displaced, RefusalReason.ShuttingDown];

        Assert.All(Enum.GetValues<RefusalReason>(), reason => Assert.Equal(
            byDesign.Contains(reason), Advisor.On(AdmissionStage.Connection, reason, Limits, Limits) is null));
    }

    private void Admit(int count)
    {
        for (var i = 0; i < count; i++)
            _control.Stages.Admit(AdmissionStage.Open);
    }

    private void Reconnect(string thumbprint, string subject, string address, int times)
    {
        var account = _control.Clients.Certificate(thumbprint);
        var from = _control.Clients.Address(IPAddress.Parse(address));
        account.Subject = subject;
        account.SetHome(from);
        for (var i = 0; i < times; i++)
        {
            account.Attempted();
            from.Attempted();
        }
    }

    private void Run(TimeSpan time)
    {
        for (var past = TimeSpan.Zero; past < time; past += AdmissionExplainer.TickInterval)
        {
            _time.Advance(AdmissionExplainer.TickInterval);
            _explainer.Tick();
        }
    }
}
