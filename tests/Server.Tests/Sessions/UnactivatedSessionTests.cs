using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;

namespace Gateway.Server.Tests.Sessions;

public sealed class UnactivatedSessionTests : IDisposable
{
    private readonly ServerFixture _fixture = new(
        options => options with { Limits = options.Limits with { MaxSessions = 10 } });

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task TakeVictim_OneHoldsMost_ItsOldestGoesThoughAnotherIsOlder()
    {
        var good = _fixture.Connect(address: "127.0.0.2");
        await good.CreateSessionAsync();
        List<TestClient> hoarded = [];
        for (var i = 0; i < 100; i++)
        {
            var client = _fixture.Connect(address: "127.0.0.3");
            await client.CreateSessionAsync();
            hoarded.Add(client);
        }

        // The tenth place is the reserve: none of it goes to the hoarder.
        Assert.Equal(9, _fixture.Server.SessionCount);
        Assert.Equal(92, _fixture.Server.Counters.SessionsRecycled);
        await good.ActivateAsync();
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await hoarded[91].FaultAsync(hoarded[91].NewActivation()));
        await hoarded[92].ActivateAsync();
    }

    [Fact]
    public async Task TakeVictim_NewcomersDuringHoarding_EachBecomesActive()
    {
        for (var i = 0; i < 50; i++)
        {
            for (var j = 0; j < 20; j++)
                await _fixture.Connect(address: "127.0.0.3").CreateSessionAsync();
            var newcomer = _fixture.Connect(address: "127.0.0.2");
            await newcomer.CreateSessionAsync();
            for (var j = 0; j < 20; j++)
                await _fixture.Connect(address: "127.0.0.3").CreateSessionAsync();
            await newcomer.ActivateAsync();
            await newcomer.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
        }

        Assert.Equal(0, _fixture.Server.Counters.ActivatedSessions);
    }

    [Fact]
    public async Task TakeVictim_EachHoldsOne_TheOldest()
    {
        List<TestClient> clients = [];
        for (var i = 0; i < 11; i++)
        {
            clients.Add(_fixture.Connect(address: "127.0.1." + i));
            await clients[i].CreateSessionAsync();
        }

        Assert.Equal(StatusCodes.BadSessionIdInvalid, await clients[0].FaultAsync(clients[0].NewActivation()));
        for (var i = 1; i < clients.Count; i++)
            await clients[i].ActivateAsync();
        var late = _fixture.Connect(address: "127.0.2.1");
        Assert.Equal(StatusCodes.BadTooManySessions, await late.FaultAsync(late.NewSession()));
    }
}
