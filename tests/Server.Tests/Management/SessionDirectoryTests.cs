using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Management;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Management;

public sealed class SessionDirectoryTests : IDisposable
{
    private static readonly Caller Engineer = new(
        new UserIdentity("anna", "anna", Roles.Engineer, UserKind.UserName), CallerDoor.Http, MessageSecurityMode.None,
        isTrustedApplication: false, hasSession: false)
    {
        Address = "127.0.0.5",
    };

    private readonly LogRecorder _log = new();
    private readonly ServerFixture _fixture;

    public SessionDirectoryTests() => _fixture = new ServerFixture(loggers: _log);

    private SessionDirectory Directory => _fixture.Server.Directory;

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task Read_WhileSessionsComeAndGo_EachThatStaysOnce()
    {
        var stable = new List<Guid>();
        var others = new Queue<TestClient>();
        for (var i = 0; i < 60; i++)
        {
            others.Enqueue(await _fixture.ConnectAsync("operator"));
            stable.Add(IdOf(await _fixture.ConnectAsync("operator")));
        }

        var seen = new List<SessionReport>();
        for (var next = 0; next >= 0;)
        {
            next = Directory.Read(next, 7, seen);
            for (var i = 0; i < 5 && others.TryDequeue(out var gone); i++)
                await gone.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
            await _fixture.ConnectAsync("operator");
        }

        var ids = seen.ConvertAll(one => one.Id);
        Assert.Equal(ids.Count, ids.Distinct().Count());
        Assert.Empty(stable.Except(ids));
    }

    [Fact]
    public async Task Read_SessionsInEachState_SayIt()
    {
        var created = _fixture.Connect();
        await created.CreateSessionAsync();
        var active = await _fixture.ConnectAsync("operator");
        var waiting = await _fixture.ConnectAsync();
        waiting.Close();

        Assert.Equal(SessionPhase.Created, Directory.Find(IdOf(created))!.State);
        Assert.Null(Directory.Find(IdOf(created))!.User);
        Assert.Equal((SessionPhase.Active, "operator"),
            (Directory.Find(IdOf(active))!.State, Directory.Find(IdOf(active))!.User));
        Assert.Equal(SessionPhase.Waiting, Directory.Find(IdOf(waiting))!.State);
    }

    [Fact]
    public async Task Find_WithASubscription_CountsWhatItHolds()
    {
        var client = await SubscribedAsync();

        var session = Directory.Find(IdOf(client))!;

        Assert.Equal((1, 2), (session.Subscriptions, session.PublishRequests));
        Assert.Equal("urn:test:client", session.ApplicationUri);
        Assert.True(session.Requests >= 3);
    }

    /// <summary>What a client sees of the end.</summary>
    [Fact]
    public async Task End_OfOneThatPublishes_HeldRequestsGetBadSessionClosed()
    {
        var client = await SubscribedAsync();
        var held = client.Send(new PublishRequest());

        Assert.True(Directory.End(IdOf(client), Engineer));

        var (status, _) = await client.AnswerAsync<PublishResponse>(held);
        Assert.Equal(StatusCodes.BadSessionClosed, status);
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await client.FaultAsync(new PublishRequest()));
        Assert.Equal((0, 0), (_fixture.Server.SessionCount, _fixture.Publishing.Counters.Subscriptions));
        Assert.Equal(
            (1, 0), (_fixture.Server.Counters.SessionsEnded, _fixture.Server.Counters.SessionsAborted));
        Assert.True(client.Channel.IsOpen);
        var line = Assert.Single(_log.Lines, text => text.Contains("SessionEnded", StringComparison.Ordinal));
        Assert.EndsWith(": by \"anna\" over HTTP from 127.0.0.5", line, StringComparison.Ordinal);
    }

    [Fact]
    public async Task End_Twice_OnceOnly()
    {
        var client = await _fixture.ConnectAsync();

        Assert.True(Directory.End(IdOf(client), Engineer));
        Assert.False(Directory.End(IdOf(client), Engineer));
        Assert.False(Directory.End(Guid.NewGuid(), Engineer));
        Assert.Null(Directory.Find(IdOf(client)));
    }

    /// <summary>Each page of many sessions costs what its own sessions cost.</summary>
    [Fact]
    public async Task Read_OfManySessions_AllocatesForItsPageOnly()
    {
        for (var i = 0; i < 60; i++)
            await _fixture.ConnectAsync();
        var few = BytesOfAPage();
        for (var i = 0; i < 600; i++)
            await _fixture.ConnectAsync();

        Assert.InRange(BytesOfAPage(), 1, few + 256);
    }

    private long BytesOfAPage()
    {
        var page = new List<SessionReport>(50);
        Directory.Read(0, 50, page);
        page.Clear();
        var before = GC.GetAllocatedBytesForCurrentThread();
        Directory.Read(0, 50, page);
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }

    private static Guid IdOf(TestClient client) => client.Session!.SessionId.Guid;

    private async Task<TestClient> SubscribedAsync()
    {
        var client = await _fixture.ConnectAsync("operator");
        await client.CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest
        {
            RequestedPublishingInterval = 1000,
            PublishingEnabled = true,
        });
        client.Send(new PublishRequest());
        client.Send(new PublishRequest());
        return client;
    }
}
