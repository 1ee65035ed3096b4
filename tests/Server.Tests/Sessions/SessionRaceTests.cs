using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Sessions;

public sealed class SessionRaceTests
{
    [Fact]
    public async Task ManyClients_ComeAndGoAtOnce_NothingIsLeftOver()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxSessions = 20 } });
        fixture.Source.Hold();
        var clients = Enumerable.Range(0, 8).Select(_ => fixture.Connect()).ToArray();
        await Task.WhenAll(clients.Select((client, index) => Task.Run(() => LiveAsync(fixture, client, index))));

        Assert.Equal(0, fixture.Server.SessionCount);
        Assert.Equal(0, fixture.Server.Counters.Sessions);
        Assert.Equal(0, fixture.Server.Counters.ActivatedSessions);
        Assert.Equal(0, fixture.Server.Counters.FaultsOf(StatusCodes.BadInternalError));
    }

    [Fact]
    public async Task OneSession_ManyThreadsCloseIt_ClosedOnce()
    {
        for (var round = 0; round < 20; round++)
        {
            using var fixture = new ServerFixture();
            var client = await fixture.ConnectAsync();
            await Task.WhenAll(
                Task.Run(() => client.Send(new CloseSessionRequest())),
                Task.Run(() => fixture.Server.CloseSessions()),
                Task.Run(() => fixture.Time.Advance(TimeSpan.FromMinutes(5))));
            Assert.Equal(0, fixture.Server.SessionCount);
            Assert.Equal(0, fixture.Server.Counters.ActivatedSessions);
        }
    }

    /// <summary>At the cap a newcomer takes the place of a session that was never activated, and just then that is
    /// activated: one of the two is served and stays (R07).</summary>
    [Fact]
    public async Task SessionActivatedWhileItsPlaceIsTaken_OneOfTheTwoIsServed()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxSessions = 1 } });
        for (var round = 0; round < 400; round++)
        {
            var owner = fixture.Connect();
            var newcomer = fixture.Connect();
            await owner.CreateSessionAsync();
            using var start = new Barrier(2);
            var creation = Task.Run(() =>
            {
                start.SignalAndWait();
                return newcomer.Send(newcomer.NewSession());
            });
            start.SignalAndWait();
            var isActivated = await TryActivateAsync(owner);
            var (status, created) = await newcomer.AnswerAsync<CreateSessionResponse>(await creation);
            Assert.Equal(isActivated, created is null);
            if (isActivated)
            {
                Assert.Equal(StatusCodes.BadTooManySessions, status);
                await owner.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = true });
            }

            owner.Close();
            newcomer.Close();
        }

        Assert.Equal(0, fixture.Server.SessionCount);
    }

    /// <summary>ActivateSession is activity as any other request is. Source: Part 4 §5.7.2.2.</summary>
    [Fact]
    public async Task Activate_ShortlyBeforeTheTimeout_BeginsItAnew()
    {
        using var fixture = new ServerFixture();
        var client = await fixture.ConnectAsync();
        fixture.Time.Advance(TimeSpan.FromSeconds(59));
        await client.ActivateAsync();
        fixture.Time.Advance(TimeSpan.FromSeconds(5));
        Assert.Equal(1, fixture.Server.SessionCount);
        fixture.Time.Advance(TimeSpan.FromSeconds(56));
        Assert.Equal(0, fixture.Server.SessionCount);
    }

    private static async Task LiveAsync(ServerFixture fixture, TestClient client, int index)
    {
        for (var round = 0; round < 25; round++)
        {
            await client.CreateSessionAsync();
            if ((round + index) % 3 == 0)
                continue;
            if (!await TryActivateAsync(client))
                continue;
            client.Send(new ReadRequest
            {
                NodesToRead = [new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value }],
            });
            if ((round + index) % 2 == 0)
                await client.ActivateAsync("engineer");
            await client.CallAsync<CloseSessionResponse>(new CloseSessionRequest { DeleteSubscriptions = true });
        }

        client.Close();
        Assert.False(fixture.Server.IsShuttingDown);
    }

    /// <summary>A thread that was kept waiting may find its session recycled at the cap (R07); that is no fault.
    /// </summary>
    private static async Task<bool> TryActivateAsync(TestClient client)
    {
        var id = client.Send(client.NewActivation());
        var (status, response) = await client.AnswerAsync<ActivateSessionResponse>(id);
        if (response is null)
            Assert.Contains(status, (StatusCode[])[StatusCodes.BadSessionIdInvalid, StatusCodes.BadSessionClosed]);
        else
            client.ServerNonce = response.ServerNonce!;
        return response is not null;
    }
}
