using System.Net;
using System.Text;
using System.Text.RegularExpressions;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Server.Audit;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Profiles;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Audit;

/// <summary>R29: each event is raised where it happens, with a line of its own.</summary>
public sealed class AuditEventTests : IDisposable
{
    private const string Address = "127.0.0.9";

    /// <summary>In the audit trail alone.</summary>
    private const string NoLine = "";

    /// <summary>How to make each happen, and its line; <c>*</c> stands for what a run makes up.</summary>
    private static readonly Dictionary<AuditEvent, (Func<AuditEventTests, Task> Provoke, string Line)> Cases = new()
    {
        [AuditEvent.ChannelOpened] = (
            test => Done(test._fixture.Connect(SecurityPolicies.Basic256Sha256, address: Address)),
            "Good channel 1 from 127.0.0.9:4000 policy Basic256Sha256 certificate *"),
        [AuditEvent.DiscoveryOpened] = (
            test => Done(test.Discover()), "Good channel 7 from 127.0.0.9:4000 policy None"),
        [AuditEvent.SessionCreated] = (
            test => test._fixture.Connect().CreateSessionAsync(),
            "Good session * name \"test\" channel 1 policy None"),
        [AuditEvent.SessionRefused] = (
            test => test._fixture.Connect().FaultAsync(new CreateSessionRequest { ServerUri = "x" }),
            "BadServerUriInvalid channel 1 policy None: x"),
        [AuditEvent.SessionActivated] = (
            test => test._fixture.ConnectAsync("operator"),
            "Good session * name \"test\" user \"operator\" channel 1 policy None"),
        [AuditEvent.ActivationRefused] = (
            test => test.ActivateAsync("operator", "wrong"),
            "BadUserAccessDenied channel 1 policy None: wrong password"),
        [AuditEvent.UserChanged] = (
            test => test.ChangeUserAsync(), "Good session * name \"test\" user \"observer\" channel 1 policy None"),
        [AuditEvent.SessionTransferred] = (
            test => test.TakeOverAsync(), "Good session * name \"test\" user \"anonymous\" channel 2 policy None"),
        [AuditEvent.SessionClosed] = (
            test => test.CloseAsync(deletes: true),
            "Good session * name \"test\" user \"anonymous\" channel 1 policy None"),
        [AuditEvent.SessionTimedOut] = (
            test => test.TimeOutAsync(), "BadTimeout session * name \"test\" user \"anonymous\" channel 1 policy None"),
        [AuditEvent.SessionRecycled] = (
            test => test.FillAsync(isActivated: false), "BadTooManySessions session * name \"test\" channel 1 *"),
        [AuditEvent.SessionEvicted] = (
            test => test.FillAsync(isActivated: true),
            "BadTooManySessions session * name \"test\" user \"anonymous\" channel 1 *"),
        [AuditEvent.SubscriptionEvicted] = (
            test => test.EvictSubscriptionAsync(),
            "BadTimeout from 127.0.0.9: subscription * without session made room"),
        [AuditEvent.EarlyService] = (
            test => test.ReadAsync(activates: false), "BadSessionNotActivated session * name \"test\" channel 1 *"),
        [AuditEvent.ForeignChannel] = (
            test => test.ReadAsync(activates: true), "BadSecureChannelIdInvalid channel 2 policy None"),
        [AuditEvent.WriteRefused] = (
            test => test.WriteAsync("observer", TestPlant.Int32),
            "BadUserAccessDenied session * name \"test\" user \"observer\" channel 1 policy None: "
            + "needs the role Operator or Engineer for ns=1;s=Int32"),
        [AuditEvent.CallRefused] = (
            test => test.CallAsync("observer"),
            "BadUserAccessDenied session * name \"test\" user \"observer\" channel 1 policy None: "
            + "needs the role Operator or Engineer for ns=1;s=Add"),
        [AuditEvent.Called] = (
            test => test.CallAsync("operator"),
            "Good session * name \"test\" user \"operator\" channel 1 policy None: ns=1;s=Add on ns=1;s=Methods"),
        [AuditEvent.Written] = (
            test => test.WriteAsync("operator", TestPlant.Int32),
            "Good session * name \"test\" user \"operator\" channel 1 policy None: ns=1;s=Int32"),
        [AuditEvent.LoginAccepted] = (
            test => test.LogInAsync("operator"), "Good user \"operator\" by HTTP from 127.0.0.9"),
        [AuditEvent.LoginRefused] = (
            test => test.LogInAsync("wrong"),
            "BadUserAccessDenied user \"operator\" by HTTP from 127.0.0.9: wrong password"),
        [AuditEvent.ChannelRenewed] = (
            test => Done(test.Renew()), "Good channel 1 from 127.0.0.9:4000 policy None"),
        [AuditEvent.CertificateAccepted] = (
            test => Done(test.Accept()), "Good certificate AB12: Client CN=drive"),
        [AuditEvent.TrustListChanged] = (
            test => Done(test.Trust()), "Good: trusted version 4, 7 trusted certificates, added CN=drive"),
        [AuditEvent.TransferRefused] = (
            test => test.TransferAsync(),
            "BadUserAccessDenied session * name \"test\" user \"operator\" channel 2 policy None: subscription *"),
        [AuditEvent.ReadRefused] = (
            test => test.ReadAsync("nobody"),
            "BadUserAccessDenied session * name \"test\" user \"nobody\" channel 1 policy None: "
            + "needs the role Observer or Operator or Engineer or SecurityAdmin for ns=1;s=Int32 and 2 more"),
        [AuditEvent.SubscriptionRefused] = (
            test => test.MonitorAsync(subscriptions: 2, items: 0),
            "BadTooManySubscriptions session * name \"test\" user \"anonymous\" channel 1 policy None: "
            + "max_subscriptions"),
        [AuditEvent.ItemRefused] = (
            test => test.MonitorAsync(subscriptions: 1, items: 2),
            "BadTooManyMonitoredItems session * name \"test\" user \"anonymous\" channel 1 policy None: "
            + "max_monitored_items_per_subscription"),
        [AuditEvent.SessionEnded] = (
            test => test.EndSessionAsync(),
            "BadSessionClosed session * name \"test\" user \"anonymous\" channel 1 policy None: "
            + "by \"anna\" over HTTP from 127.0.0.9"),
        [AuditEvent.ConnectionEnded] = (
            test => Done(test.Manage(AuditEvent.ConnectionEnded)),
            "Good user \"anna\" by HTTP from 127.0.0.9: what was done"),
        [AuditEvent.CertificateMoved] = (
            test => Done(test.Manage(AuditEvent.CertificateMoved)),
            "Good user \"anna\" by HTTP from 127.0.0.9: what was done"),
        [AuditEvent.ConfigurationReloaded] = (
            test => Done(test.Manage(AuditEvent.ConfigurationReloaded)),
            "Good user \"anna\" by HTTP from 127.0.0.9: what was done"),
        [AuditEvent.UpstreamTested] = (
            test => Done(test.Manage(AuditEvent.UpstreamTested)),
            "Good user \"anna\" by HTTP from 127.0.0.9: what was done"),
        [AuditEvent.ManagementRefused] = (
            test => Done(test.RefuseManagement()),
            "BadUserAccessDenied user \"anna\" by HTTP from 127.0.0.9: "
            + "needs the role SecurityAdmin for ManageCertificates"),
        [AuditEvent.ChannelClosed] = (test => Done(test.CloseChannel()), NoLine),
        [AuditEvent.ChannelRefused] = (test => Done(test.RefuseChannel()), NoLine),
        [AuditEvent.UrlMismatch] = (test => test.ComeByAnotherNameAsync(), NoLine),
        [AuditEvent.DriftAccepted] = (
            test => Done(test.Manage(AuditEvent.DriftAccepted)),
            "Good user \"anna\" by HTTP from 127.0.0.9: what was done"),
        [AuditEvent.RequestsCancelled] = (test => test.CancelAsync(), NoLine),
    };

    private static readonly Caller Anna = new(
        new UserIdentity("anna", "anna", Roles.Engineer, UserKind.UserName), CallerDoor.Http,
        MessageSecurityMode.None, isTrustedApplication: false, hasSession: false)
    {
        Address = Address,
    };

    private readonly LogRecorder _log = new();
    private readonly ServerFixture _fixture;

    public AuditEventTests() => _fixture = new ServerFixture(
        options => options with { Limits = options.Limits with { MaxSessions = 2 } }, _log,
        publish: PublishLimits.Default with { MaxSubscriptions = 1, MaxMonitoredItemsPerSubscription = 1 });

    internal ServerFixture Fixture => _fixture;

    internal Task ProvokeAsync(AuditEvent kind) => Cases[kind].Provoke(this);

    public static TheoryData<AuditEvent> Events => [.. Cases.Keys];

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public void Cases_EachEvent_HasOne() => Assert.Equal(Enum.GetValues<AuditEvent>().Order(), Cases.Keys.Order());

    [Theory]
    [MemberData(nameof(Events))]
    public async Task Event_Happens_OneLineSaysSo(AuditEvent kind)
    {
        var (provoke, expected) = Cases[kind];

        await provoke(this);

        if (expected == NoLine)
        {
            Assert.DoesNotContain(_log.Lines, text => text.StartsWith($"Audit {kind}", StringComparison.Ordinal));
            return;
        }

        var line = Assert.Single(_log.Lines, text => text.StartsWith($"Audit {kind}: ", StringComparison.Ordinal));
        Assert.Matches('^' + Regex.Escape($"Audit {kind}: {expected}").Replace(@"\*", ".+") + '$', line);
    }

    /// <summary>A source that takes its time: the line has its answer, and comes with it.</summary>
    [Fact]
    public async Task Write_ToASlowSource_IsToldWhenItIsDone()
    {
        var client = await _fixture.ConnectAsync("operator");
        _fixture.Source.Hold();
        var request = client.Send(Write(TestPlant.Slow));
        Assert.DoesNotContain(_log.Lines, IsWritten);
        _fixture.Source.Go();
        await client.AnswerAsync<WriteResponse>(request);
        Assert.EndsWith(": ns=1;s=Slow", Assert.Single(_log.Lines, IsWritten), StringComparison.Ordinal);
    }

    [Fact]
    public async Task WriteAndCall_SourceFails_TheLinesSaySo()
    {
        var client = await _fixture.ConnectAsync("operator");
        _fixture.Source.Fault = new InvalidOperationException("broken");

        await client.FaultAsync(Write(TestPlant.Slow));
        await client.FaultAsync(Call());

        foreach (var start in new[] { "Audit Written: BadInternalError", "Audit Called: BadInternalError" })
            Assert.Single(_log.Lines, line => line.StartsWith(start, StringComparison.Ordinal));
    }

    /// <summary>Each door to a value that the user may not read.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ReadAndItem_OfWhatTheUserMayNotRead_AreToldAndListed(bool isMonitored)
    {
        _fixture.SetRights(
            TestPlant.Int32, null, (StandardIds.Objects.WellKnownRole_Operator, PermissionType.Browse));
        var client = await _fixture.ConnectAsync("operator");

        if (isMonitored)
            await client.CallAsync<CreateMonitoredItemsResponse>(TestRequests.Items(await SubscribeAsync(client), 1));
        else
            await client.CallAsync<ReadResponse>(new ReadRequest
            {
                NodesToRead =
                [
                    new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value },
                    new ReadValueId { NodeId = TestPlant.Int32, AttributeId = (uint)AttributeId.Value },
                ],
            });

        var line = Assert.Single(_log.Lines, text => text.StartsWith("Audit ReadRefused", StringComparison.Ordinal));
        Assert.EndsWith(": is for no role that users have here for ns=1;s=Int32", line, StringComparison.Ordinal);
        var decision = _fixture.Admission.Decisions.Snapshot()[0];
        Assert.Equal((AdmissionStage.Request, RefusalReason.AccessDenied), (decision.Stage, decision.Reason));
        Assert.Equal("operator", decision.User);
    }

    /// <summary>R16: what was allowed to the user of before and not begun is refused to the present one.</summary>
    [Fact]
    public async Task Call_UserChangedBeforeItsTurn_IsToldAsRefused()
    {
        var client = await _fixture.ConnectAsync("operator");
        _fixture.Source.Hold();
        var call = Call().MethodsToCall!;
        var request = client.Send(new CallRequest { MethodsToCall = [.. call, .. call] });
        await client.ActivateAsync("observer");
        _fixture.Source.Go();
        await client.AnswerAsync<CallResponse>(request);

        var called = Assert.Single(
            _log.Lines, line => line.StartsWith("Audit Called: Good", StringComparison.Ordinal));
        Assert.Contains("user \"operator\"", called, StringComparison.Ordinal);
        var refused = Assert.Single(
            _log.Lines, line => line.StartsWith("Audit CallRefused: Bad", StringComparison.Ordinal));
        Assert.Contains("user \"observer\"", refused, StringComparison.Ordinal);
    }

    private static bool IsWritten(string line) => line.StartsWith("Audit Written: Good", StringComparison.Ordinal);

    private static Task Done(object? _) => Task.CompletedTask;

    private static WriteRequest Write(NodeId node) => new()
    {
        NodesToWrite =
        [
            new WriteValue
            {
                NodeId = node, AttributeId = (uint)AttributeId.Value, Value = new DataValue(new Variant(1)),
            },
        ],
    };

    private static CallRequest Call() => new()
    {
        MethodsToCall =
        [
            new CallMethodRequest
            {
                ObjectId = TestPlant.Methods,
                MethodId = TestPlant.Add,
                InputArguments = [new Variant(1), new Variant(2)],
            },
        ],
    };

    private SecureChannel Discover()
    {
        var channel = new SecureChannel(new FakeLink())
        {
            Profile = TransportProfiles.UaTcp,
            ChannelId = 7,
            Policy = SecurityPolicies.None,
            SecurityMode = MessageSecurityMode.None,
            PeerThumbprint = "",
            PeerCertificate = [],
            EndpointUrl = "opc.tcp://here:4840",
            RemoteEndPoint = new IPEndPoint(IPAddress.Parse(Address), 4000),
            IsDiscoveryOnly = true,
        };
        _fixture.Server.OnOpened(channel);
        return channel;
    }

    private async Task ActivateAsync(string user, string password)
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        Assert.Equal(StatusCodes.BadUserAccessDenied, await client.FaultAsync(client.NewActivation(user, password)));
    }

    private async Task ChangeUserAsync() => await (await _fixture.ConnectAsync("operator")).ActivateAsync("observer");

    private async Task TakeOverAsync()
    {
        var before = await _fixture.ConnectAsync();
        var client = _fixture.Connect();
        client.TakeOver(before);
        await client.ActivateAsync();
    }

    private async Task CloseAsync(bool deletes)
    {
        var client = await _fixture.ConnectAsync();
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = deletes });
    }

    private async Task TimeOutAsync()
    {
        await _fixture.ConnectAsync();
        _fixture.Time.Advance(120_000);
    }

    /// <summary>One client more than there are places; the first has left its session behind.</summary>
    private async Task FillAsync(bool isActivated)
    {
        for (var i = 0; i < 3; i++)
        {
            var client = _fixture.Connect(address: "127.0.1." + i);
            await client.CreateSessionAsync();
            if (isActivated)
                await client.ActivateAsync();
            if (isActivated && i == 0)
                client.Close();
        }
    }

    private async Task EvictSubscriptionAsync()
    {
        var gone = _fixture.Connect(address: Address);
        await gone.CreateSessionAsync();
        await gone.ActivateAsync();
        await SubscribeAsync(gone);
        await gone.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        await SubscribeAsync(await _fixture.ConnectAsync());
    }

    private async Task EndSessionAsync()
    {
        var client = await _fixture.ConnectAsync();
        Assert.True(_fixture.Server.Directory.End(client.Session!.SessionId.Guid, Anna));
    }

    private AuditEvent Manage(AuditEvent kind)
    {
        _fixture.Server.Audit.Managed(kind, Anna, StatusCode.Good, "what was done");
        return kind;
    }

    private Caller RefuseManagement()
    {
        _fixture.Server.Audit.ManagementRefused(
            Anna, AccessPolicy.Check(Anna, GatewayPermission.ManageCertificates),
            GatewayPermission.ManageCertificates);
        return Anna;
    }

    private async Task ReadAsync(bool activates)
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync();
        if (activates)
        {
            await client.ActivateAsync();
            var other = _fixture.Connect();
            other.TakeOver(client);
            client = other;
        }

        Assert.True((await client.FaultAsync(TestRequests.Read(1))).IsBad);
    }

    private async Task ReadAsync(string user) =>
        await (await _fixture.ConnectAsync(user)).CallAsync<ReadResponse>(TestRequests.Read(3, TestPlant.Int32));

    private async Task MonitorAsync(int subscriptions, int items)
    {
        var client = await _fixture.ConnectAsync();
        for (var i = 1; i < subscriptions; i++)
            await SubscribeAsync(client);
        if (items == 0)
            await client.FaultAsync(new CreateSubscriptionRequest());
        else
            await client.CallAsync<CreateMonitoredItemsResponse>(
                TestRequests.Items(await SubscribeAsync(client), items));
    }

    private async Task WriteAsync(string user, NodeId node) =>
        await (await _fixture.ConnectAsync(user)).CallAsync<WriteResponse>(Write(node));

    private async Task CallAsync(string user) =>
        await (await _fixture.ConnectAsync(user)).CallAsync<CallResponse>(Call());

    private async Task LogInAsync(string password) => await _fixture.Server.Logins.CheckAsync(
        "operator", Encoding.UTF8.GetBytes(password), IPAddress.Parse(Address), CancellationToken.None);

    private object? Renew()
    {
        _fixture.Server.OnRenewed(_fixture.Connect(address: Address).Channel);
        return null;
    }

    private object? CloseChannel()
    {
        _fixture.Connect(address: Address).Close(StatusCodes.BadConnectionClosed);
        return null;
    }

    private object? RefuseChannel()
    {
        var der = TestCertificates.Client.Der;
        _fixture.Server.OnOpenRefused(new OpenRefusal(
            new IPEndPoint(IPAddress.Parse(Address), 4000), StatusCodes.BadSecurityChecksFailed, "not trusted",
            IsRenewal: false, der, SecurityPolicies.Basic256Sha256.Uri, new CertificateVerdict(
                StatusCodes.BadSecurityChecksFailed, StatusCodes.BadCertificateUntrusted, CertificateFault.Untrusted,
                "not trusted", der, TestCertificates.Client.Thumbprint)));
        return null;
    }

    private async Task ComeByAnotherNameAsync()
    {
        var client = _fixture.Connect();
        await client.CreateSessionAsync(new CreateSessionRequest { EndpointUrl = "opc.tcp://elsewhere:4840" });
    }

    private async Task CancelAsync() =>
        await (await _fixture.ConnectAsync()).CallAsync<CancelResponse>(new CancelRequest { RequestHandle = 77 });

    private object? Accept()
    {
        var verdict = CertificateVerdict.None with { Thumbprint = "AB12", Subject = "CN=drive" };
        _fixture.Server.OnCertificateAccepted(verdict, CertificatePeerRole.Client);
        return null;
    }

    private object? Trust()
    {
        _fixture.Server.OnTrustListChanged(new TrustListChange("trusted", 4, ["CN=drive"], [], 7));
        return null;
    }

    private async Task TransferAsync()
    {
        var (owner, other) = (await _fixture.ConnectAsync("observer"), await _fixture.ConnectAsync("operator"));
        await other.CallAsync<TransferSubscriptionsResponse>(
            new TransferSubscriptionsRequest { SubscriptionIds = [await SubscribeAsync(owner)] });
    }

    private static async Task<uint> SubscribeAsync(TestClient client) =>
        (await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest())).SubscriptionId;
}
