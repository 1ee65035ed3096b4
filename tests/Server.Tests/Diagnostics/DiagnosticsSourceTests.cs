using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Diagnostics;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Diagnostics;

public sealed class DiagnosticsSourceTests : IDisposable
{
    private const uint Summary = 2275;

    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task SessionDiagnosticsArray_TwoSessions_CountsEachSessionsRequests()
    {
        var client = await _fixture.ConnectAsync();
        var other = await _fixture.ConnectAsync("engineer");
        for (var i = 0; i < 3; i++)
            await ReadAsync(client, Summary);
        await client.FaultAsync(new ReadRequest());
        await client.FaultAsync(new BrowseRequest());
        other.TakeOver(client);
        await other.FaultAsync(new ReadRequest());
        _fixture.Time.Advance(5000);

        var sessions = await ReadArrayAsync<SessionDiagnosticsDataType>(client, DiagnosticsNodes.Sessions);

        Assert.Equal(2, sessions.Count);
        var mine = sessions.Single(session => session.SessionId == client.Session!.SessionId);
        Assert.Equal("test", mine.SessionName);
        Assert.Equal("urn:test:client", mine.ClientDescription.ApplicationUri);
        Assert.Equal("opc.tcp://here:4840", mine.EndpointUrl);
        Assert.Equal(60_000, mine.ActualSessionTimeout);
        Assert.Equal((5u, 1u), (mine.ReadCount.TotalCount, mine.ReadCount.ErrorCount));
        Assert.Equal((1u, 1u), (mine.BrowseCount.TotalCount, mine.BrowseCount.ErrorCount));
        Assert.Equal((7u, 3u), (mine.TotalRequestCount.TotalCount, mine.TotalRequestCount.ErrorCount));
        Assert.Equal(1u, mine.UnauthorizedRequestCount);
        Assert.Equal(0u, mine.CallCount.TotalCount);
        Assert.Equal(_fixture.Time.GetUtcNow().UtcDateTime, mine.ClientLastContactTime);
        Assert.Equal(mine.ClientLastContactTime - TimeSpan.FromSeconds(5), mine.ClientConnectionTime);
    }

    [Fact]
    public async Task SubscriptionDiagnosticsArray_Read_AgreesWithTheSession()
    {
        var client = await _fixture.ConnectAsync();
        var created = await SubscribeAsync(client, 500);
        client.Send(new PublishRequest());

        var subscription = Assert.Single(
            await ReadArrayAsync<SubscriptionDiagnosticsDataType>(client, DiagnosticsNodes.Subscriptions));
        var session = Assert.Single(
            await ReadArrayAsync<SessionDiagnosticsDataType>(client, DiagnosticsNodes.Sessions));

        Assert.Equal(created.SubscriptionId, subscription.SubscriptionId);
        Assert.Equal(client.Session!.SessionId, subscription.SessionId);
        Assert.Equal(500, subscription.PublishingInterval);
        Assert.Equal(1u, session.CurrentSubscriptionsCount);
        Assert.Equal(1u, session.CurrentPublishRequestsInQueue);
        Assert.Equal(1u, session.CreateSubscriptionCount.TotalCount);
        Assert.Equal((1u, 0u), (session.PublishCount.TotalCount, session.PublishCount.ErrorCount));
    }

    [Fact]
    public async Task PublishCount_RefusedLater_IsAnError()
    {
        var client = await _fixture.ConnectAsync();
        var created = await SubscribeAsync(client, 500);
        var held = client.Send(new PublishRequest());
        await client.CallAsync<DeleteSubscriptionsResponse>(
            new DeleteSubscriptionsRequest { SubscriptionIds = [created.SubscriptionId] });
        Assert.Equal(StatusCodes.BadNoSubscription, (await client.FaultAsync(held)).CodeBits);

        var session = Assert.Single(
            await ReadArrayAsync<SessionDiagnosticsDataType>(client, DiagnosticsNodes.Sessions));

        Assert.Equal((1u, 1u), (session.PublishCount.TotalCount, session.PublishCount.ErrorCount));
    }

    [Fact]
    public async Task SessionSecurityDiagnosticsArray_AdminOnAnEncryptedChannel_SeesUsersAndCertificates()
    {
        var admin = await AdminAsync(MessageSecurityMode.SignAndEncrypt);
        var operatorClient = await _fixture.ConnectAsync("operator");
        await operatorClient.ActivateAsync("engineer");
        await _fixture.ConnectAsync();

        var sessions =
            await ReadArrayAsync<SessionSecurityDiagnosticsDataType>(admin, DiagnosticsNodes.SessionSecurity);

        Assert.Equal(3, sessions.Count);
        var own = sessions.Single(session => session.SessionId == admin.Session!.SessionId);
        Assert.Equal("admin", own.ClientUserIdOfSession);
        Assert.Equal("UserName", own.AuthenticationMechanism);
        Assert.Equal(MessageSecurityMode.SignAndEncrypt, own.SecurityMode);
        Assert.Equal(SecurityPolicies.Basic256Sha256.Uri, own.SecurityPolicyUri);
        Assert.Equal(TestCertificates.Client.Der, own.ClientCertificate);
        var changed = sessions.Single(session => session.SessionId == operatorClient.Session!.SessionId);
        Assert.Equal("operator", changed.ClientUserIdOfSession);
        Assert.Equal("operator,engineer", string.Join(",", changed.ClientUserIdHistory!));
        var anonymous = sessions.Single(session => session.AuthenticationMechanism == "Anonymous");
        Assert.Null(anonymous.ClientUserIdOfSession);
    }

    [Theory]
    [InlineData("engineer")]
    [InlineData("operator")]
    [InlineData(null)]
    public async Task SessionSecurityDiagnosticsArray_OtherUsers_DoesNotExist(string? user)
    {
        var client = await _fixture.ConnectAsync(user);

        var value = await ReadAsync(client, DiagnosticsNodes.SessionSecurity);

        Assert.Equal(StatusCodes.BadNodeIdUnknown, value.Status.CodeBits);
    }

    [Theory]
    [InlineData(MessageSecurityMode.Sign)]
    [InlineData(MessageSecurityMode.None)]
    public async Task SessionSecurityDiagnosticsArray_AdminWithoutEncryption_IsRefused(MessageSecurityMode mode)
    {
        var admin = await AdminAsync(mode);

        Assert.Equal(
            StatusCodes.BadSecurityModeInsufficient,
            (await ReadAsync(admin, DiagnosticsNodes.SessionSecurity)).Status.CodeBits);
        Assert.True((await ReadAsync(admin, Summary)).Status.IsGood);
    }

    [Fact]
    public async Task EnabledFlag_SwitchedOff_NothingIsReadableAndOnAgainCountsAnew()
    {
        var client = await _fixture.ConnectAsync("engineer");
        await SubscribeAsync(client, 100);
        await client.FaultAsync(new ReadRequest());
        Assert.True((await ReadAsync(client, DiagnosticsNodes.EnabledFlag)).Value.AsBoolean());

        Assert.Equal(StatusCode.Good, await SwitchAsync(client, false));
        uint[] nodes = [Summary, 2277, DiagnosticsNodes.Sessions, DiagnosticsNodes.Subscriptions];
        foreach (var node in nodes)
            Assert.Equal(StatusCodes.BadNotReadable, (await ReadAsync(client, node)).Status.CodeBits);
        Assert.False((await ReadAsync(client, DiagnosticsNodes.EnabledFlag)).Value.AsBoolean());

        Assert.Equal(StatusCode.Good, await SwitchAsync(client, true));
        var session = Assert.Single(
            await ReadArrayAsync<SessionDiagnosticsDataType>(client, DiagnosticsNodes.Sessions));
        Assert.Equal((1u, 0u), (session.ReadCount.TotalCount, session.ReadCount.ErrorCount));
        var summary = await ReadSummaryAsync(client);
        Assert.Equal((1u, 1u), (summary.CurrentSessionCount, summary.CumulatedSessionCount));
        Assert.Equal((1u, 1u), (summary.CurrentSubscriptionCount, summary.CumulatedSubscriptionCount));
        Assert.Equal(0u, summary.RejectedRequestsCount);
    }

    [Theory]
    [InlineData("observer")]
    [InlineData("operator")]
    [InlineData(null)]
    public async Task EnabledFlag_WrittenByOthers_IsRefused(string? user)
    {
        var client = await _fixture.ConnectAsync(user);

        Assert.Equal(StatusCodes.BadUserAccessDenied, (await SwitchAsync(client, false)).CodeBits);
        Assert.True((await ReadAsync(client, DiagnosticsNodes.EnabledFlag)).Value.AsBoolean());
    }

    [Fact]
    public async Task Summary_SessionsAndRequestsRefused_IsCounted()
    {
        var client = await _fixture.ConnectAsync();
        await SubscribeAsync(client, 100);
        await SubscribeAsync(client, 100);
        await SubscribeAsync(client, 300);
        var refused = _fixture.Connect();
        await refused.CreateSessionAsync();
        await refused.FaultAsync(refused.NewActivation("observer", "wrong"));
        await refused.FaultAsync(new ReadRequest());
        var foreign = await _fixture.ConnectAsync();
        foreign.TakeOver(client);
        await foreign.FaultAsync(new ReadRequest());

        var summary = await ReadSummaryAsync(client);

        Assert.Equal((2u, 3u), (summary.CurrentSessionCount, summary.CumulatedSessionCount));
        Assert.Equal((1u, 1u), (summary.RejectedSessionCount, summary.SecurityRejectedSessionCount));
        Assert.Equal((1u, 0u), (summary.SessionAbortCount, summary.SessionTimeoutCount));
        Assert.Equal((3u, 3u), (summary.CurrentSubscriptionCount, summary.CumulatedSubscriptionCount));
        Assert.Equal(2u, summary.PublishingIntervalCount);
        Assert.Equal((3u, 3u), (summary.RejectedRequestsCount, summary.SecurityRejectedRequestsCount));
        Assert.Equal(2u, (await ReadAsync(client, 2284)).Value.AsUInt32());
        _fixture.Time.Advance(1000);
        _fixture.Time.Advance(120_000);
        Assert.Equal(2, _fixture.Server.Counters.SessionsTimedOut);
    }

    [Fact]
    public async Task SessionDiagnosticsArray_LargerThanThePeerTakes_IsRefusedWholeAndReadInParts()
    {
        var client = await _fixture.ConnectAsync();
        for (var i = 0; i < 20; i++)
            await _fixture.ConnectAsync();
        client.Link.MaxResponseSizeBytes = 4096;

        Assert.Equal(
            StatusCodes.BadResponseTooLarge,
            (await client.FaultAsync(Request(DiagnosticsNodes.Sessions))).CodeBits);
        var part = await ReadAsync(client, DiagnosticsNodes.Sessions, "5:9");
        Assert.Equal(5, part.Value.AsArray<ExtensionObject>()!.Length);
    }

    [Fact]
    public async Task Arrays_Attributes_AreTheStandardsButForTheSamplingInterval()
    {
        var nodes = _fixture.Nodes;
        var node = nodes.Find(new NodeId(DiagnosticsNodes.SessionSecurity));

        Assert.Equal(1000, nodes.GetVariableFacts(node).MinimumSamplingInterval);
        Assert.Equal(1, nodes.GetVariableFacts(node).ValueRank);
        Assert.Equal(3, (int)nodes.GetAccessRestrictions(node)!);
        Assert.Single(nodes.GetRolePermissions(node)!);
        var client = await _fixture.ConnectAsync();
        Assert.Equal(StatusCodes.BadNodeIdUnknown, (await ReadAsync(client, 2289)).Status.CodeBits);
    }

    private async Task<TestClient> AdminAsync(MessageSecurityMode mode)
    {
        var policy = mode == MessageSecurityMode.None ? SecurityPolicies.None : SecurityPolicies.Basic256Sha256;
        var admin = _fixture.Connect(policy, mode);
        await admin.CreateSessionAsync();
        await admin.ActivateAsync("admin");
        return admin;
    }

    private static Task<CreateSubscriptionResponse> SubscribeAsync(TestClient client, double intervalMs) =>
        client.CallAsync<CreateSubscriptionResponse>(
            new CreateSubscriptionRequest { RequestedPublishingInterval = intervalMs, PublishingEnabled = true });

    private static async Task<StatusCode> SwitchAsync(TestClient client, bool enabled)
    {
        var response = await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue
                {
                    NodeId = new NodeId(DiagnosticsNodes.EnabledFlag),
                    AttributeId = (uint)AttributeId.Value,
                    Value = new DataValue(new Variant(enabled)),
                },
            ],
        });
        return response.Results!.Single();
    }

    private async Task<ServerDiagnosticsSummaryDataType> ReadSummaryAsync(TestClient client) =>
        (await ReadAsync(client, Summary)).Value.AsStructure<ServerDiagnosticsSummaryDataType>()!;

    /// <summary>A moment later: what was just read may be given again in the same one.</summary>
    private async Task<List<T>> ReadArrayAsync<T>(TestClient client, uint node)
    {
        var value = await ReadAsync(client, node);
        Assert.Equal(StatusCode.Good, value.Status);
        return [.. value.Value.AsArray<ExtensionObject>()!.Select(entry => (T)entry.Body!)];
    }

    private static async Task<DataValue> ReadAsync(TestClient client, uint node, string? range = null) =>
        (await client.CallAsync<ReadResponse>(Request(node, range))).Results!.Single();

    private static ReadRequest Request(uint node, string? range = null) => new()
    {
        NodesToRead =
        [
            new ReadValueId
            {
                NodeId = new NodeId(node),
                AttributeId = (uint)AttributeId.Value,
                IndexRange = range,
            },
        ],
    };
}
