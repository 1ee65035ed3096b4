using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Sessions;

/// <summary>Nobody takes all sessions (R46): the last sixth is kept, and sessions whose channel is gone make room.
/// </summary>
public sealed class SessionEvictionTests : IDisposable
{
    private const int MaxSessions = 12;
    private const int OfOneClient = 10;
    private const string Hoarder = "127.0.0.3";

    private readonly ServerFixture _fixture = new(
        options => options with { Limits = options.Limits with { MaxSessions = MaxSessions } });

    public void Dispose() => _fixture.Dispose();

    [Fact]
    public async Task CreateSession_OneClientTakesAllItCan_TheLastSixthIsOthers()
    {
        var hoarded = await HoardAsync();

        var refused = await hoarded[0].RefusalAsync(hoarded[0].Send(hoarded[0].NewSession()));

        Assert.Equal(StatusCodes.BadTooManySessions, refused.Status.Code);
        Assert.InRange(refused.RetryAfterMs, 1, 60_000);
        Assert.Equal(
            1, _fixture.Admission.Stages.Shedded(AdmissionStage.CreateSession, RefusalReason.Reserved));
        await ActiveAsync("127.0.0.4");
        await ActiveAsync("127.0.0.5");
        Assert.Equal(MaxSessions, _fixture.Server.Counters.ActivatedSessions);
    }

    [Fact]
    public async Task CreateSession_HoarderHasLeftItsChannels_NewcomersAreActiveAndItsOldestGo()
    {
        var hoarded = await HoardAsync();
        var created = await hoarded[0].CallAsync<CreateSubscriptionResponse>(new CreateSubscriptionRequest());
        var id = created.SubscriptionId;
        Assert.NotEqual(0u, id);
        hoarded.ForEach(client => client.Close());

        for (var i = 0; i < 5; i++)
            await ActiveAsync("127.0.1." + i);

        var counters = _fixture.Server.Counters;
        Assert.Equal((MaxSessions, 3L), (_fixture.Server.SessionCount, counters.SessionsEvicted));
        Assert.Equal(0, _fixture.Publishing.Counters.Subscriptions);
        Assert.Equal(3, _fixture.Admission.Stages.Shedded(AdmissionStage.CreateSession, RefusalReason.Evicted));
        var decision = _fixture.Admission.Decisions.Snapshot()[0];
        Assert.Equal((RefusalReason.Evicted, Hoarder), (decision.Reason, decision.Address));
        // Of its own the first that lost their channel went; the fourth may still be taken up.
        var back = _fixture.Connect(address: Hoarder);
        back.TakeOver(hoarded[2]);
        Assert.Equal(StatusCodes.BadSessionIdInvalid, await back.FaultAsync(back.NewActivation()));
        back.TakeOver(hoarded[3]);
        await back.ActivateAsync();
    }

    [Fact]
    public async Task CreateSession_OthersAreAboutToActivate_TheHoarderPaysNotThey()
    {
        var hoarded = await HoardAsync();
        hoarded.ForEach(client => client.Close());
        List<TestClient> newcomers = [];
        for (var i = 0; i < 8; i++)
        {
            newcomers.Add(_fixture.Connect(address: "127.0.1." + i));
            await newcomers[i].CreateSessionAsync();
        }

        foreach (var newcomer in newcomers)
            await newcomer.ActivateAsync();
        Assert.Equal((6L, 0L), (_fixture.Server.Counters.SessionsEvicted, _fixture.Server.Counters.SessionsRecycled));
    }

    [Fact]
    public async Task CreateSession_TakenUpAgain_IsNoVictim()
    {
        var hoarded = await HoardAsync();
        hoarded.ForEach(client => client.Close());
        var back = _fixture.Connect(address: Hoarder);
        back.TakeOver(hoarded[0]);
        await back.ActivateAsync();
        Assert.Equal(OfOneClient, _fixture.Server.SessionCount);

        for (var i = 0; i < 11; i++)
            await ActiveAsync("127.0.1." + i);

        var late = _fixture.Connect(address: "127.0.2.1");
        Assert.Equal(StatusCodes.BadTooManySessions, await late.FaultAsync(late.NewSession()));
        await back.CallAsync<CloseSessionResponse>(new CloseSessionRequest());
    }

    [Fact]
    public async Task CreateSession_HoarderComesBack_ItsOwnMakeRoom()
    {
        var others = await ActiveAsync("127.0.0.4");
        List<TestClient> hoarded = [];
        for (var i = 0; i < OfOneClient - 1; i++)
            hoarded.Add(await ActiveAsync(Hoarder));
        others.Close();
        hoarded.ForEach(client => client.Close());

        for (var i = 0; i < 20; i++)
            (await ActiveAsync(Hoarder)).Close();

        Assert.Equal((OfOneClient, 20L), (_fixture.Server.SessionCount, _fixture.Server.Counters.SessionsEvicted));
        var back = _fixture.Connect(address: "127.0.0.4");
        back.TakeOver(others);
        await back.ActivateAsync();
    }

    [Fact]
    public async Task CreateSession_NewcomerHoldsAsMuch_NobodyReconnectingIsEvicted()
    {
        List<TestClient> clients = [];
        for (var i = 0; i < MaxSessions; i++)
            clients.Add(await ActiveAsync("127.0.1." + i));
        clients[0].Close();

        Assert.Equal(StatusCodes.BadTooManySessions, await clients[1].FaultAsync(clients[1].NewSession()));
        Assert.Equal(0, _fixture.Server.Counters.SessionsEvicted);
        await ActiveAsync("127.0.2.1");
        Assert.Equal(1, _fixture.Server.Counters.SessionsEvicted);
    }

    [Fact]
    public async Task ActivateSession_AtTheUsersCap_TheSameSessionMayCome()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxSessionsPerUser = 1 } });
        var client = fixture.Connect(address: "127.0.0.2");
        await client.CreateSessionAsync();
        await client.ActivateAsync("operator");
        await client.ActivateAsync("operator");
        var again = fixture.Connect(address: "127.0.0.2");
        again.TakeOver(client);
        await again.ActivateAsync("operator");
        await again.ActivateAsync("engineer");
    }

    [Fact]
    public async Task CreateSession_OneCertificateIsFull_RefusedAndAnotherIsNot()
    {
        using var fixture = new ServerFixture(
            options => options with { Limits = options.Limits with { MaxSessionsPerCertificate = 1 } });
        await fixture.Connect(SecurityPolicies.Basic256Sha256, address: "127.0.0.2").CreateSessionAsync();
        var second = fixture.Connect(SecurityPolicies.Basic256Sha256, address: "127.0.0.3");
        Assert.Equal(StatusCodes.BadTooManySessions, await second.FaultAsync(second.NewSession()));
        Assert.Equal(1, fixture.Admission.Stages.Shedded(
            AdmissionStage.CreateSession, RefusalReason.MaxSessionsPerCertificate));
        await fixture.Connect(
            SecurityPolicies.Basic256Sha256, certificate: TestCertificates.OtherClient, address: "127.0.0.2")
            .CreateSessionAsync();
    }

    private async Task<List<TestClient>> HoardAsync()
    {
        List<TestClient> hoarded = [];
        for (var i = 0; i < OfOneClient; i++)
            hoarded.Add(await ActiveAsync(Hoarder));
        return hoarded;
    }

    private async Task<TestClient> ActiveAsync(string address)
    {
        var client = _fixture.Connect(address: address);
        await client.CreateSessionAsync();
        await client.ActivateAsync();
        return client;
    }
}
