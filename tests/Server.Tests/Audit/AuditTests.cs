using System.Diagnostics.Metrics;
using System.Net;
using Gateway.Admission;
using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Tests.Support;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Tests.Audit;

public sealed class AuditTests
{
    [Fact]
    public async Task Session_CreatedAndActivated_IsLogged()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = fixture.Connect();
        await client.CreateSessionAsync(new CreateSessionRequest { SessionName = "bad\nname\u2028\u007f" });
        await client.ActivateAsync("operator");
        Assert.Contains(log.Lines, line => line.Contains("SessionCreated", StringComparison.Ordinal));
        var activated = Assert.Single(log.Lines, line => line.Contains("SessionActivated", StringComparison.Ordinal));
        Assert.Contains("user \"operator\"", activated, StringComparison.Ordinal);
        Assert.All(log.Lines, line => Assert.DoesNotContain('\n', line));
        Assert.Contains("bad\\u000Aname\\u2028\\u007F", activated, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refusals_Flood_AreCountedAndCut()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = fixture.Connect();
        for (var i = 0; i < 100; i++)
            Assert.Equal(
                StatusCodes.BadServerUriInvalid, await client.FaultAsync(new CreateSessionRequest { ServerUri = "x" }));
        var limit = fixture.Options.Limits.MaxAuditLinesPerSecond;
        Assert.Equal(limit, log.Lines.Count(IsRefusal));
        Assert.Equal(100, fixture.Server.Counters.SessionsRefused);
        fixture.Time.Advance(1000);
        await client.FaultAsync(new CreateSessionRequest { ServerUri = "x" });
        Assert.Equal(limit + 2, log.Lines.Count(IsRefusal));
        Assert.Contains(
            $"{100 - limit} more of this kind were counted and not listed", log.Lines[^2], StringComparison.Ordinal);

        static bool IsRefusal(string line) => line.Contains("Audit SessionRefused", StringComparison.Ordinal);
    }

    /// <summary>R29, R24: an event has its line and its counter, and a flood of it becomes a count.</summary>
    [Fact]
    public void Event_OnceAndInAFlood_ItsLineItsCounterAndACount()
    {
        const AuditEvent kind = AuditEvent.LoginRefused;
        var log = new LogRecorder();
        var time = new ManualTimeProvider();
        using var counters = new ServerCounters(new DecodeBudget(0));
        using var fixture = new ServerFixture();
        var trail = new AuditTrail(fixture.Publishing.Events, "urn:test:server", sink: null, time);
        using var audit = new AuditLog(
            new Logger<AuditLog>(log), counters, ServerLimits.Default,
            new AdmissionControl(new AdmissionLimits(), time, true, 200), trail, time);
        var limit = ServerLimits.Default.MaxAuditLinesPerSecond;

        audit.Login(kind, "u\u001b[31m\"\r\n", IPAddress.Loopback, StatusCodes.BadUserAccessDenied);

        var line = Assert.Single(log.Lines);
        Assert.Equal(
            $"Audit {kind}: BadUserAccessDenied user \"u\\u001B[31m\\u0022\\u000D\\u000A\" by HTTP from 127.0.0.1",
            line);
        Assert.Equal(1, Counted(counters, kind));
        for (var i = 1; i < 100; i++)
            audit.Login(kind, "u", IPAddress.Loopback, StatusCodes.BadUserAccessDenied);
        Assert.Equal(limit, log.Lines.Count);
        Assert.Equal(100, Counted(counters, kind));
        time.Advance(1_000);
        audit.Login(kind, "u", IPAddress.Loopback, StatusCode.Good);
        Assert.Equal(limit + 2, log.Lines.Count);
        Assert.Equal($"Audit {kind}: {100 - limit} more of this kind were counted and not listed", log.Lines[^2]);
        Assert.Equal($"Audit {kind}: Good user \"u\" by HTTP from 127.0.0.1", log.Lines[^1]);
    }

    /// <summary>"Why was a client refused?" knows the commonest reasons.</summary>
    [Fact]
    public async Task Refusals_OfUsersAndRights_AreInTheListOfDecisions()
    {
        using var fixture = new ServerFixture();
        var client = await fixture.ConnectAsync("observer");
        await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue { NodeId = TestPlant.Int32, AttributeId = 13, Value = new DataValue(new Variant(1)) },
            ],
        });
        await fixture.Connect().FaultAsync(new CreateSessionRequest { ServerUri = "x" });

        var decisions = fixture.Admission.Decisions.Snapshot();

        Assert.Equal(RefusalReason.SecurityRefused, decisions[0].Reason);
        Assert.Equal(AdmissionStage.CreateSession, decisions[0].Stage);
        Assert.Equal(RefusalReason.AccessDenied, decisions[1].Reason);
        Assert.Equal(StatusCodes.BadUserAccessDenied, decisions[1].Status.Code);
        Assert.Contains("Int32", decisions[1].Detail!, StringComparison.Ordinal);
        Assert.Equal("observer", decisions[1].User);
        Assert.Equal(1, fixture.Admission.Stages.Shedded(AdmissionStage.Request, RefusalReason.AccessDenied));
    }

    [Fact]
    public async Task Transfer_Refused_IsInTheListOfDecisions()
    {
        using var fixture = new ServerFixture(publish: PublishLimits.Default with { MaxSubscriptionsPerSession = 1 });
        var (other, owner, heir) = (
            await fixture.ConnectAsync("operator"), await fixture.ConnectAsync("observer"),
            await fixture.ConnectAsync("observer"));
        var owned = await owner.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest());
        await heir.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest());
        uint[] ids = [owned.SubscriptionId, owned.SubscriptionId + 77];
        foreach (var client in new[] { other, heir })
        {
            await client.CallAsync<TransferSubscriptionsResponse>(
                new TransferSubscriptionsRequest { SubscriptionIds = ids });
        }

        var decisions = fixture.Admission.Decisions.Snapshot();

        Assert.Equal(
            [RefusalReason.MaxSubscriptionsPerSession, RefusalReason.AccessDenied],
            decisions.Select(one => one.Reason));
        Assert.All(decisions, one => Assert.Equal($"subscription {owned.SubscriptionId}", one.Detail));
        Assert.Equal(StatusCodes.BadTooManySubscriptions, decisions[0].Status.Code);
    }

    [Fact]
    public async Task Channel_Renewed_IsLogged()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = await fixture.ConnectAsync();

        fixture.Server.OnRenewed(client.Channel);

        var line = Assert.Single(log.Lines, text => text.Contains("ChannelRenewed", StringComparison.Ordinal));
        Assert.Contains($"channel {client.Channel.ChannelId} ", line, StringComparison.Ordinal);
    }

    [Fact]
    public void Certificate_AcceptedAndTrustListChanged_AreLoggedEscaped()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var verdict = CertificateVerdict.None with { Thumbprint = "AB12", Subject = "CN=drive" };

        fixture.Server.OnCertificateAccepted(verdict, CertificatePeerRole.Client);
        fixture.Server.OnTrustListChanged(new TrustListChange("trusted", 4, ["CN=a\r\nb 00"], [], 7));

        Assert.Equal("Audit CertificateAccepted: Good certificate AB12: Client CN=drive", log.Lines[^2]);
        Assert.Equal(
            @"Audit TrustListChanged: Good: trusted version 4, 7 trusted certificates, added CN=a\u000D\u000Ab 00",
            log.Lines[^1]);
    }

    [Fact]
    public async Task Write_RefusedByRole_IsLoggedWithItsNode()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = await fixture.ConnectAsync("observer");
        await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue { NodeId = TestPlant.Int32, AttributeId = 13, Value = new DataValue(new Variant(1)) },
            ],
        });
        var line = Assert.Single(log.Lines, text => text.Contains("WriteRefused", StringComparison.Ordinal));
        Assert.Contains("Int32", line, StringComparison.Ordinal);
        Assert.Contains("BadUserAccessDenied", line, StringComparison.Ordinal);
        Assert.Contains("needs the role Operator or Engineer for", line, StringComparison.Ordinal);
        Assert.StartsWith(
            "needs the role Operator or Engineer for", fixture.Admission.Decisions.Snapshot()[0].Detail,
            StringComparison.Ordinal);
    }

    /// <summary>Beyond the lines of a second a refusal costs no words (R24, R44). Held against Writes that fail for
    /// another reason, because decoding and answering allocate, too.</summary>
    [Fact]
    public async Task Write_RefusedBeyondTheBudget_NoTextIsMade()
    {
        using var fixture = new ServerFixture();
        var client = await fixture.ConnectAsync("observer");
        client.Link.Discards = true;
        var refused = Encode(client, TestPlant.Int32);
        var unknown = Encode(client, new NodeId("Int33", 1));
        uint request = 1_000;
        var messages = 0;

        long Measure(byte[] message) => Allocations.Least(() =>
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            for (var i = 0; i < 10; i++)
            {
                fixture.Server.OnMessage(client.Channel, ++request, message);
                messages += ReferenceEquals(message, refused) ? 1 : 0;
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        });
        var (most, plain) = (Measure(refused), Measure(unknown));

        Assert.Equal(100 * messages, Counted(fixture.Server.Counters, AuditEvent.WriteRefused));
        Assert.InRange(most - plain, -50_000, 50_000);
    }

    /// <summary>Beyond the lines of a second an accepted value costs a count, and no words (R44).</summary>
    [Fact]
    public async Task Write_AcceptedBeyondTheBudget_IsCountedAndNoTextIsMade()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = await fixture.ConnectAsync();
        client.Link.Discards = true;
        var message = Encode(client, TestPlant.Int32);
        uint request = 1_000;
        fixture.Server.OnMessage(client.Channel, ++request, message);
        var lines = log.Lines.Count;

        var bytes = Allocations.Least(() =>
        {
            var before = GC.GetAllocatedBytesForCurrentThread();
            fixture.Server.OnMessage(client.Channel, ++request, message);
            return GC.GetAllocatedBytesForCurrentThread() - before;
        });

        Assert.InRange(bytes / 100, 0, 250);
        Assert.Equal(lines, log.Lines.Count);
        Assert.Equal(600, Counted(fixture.Server.Counters, AuditEvent.Written));
        fixture.Time.Advance(1_000);
        fixture.Server.OnMessage(client.Channel, ++request, message);
        Assert.Equal("Audit Written: 580 more of this kind were counted and not listed", log.Lines[lines]);
        Assert.Equal(lines + 1 + fixture.Options.Limits.MaxAuditLinesPerSecond, log.Lines.Count);
    }

    private static byte[] Encode(TestClient client, NodeId node) => TestClient.Encode(new WriteRequest
    {
        RequestHeader = new RequestHeader { AuthenticationToken = client.Token, TimeoutHint = 1000 },
        NodesToWrite =
        [
            .. Enumerable.Range(0, 100).Select(i => new WriteValue
            {
                NodeId = node,
                AttributeId = (uint)AttributeId.Value,
                Value = new DataValue(new Variant(i)),
            }),
        ],
    });

    [Fact]
    public async Task Call_RefusedByRole_IsLoggedWithTheRoleThatItNeeds()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = await fixture.ConnectAsync("observer");

        await client.CallAsync<CallResponse>(new CallRequest
        {
            MethodsToCall = [new CallMethodRequest { ObjectId = TestPlant.Methods, MethodId = TestPlant.Add }],
        });

        var line = Assert.Single(log.Lines, text => text.Contains("CallRefused", StringComparison.Ordinal));
        Assert.Contains("needs the role Operator or Engineer for", line, StringComparison.Ordinal);
    }

    private static long Counted(ServerCounters counters, AuditEvent kind)
    {
        var sum = 0L;
        using var listener = new MeterListener();
        listener.InstrumentPublished = (instrument, me) =>
        {
            if (instrument.Name == "gateway_server_audit_events_total" && instrument.Meter == counters.Meter)
                me.EnableMeasurementEvents(instrument);
        };
        listener.SetMeasurementEventCallback<long>((_, value, tags, _) =>
        {
            foreach (var tag in tags)
                sum += (string?)tag.Value == kind.ToString() ? value : 0;
        });
        listener.Start();
        listener.RecordObservableInstruments();
        return sum;
    }
}
