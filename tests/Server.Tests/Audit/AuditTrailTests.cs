using System.Text;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Conditions;
using Gateway.Operations.Access;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Tests.Support;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Security;
using static Gateway.Codec.Types.StandardIds.ObjectTypes;

namespace Gateway.Server.Tests.Audit;

/// <summary>AuditEvents: each accept and refusal has the standard's type and its fields. Source: Part 4 §6.5.5 to
/// §6.5.10, Part 5 §6.4.3 to §6.4.27.</summary>
public sealed class AuditTrailTests : IDisposable
{
    private static readonly Dictionary<AuditEvent, (uint Type, string SourceName)> Expected = new()
    {
        [AuditEvent.ChannelOpened] = (AuditOpenSecureChannelEventType, "SecureChannel/OpenSecureChannel"),
        [AuditEvent.DiscoveryOpened] = (AuditOpenSecureChannelEventType, "SecureChannel/OpenSecureChannel"),
        [AuditEvent.ChannelRefused] = (AuditOpenSecureChannelEventType, "SecureChannel/OpenSecureChannel"),
        [AuditEvent.ChannelClosed] = (AuditChannelEventType, "SecureChannel/CloseSecureChannel"),
        [AuditEvent.ConnectionEnded] = (AuditChannelEventType, "SecureChannel/CloseSecureChannel"),
        [AuditEvent.ForeignChannel] = (AuditChannelEventType, "Gateway/ForeignChannel"),
        [AuditEvent.SessionCreated] = (AuditCreateSessionEventType, "Session/CreateSession"),
        [AuditEvent.SessionRefused] = (AuditCreateSessionEventType, "Session/CreateSession"),
        [AuditEvent.UrlMismatch] = (AuditUrlMismatchEventType, "Session/CreateSession"),
        [AuditEvent.SessionActivated] = (AuditActivateSessionEventType, "Session/ActivateSession"),
        [AuditEvent.ActivationRefused] = (AuditActivateSessionEventType, "Session/ActivateSession"),
        [AuditEvent.UserChanged] = (AuditActivateSessionEventType, "Session/ActivateSession"),
        [AuditEvent.SessionTransferred] = (AuditActivateSessionEventType, "Session/ActivateSession"),
        [AuditEvent.LoginAccepted] = (AuditActivateSessionEventType, "Http/Login"),
        [AuditEvent.LoginRefused] = (AuditActivateSessionEventType, "Http/Login"),
        [AuditEvent.SessionClosed] = (AuditSessionEventType, "Session/CloseSession"),
        [AuditEvent.SessionTimedOut] = (AuditSessionEventType, "Session/Timeout"),
        [AuditEvent.SessionRecycled] = (AuditSessionEventType, "Session/Terminated"),
        [AuditEvent.SessionEvicted] = (AuditSessionEventType, "Session/Terminated"),
        [AuditEvent.SessionEnded] = (AuditSessionEventType, "Session/Terminated"),
        [AuditEvent.EarlyService] = (AuditSessionEventType, "Gateway/EarlyService"),
        [AuditEvent.RequestsCancelled] = (AuditCancelEventType, "Session/Cancel"),
        [AuditEvent.Written] = (AuditWriteUpdateEventType, "Attribute/Write"),
        [AuditEvent.WriteRefused] = (AuditWriteUpdateEventType, "Attribute/Write"),
        [AuditEvent.ReadRefused] = (AuditEventType, "Attribute/Read"),
        [AuditEvent.Called] = (AuditUpdateMethodEventType, "Attribute/Call"),
        [AuditEvent.CallRefused] = (AuditUpdateMethodEventType, "Attribute/Call"),
        [AuditEvent.TransferRefused] = (AuditSecurityEventType, "Subscription/TransferSubscriptions"),
        [AuditEvent.SubscriptionRefused] = (AuditEventType, "Gateway/SubscriptionRefused"),
        [AuditEvent.ItemRefused] = (AuditEventType, "Gateway/ItemRefused"),
        [AuditEvent.SubscriptionEvicted] = (AuditEventType, "Gateway/SubscriptionEvicted"),
        [AuditEvent.TrustListChanged] = (TrustListUpdatedAuditEventType, "Gateway/TrustListChanged"),
        [AuditEvent.CertificateMoved] = (TrustListUpdatedAuditEventType, "Gateway/CertificateMoved"),
        [AuditEvent.ConfigurationReloaded] = (ConfigurationUpdatedAuditEventType, "Configuration/Reload"),
        [AuditEvent.UpstreamTested] = (AuditClientEventType, "Gateway/UpstreamTested"),
        [AuditEvent.DriftAccepted] = (AuditEventType, "Gateway/DriftAccepted"),
        [AuditEvent.ManagementRefused] = (AuditSecurityEventType, "Http/Management"),
    };

    private static readonly Caller OverHttp = new(
        new UserIdentity("u", "u", Roles.Operator, UserKind.UserName), CallerDoor.Http, MessageSecurityMode.None,
        isTrustedApplication: false, hasSession: false);

    private readonly AuditEventTests _events = new();
    private readonly AuditListener _listener;

    public AuditTrailTests() => _listener = new AuditListener(Fixture.Publishing, Fixture);

    public static TheoryData<AuditEvent> Kinds => [.. Enum.GetValues<AuditEvent>()];

    private ServerFixture Fixture => _events.Fixture;

    public void Dispose() => _events.Dispose();

    [Theory]
    [MemberData(nameof(Kinds))]
    public async Task Event_Happens_ListenersGetTheTypeOfTheStandard(AuditEvent kind)
    {
        await _events.ProvokeAsync(kind);

        var events = _listener.Take().Select(static one => one.Fields).ToList();
        Assert.All(events, static one => Assert.Equal("urn:test:server", one["ServerId"].AsString()));
        var told = events.FindAll(one => one["Message"].AsLocalizedText().Text!.StartsWith($"{kind}: "));
        if (!Expected.TryGetValue(kind, out var expected))
        {
            Assert.True(kind is AuditEvent.ChannelRenewed or AuditEvent.CertificateAccepted);
            Assert.Empty(told);
            return;
        }

        var only = Assert.Single(told);
        Assert.Equal(new NodeId(expected.Type), only["EventType"].AsNodeId());
        Assert.Equal(expected.SourceName, only["SourceName"].AsString());
        var isGood = only["Message"].AsLocalizedText().Text!.Contains(": Good", StringComparison.Ordinal);
        Assert.Equal(isGood, only["Status"].AsBoolean());
        Assert.Equal(BuiltInType.DateTime, only["ActionTimeStamp"].Type);
    }

    [Fact]
    public async Task Session_CreatedActivatedAndClosed_FieldsSayWhose()
    {
        var client = Fixture.Connect(SecurityPolicies.Basic256Sha256, address: "127.0.0.9");
        await client.CreateSessionAsync();
        await client.ActivateAsync("operator");
        await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest());

        var events = _listener.Take().ToDictionary(static one => one.Fields["EventType"].AsNodeId().Numeric);
        var (opened, created, activated) = (
            events[AuditOpenSecureChannelEventType].Fields, events[AuditCreateSessionEventType].Fields,
            events[AuditActivateSessionEventType].Fields);
        Assert.Equal(TestCertificates.Client.Der, opened["ClientCertificate"].AsByteString());
        Assert.Equal(SecurityPolicies.Basic256Sha256.Uri, opened["SecurityPolicyUri"].AsString());
        Assert.Equal((int)MessageSecurityMode.SignAndEncrypt, opened["SecurityMode"].AsInt32());
        Assert.Equal("127.0.0.9:4000", opened["ClientAuditEntryId"].AsString());
        foreach (var session in new[] { created, activated, events[AuditSessionEventType].Fields })
        {
            Assert.Equal(client.Session!.SessionId, session["SessionId"].AsNodeId());
            Assert.Equal("audit", session["ClientAuditEntryId"].AsString());
            Assert.Equal(StatusCode.Good, session["StatusCodeId"].AsStatusCode());
            Assert.Equal("urn:test:client", session["ClientApplicationUri"].AsString());
        }

        Assert.Equal(60_000, created["RevisedSessionTimeout"].AsDouble());
        Assert.Equal(TestCertificates.Client.Thumbprint, created["ClientCertificateThumbprint"].AsString());
        Assert.Equal("operator", activated["ClientUserId"].AsString());
        Assert.Equal("1", activated["SecureChannelId"].AsString());
    }

    /// <summary>Source: Part 5 §6.4.10: the token without its password.</summary>
    [Fact]
    public async Task Activation_RefusedAndAccepted_NoFieldHoldsTheSecret()
    {
        const string Secret = "correct horse battery";
        var client = Fixture.Connect();
        await client.CreateSessionAsync();
        await client.FaultAsync(client.NewActivation("operator", Secret));
        await client.FaultAsync(new ActivateSessionRequest
        {
            UserIdentityToken = new ExtensionObject(
                new IssuedIdentityToken { TokenData = Encoding.UTF8.GetBytes(Secret) }),
        });
        await client.ActivateAsync("operator");

        var events = _listener.Take();
        var activations = events.FindAll(
            static one => one.Fields["EventType"].AsNodeId().Numeric == AuditActivateSessionEventType);
        Assert.Equal([false, false, true], activations.Select(static one => one.Fields["Status"].AsBoolean()));
        Assert.Equal("operator", activations[0].Fields["ClientUserId"].AsString());
        var token = Assert.IsType<UserNameIdentityToken>(
            activations[2].Fields["UserIdentityToken"].AsExtensionObject().Body);
        Assert.Equal(("operator", null), (token.UserName, token.Password));
        Assert.IsType<IssuedIdentityToken>(activations[1].Fields["UserIdentityToken"].AsExtensionObject().Body);
        Assert.All(events, static one => Assert.True(one.Bytes.AsSpan().IndexOf("correct horse"u8) < 0));
    }

    [Fact]
    public async Task Write_Accepted_HasTheValuesBeforeAndAfter()
    {
        var client = await Fixture.ConnectAsync("operator");
        await WriteAsync(client, 41);
        _listener.Take();

        await WriteAsync(client, 42);

        var written = Assert.Single(_listener.Take()).Fields;
        Assert.Equal(TestPlant.Int32, written["SourceNode"].AsNodeId());
        Assert.Equal((41, 42), (written["OldValue"].AsInt32(), written["NewValue"].AsInt32()));
        Assert.Equal((uint)AttributeId.Value, written["AttributeId"].AsUInt32());
        Assert.Equal("operator", written["ClientUserId"].AsString());
        Assert.Equal("audit", written["ClientAuditEntryId"].AsString());
    }

    [Fact]
    public async Task Call_Accepted_HasItsArguments()
    {
        await _events.ProvokeAsync(AuditEvent.Called);

        var called = _listener.Take()[^1].Fields;
        Assert.Equal(TestPlant.Methods, called["SourceNode"].AsNodeId());
        Assert.Equal(TestPlant.Add, called["MethodId"].AsNodeId());
        Assert.Equal([new Variant(1), new Variant(2)], (Variant[])called["InputArguments"].ToObject()!);
        Assert.Equal(3, Assert.Single((Variant[])called["OutputArguments"].ToObject()!).AsInt32());
    }

    /// <summary>Source: Part 9 §5.10.2: "Method/" and the name of the method; SourceNode is the ConditionId.</summary>
    [Theory]
    [InlineData(9111u, AuditConditionAcknowledgeEventType, "Acknowledge")]
    [InlineData(9113u, AuditConditionConfirmEventType, "Confirm")]
    [InlineData(9029u, AuditConditionCommentEventType, "AddComment")]
    [InlineData(9027u, AuditConditionEnableEventType, "Enable")]
    [InlineData(9028u, AuditConditionEnableEventType, "Disable")]
    [InlineData(2949u, AuditConditionShelvingEventType, "TimedShelve")]
    [InlineData(24756u, AuditConditionShelvingEventType, "TimedShelve2")]
    [InlineData(24758u, AuditConditionShelvingEventType, "Unshelve2")]
    [InlineData(24760u, AuditConditionShelvingEventType, "OneShotShelve2")]
    [InlineData(24316u, AuditConditionSuppressionEventType, "Suppress2")]
    [InlineData(17868u, AuditConditionSuppressionEventType, "Unsuppress")]
    [InlineData(17869u, AuditConditionOutOfServiceEventType, "RemoveFromService")]
    [InlineData(24322u, AuditConditionOutOfServiceEventType, "PlaceInService2")]
    [InlineData(9069u, AuditConditionRespondEventType, "Respond")]
    [InlineData(24312u, AuditConditionRespondEventType, "Respond2")]
    [InlineData(16402u, AuditConditionSilenceEventType, "Silence")]
    [InlineData(24324u, AuditConditionResetEventType, "Reset2")]
    public void Call_MethodOfACondition_HasItsOwnType(uint method, uint type, string name)
    {
        var alarm = new NodeId("alarm", 1);
        Fixture.Server.Audit.Called(
            OverHttp, alarm, new NodeId(method), StatusCodes.BadEventIdUnknown, isAccepted: true);

        var called = Assert.Single(_listener.Take()).Fields;
        Assert.Equal(new NodeId(type), called["EventType"].AsNodeId());
        Assert.Equal("Method/" + name, called["SourceName"].AsString());
        Assert.Equal((alarm, "u"), (called["SourceNode"].AsNodeId(), called["ClientUserId"].AsString()));
        Assert.False(called["Status"].AsBoolean());
        Assert.Equal(StatusCodes.BadEventIdUnknown, called["StatusCodeId"].AsStatusCode().Code);
    }

    /// <summary>Each method that conditions have has an event of its own; a refresh changes nothing of one.</summary>
    [Fact]
    public void LayoutOf_EachMethodOfConditions_IsKnown() => Assert.All(
        ConditionMethod.ById.Where(static one => one.Value.Act is not null),
        static one => Assert.NotNull(ConditionAudit.LayoutOf(new NodeId(one.Key))));

    /// <summary>Source: Part 9 §5.10.6.</summary>
    [Theory]
    [InlineData(3, true)]
    [InlineData(-1, false)]
    public void Called_Respond_HasTheSelectedResponse(int selected, bool isThere)
    {
        Fixture.Server.Audit.Called(
            OverHttp, new NodeId("alarm", 1), new NodeId(9069), StatusCode.Good, isAccepted: true,
            [new Variant(selected)], []);

        var called = Assert.Single(_listener.Take()).Fields;
        Assert.Equal(isThere ? new Variant((uint)selected) : Variant.Null, called["SelectedResponse"]);
    }

    /// <summary>Over HTTP as over UA-TCP.</summary>
    [Fact]
    public void Called_OverHttp_HasItsArguments()
    {
        Variant[] inputs = [Variant.FromByteString([1, 2]), new Variant(new LocalizedText("seen", "en"))];
        Fixture.Server.Audit.Called(
            OverHttp, new NodeId("alarm", 1), new NodeId(9111), StatusCode.Good, isAccepted: true, inputs,
            [new Variant(7)]);

        var called = Assert.Single(_listener.Take()).Fields;
        Assert.Equal([1, 2], called["ConditionEventId"].AsByteString());
        Assert.Equal(inputs, (Variant[])called["InputArguments"].ToObject()!);
        Assert.Equal(7, Assert.Single((Variant[])called["OutputArguments"].ToObject()!).AsInt32());
    }

    /// <summary>Source: Part 4 §6.5.6: besides the session's event.</summary>
    [Fact]
    public async Task Activation_UserCertificateRefused_HasTheCertificatesEvent()
    {
        var client = Fixture.Connect(SecurityPolicies.Basic256Sha256);
        await client.CreateSessionAsync();
        _listener.Take();
        Fixture.Users.Refused = new CertificateVerdict(
            StatusCodes.BadSecurityChecksFailed, StatusCodes.BadCertificateUntrusted, CertificateFault.Untrusted, "why",
            TestCertificates.Client.Der, TestCertificates.Client.Thumbprint);

        await client.FaultAsync(new ActivateSessionRequest
        {
            ClientSignature = client.Sign(),
            UserIdentityToken = new ExtensionObject(
                new X509IdentityToken { CertificateData = TestCertificates.Client.Der }),
        });

        var events = _listener.Take();
        Assert.Equal(
            [AuditCertificateUntrustedEventType, AuditActivateSessionEventType],
            events.Select(static one => one.Fields["EventType"].AsNodeId().Numeric));
        Assert.Equal(TestCertificates.Client.Der, events[0].Fields["Certificate"].AsByteString());
        Assert.Equal(StatusCodes.BadCertificateUntrusted, events[0].Fields["StatusCodeId"].AsStatusCode().Code);
    }

    /// <summary>Source: Part 4 §6.5.6: events for failed invocations, whatever made them fail.</summary>
    [Fact]
    public async Task Activation_ValidatorFails_IsTold()
    {
        var client = Fixture.Connect();
        await client.CreateSessionAsync();
        _listener.Take();
        Fixture.Users.Gate = new TaskCompletionSource();
        Fixture.Users.Gate.SetException(new InvalidOperationException("broken"));

        Assert.Equal(
            StatusCodes.BadInternalError, await client.FaultAsync(client.NewActivation("operator", "operator")));

        var told = Assert.Single(_listener.Take()).Fields;
        Assert.Equal(new NodeId(AuditActivateSessionEventType), told["EventType"].AsNodeId());
        Assert.Equal(StatusCodes.BadInternalError, told["StatusCodeId"].AsStatusCode().Code);
    }

    [Fact]
    public void Fill_Acknowledge_EventIdAndCommentAreItsArguments()
    {
        var own = new Variant[2];
        ConditionAudit.Fill(ConditionAudit.LayoutOf(new NodeId(9111))!, own, 0, new CallMethodRequest
        {
            InputArguments = [Variant.FromByteString([1, 2]), new Variant(new LocalizedText("seen", "en"))],
        });
        Assert.Equal([1, 2], own[0].AsByteString());
        Assert.Equal("seen", own[1].AsLocalizedText().Text);
    }

    /// <summary>Source: Part 4 §6.5.6: the certificate's event comes first, and the channel's names it.</summary>
    [Theory]
    [InlineData(CertificateFault.Untrusted, AuditCertificateUntrustedEventType)]
    [InlineData(CertificateFault.Expired, AuditCertificateExpiredEventType)]
    [InlineData(CertificateFault.Revoked, AuditCertificateRevokedEventType)]
    [InlineData(CertificateFault.UriMismatch, AuditCertificateDataMismatchEventType)]
    [InlineData(CertificateFault.UsageNotAllowed, AuditCertificateMismatchEventType)]
    [InlineData(CertificateFault.SignatureInvalid, AuditCertificateInvalidEventType)]
    [InlineData(CertificateFault.Untrusted | CertificateFault.Malformed, AuditCertificateInvalidEventType)]
    [InlineData(CertificateFault.Untrusted | CertificateFault.Revoked, AuditCertificateUntrustedEventType)]
    public void Certificate_Refused_HasItsTypeAndTheChannelNamesIt(CertificateFault fault, uint type)
    {
        var verdict = new CertificateVerdict(
            StatusCodes.BadSecurityChecksFailed, StatusCodes.BadCertificateInvalid, fault, "why",
            TestCertificates.Client.Der, TestCertificates.Client.Thumbprint);
        Fixture.Server.OnOpenRefused(new Transport.Conversation.OpenRefusal(
            null, StatusCodes.BadSecurityChecksFailed, "why", false, TestCertificates.Client.Der, null, verdict));

        var events = _listener.Take();
        Assert.Equal(2, events.Count);
        var certificate = events[0].Fields;
        Assert.Equal(new NodeId(type), certificate["EventType"].AsNodeId());
        Assert.Equal("Security/Certificate", certificate["SourceName"].AsString());
        Assert.Equal(TestCertificates.Client.Der, certificate["Certificate"].AsByteString());
        Assert.Equal(StatusCodes.BadCertificateInvalid, certificate["StatusCodeId"].AsStatusCode().Code);
        Assert.Equal(
            certificate["EventId"].AsByteString(), events[1].Fields["CertificateErrorEventId"].AsByteString());
    }

    /// <summary>R24: the bound is Limits:MaxAuditLinesPerSecond, and one event tells the rest without waiting for the
    /// next of its kind.</summary>
    [Fact]
    public async Task Flood_OfAKind_EndsInOneSummary()
    {
        var client = Fixture.Connect();
        _listener.Take();
        for (var i = 0; i < 100; i++)
            await client.FaultAsync(new CreateSessionRequest { ServerUri = "x" });
        var limit = Fixture.Options.Limits.MaxAuditLinesPerSecond;
        Assert.Equal(limit, _listener.Take().Count);

        Fixture.Time.Advance(2_000);

        var summary = Assert.Single(_listener.Take()).Fields;
        Assert.Equal(new NodeId(AuditCreateSessionEventType), summary["EventType"].AsNodeId());
        Assert.Equal(
            $"{100 - limit} more events SessionRefused were counted and not listed",
            summary["Message"].AsLocalizedText().Text);
        Assert.True(summary["StatusCodeId"].IsNull);
        Fixture.Time.Advance(60_000);
        Assert.Empty(_listener.Take());
    }

    /// <summary>Source: Part 12 §7.10: by an engineer, or by a change of the file.</summary>
    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Configuration_ReadAgain_HasItsVersions(bool byAnEngineer)
    {
        Fixture.Server.Audit.Reloaded(byAnEngineer ? OverHttp : null, StatusCode.Good, "2 changes", 7, 9);

        var told = Assert.Single(_listener.Take()).Fields;
        Assert.Equal(new NodeId(ConfigurationUpdatedAuditEventType), told["EventType"].AsNodeId());
        Assert.Equal((7u, 9u), (told["OldVersion"].AsUInt32(), told["NewVersion"].AsUInt32()));
        Assert.Equal("ConfigurationReloaded: Good: 2 changes", told["Message"].AsLocalizedText().Text);
        Assert.Equal(byAnEngineer ? "u" : null, told["ClientUserId"].AsString());
    }

    [Fact]
    public void SeesAudit_RoleAndChannel_BothAreNeeded()
    {
        Assert.Equal(
            [(Roles.SecurityAdmin, MessageSecurityMode.SignAndEncrypt)],
            from role in new[] { Roles.Observer, Roles.Operator, Roles.Engineer, Roles.SecurityAdmin }
            from mode in new[]
            {
                MessageSecurityMode.None, MessageSecurityMode.Sign, MessageSecurityMode.SignAndEncrypt,
            }
            where AccessPolicy.SeesAudit(new Caller(
                new UserIdentity("u", "u", role, UserKind.UserName), CallerDoor.UaBinary, mode, true, true))
            select (role, mode));
    }

    [Fact]
    public void Auditing_IsTrue() => Assert.True(
        Fixture.Values.Read(Fixture.Find(new NodeId(StandardIds.Variables.Server_Auditing))).Value.AsBoolean());

    /// <summary>Nobody listens, and no files are kept: an event is counted, and that is all.</summary>
    [Fact]
    public void Event_WithoutListeners_AllocatesNothing()
    {
        using var fixture = new ServerFixture();
        var client = fixture.Connect();
        var trail = new AuditTrail(fixture.Publishing.Events, "urn:test:server", sink: null, fixture.Time);
        using var counters = new ServerCounters(new Codec.Binary.DecodeBudget(0));
        using var audit = new AuditLog(
            Microsoft.Extensions.Logging.Abstractions.NullLogger<AuditLog>.Instance, counters,
            new ServerLimits { MaxAuditLinesPerSecond = int.MaxValue }, fixture.Admission, trail, fixture.Time);
        var facts = new AuditFacts { EntryId = "1", Request = new CreateSessionRequest() };

        Assert.Equal(0, Allocations.OfThousand(
            () => audit.Channel(AuditEvent.ChannelOpened, client.Channel, StatusCode.Good, facts: facts)));
        Assert.False(audit.IsWatched);
    }

    private static async Task WriteAsync(TestClient client, int value) =>
        await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = TestPlant.Int32,
                    AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(new Variant(value)),
                },
            ],
        });
}
