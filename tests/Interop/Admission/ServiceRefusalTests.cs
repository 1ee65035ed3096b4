using System.Net;
using Gateway.Client;
using Gateway.Client.Sessions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Interop.Admission;

/// <summary>What one user, address or session may have at the most, as a client sees it on the wire, and the counters
/// that it moves.</summary>
public sealed class ServiceRefusalTests(ServiceRefusalTests.Fixture fixture)
    : IClassFixture<ServiceRefusalTests.Fixture>
{
    private const int MaxPerUser = 2;
    private const int MaxPerAddress = 4;
    private const int MaxPending = 3;
    private const int MaxPublish = 5;
    private const int MaxFailedLogins = 3;
    private const ushort Simulator = 2;

    [Fact]
    public async Task ActivateSession_MoreThanAUserMayHave_TooManySessionsWithHint()
    {
        double before = await fixture.ShedAsync("activate_session", "max_sessions_per_user");
        List<RawSession> active = [];
        for (int i = 0; i < MaxPerUser; i++)
            active.Add(await fixture.Gateway.RawAsync(HandshakeState.Activated));
        using RawSession late = await fixture.Gateway.RawAsync(HandshakeState.Created);

        Refused refused = Refused.Of(await late.AskAsync(RawSession.ActivateRequest()));

        refused.AssertIs(StatusCodes.BadTooManySessions, hasHint: true);
        await fixture.AssertShedAsync("activate_session", "max_sessions_per_user", before + 1);
        foreach (RawSession session in active)
            await session.CloseAsync();
    }

    [Fact]
    public async Task CreateSession_MoreThanAnAddressMayHave_RefusedThereOnly()
    {
        IPAddress crowded = IPAddress.Parse("127.0.0.70");
        double before = await fixture.ShedAsync("create_session", "max_sessions_per_address");
        List<RawSession> created = [];
        for (int i = 0; i < MaxPerAddress; i++)
            created.Add(await fixture.Gateway.RawAsync(HandshakeState.Created, crowded));
        using RawSession late = await fixture.Gateway.RawAsync(HandshakeState.Opened, crowded);

        Refused.Of(await late.AskAsync(late.CreateRequest())).AssertIs(StatusCodes.BadTooManySessions, hasHint: true);
        await fixture.Gateway.AssertServesAsync();

        await fixture.AssertShedAsync("create_session", "max_sessions_per_address", before + 1);
        created.ForEach(session => session.Dispose());
    }

    [Fact]
    public async Task Call_MoreThanASessionMayHaveWaiting_ServerTooBusyAndTheSessionStays()
    {
        double before = await fixture.ShedAsync("request", "pending_requests");
        using RawSession session = await fixture.Gateway.RawAsync(HandshakeState.Activated);
        // They come together: none can end before the last of them.
        await session.SendAsync([.. Enumerable.Range(0, MaxPending + 1).Select(static _ => WaitRequest())]);

        Refused.Of(await session.ReceiveHeaderAsync()).AssertIs(StatusCodes.BadServerTooBusy, hasHint: true);

        await fixture.AssertShedAsync("request", "pending_requests", before + 1);
        for (int i = 0; i < MaxPending; i++)
            Assert.True((await session.ReceiveHeaderAsync()).ServiceResult.IsGood);
        await session.CloseAsync();
    }

    [Fact]
    public async Task Publish_MoreThanASessionMayHave_TheOldestIsAnswered()
    {
        double before = await fixture.ShedAsync("publish", "publish_requests");
        using RawSession session = await fixture.Gateway.RawAsync(
            HandshakeState.Subscribed, sessionTimeoutMs: RawSession.ShortTimeoutMs);
        for (int i = 0; i < MaxPublish; i++)
            await session.SendAsync(new PublishRequest());

        ResponseHeader answer = await session.ReceiveHeaderAsync();
        while (answer.ServiceResult.IsGood)
        {
            await session.SendAsync(new PublishRequest());
            answer = await session.ReceiveHeaderAsync();
        }

        Assert.Equal(new StatusCode(StatusCodes.BadTooManyPublishRequests), answer.ServiceResult);
        await fixture.AssertShedAsync("publish", "publish_requests", before + 1);
    }

    [Fact]
    public async Task ActivateSession_GuessedTooOften_LockedOutThereAndNowhereElse()
    {
        ClientIdentity right = ClientIdentity.UserName("operator", "right");
        using UaClient guesser = fixture.Gateway.Client(IPAddress.Parse("127.0.0.71"));
        double before = await fixture.ShedAsync("activate_session", "locked_out");
        for (int i = 0; i < MaxFailedLogins; i++)
            await AssertDeniedAsync(guesser, ClientIdentity.UserName("operator", "wrong"));

        await AssertDeniedAsync(guesser, right);
        await using ClientSession elsewhere = await fixture.Gateway.OpenAsync(fixture.Gateway.Good, right);

        Assert.True(elsewhere.IsOpen);
        await fixture.AssertShedAsync("activate_session", "locked_out", before + 1);
    }

    private async Task AssertDeniedAsync(UaClient client, ClientIdentity identity)
    {
        ServiceException denied = await Assert.ThrowsAsync<ServiceException>(
            async () => await fixture.Gateway.OpenAsync(client, identity));
        Assert.Equal(new StatusCode(StatusCodes.BadUserAccessDenied), denied.Status);
    }

    private static CallRequest WaitRequest() => new()
    {
        MethodsToCall =
        [
            new CallMethodRequest
            {
                ObjectId = new NodeId("Methods", Simulator),
                MethodId = new NodeId("Wait", Simulator),
                InputArguments = [new Variant(500.0)],
            },
        ],
    };

    public sealed class Fixture() : TightGateway(
        $"--Limits:MaxSessionsPerUser={MaxPerUser}", $"--Limits:MaxSessionsPerAddress={MaxPerAddress}",
        $"--Limits:MaxPendingRequestsPerSession={MaxPending}", $"--Limits:MaxPublishRequestsPerSession={MaxPublish}",
        $"--Limits:MaxFailedLogins={MaxFailedLogins}", "--Limits:FailedLoginInterval=00:05:00",
        "--Users:0:Name=operator", "--Users:0:Password=right", "--Users:0:Roles:0=Operator");
}
