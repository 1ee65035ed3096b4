using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Interop.Admission;

/// <summary>One client takes every session or subscription that it can get and vanishes: others are served at once, for
/// as long as they come (R46).</summary>
public sealed class HoardTests
{
    private const int Cap = 60;
    private const int OfOneClient = 50;
    private const int Newcomers = 20;

    [Fact]
    public async Task Sessions_HoardedOverOneChannelThatIsDropped_NewcomersAreActive()
    {
        await using AdmissionGateway gateway = await AdmissionGateway.StartAsync($"--Limits:MaxSessions={Cap}");
        using (RawSession hoarder = await gateway.RawAsync(HandshakeState.Opened))
        {
            for (int i = 0; i < OfOneClient; i++)
                await hoarder.ActivateAnotherAsync();
            Refused.Of(await hoarder.AskAsync(hoarder.CreateRequest()))
                .AssertIs(StatusCodes.BadTooManySessions, hasHint: true);
        }

        List<RawSession> newcomers = await ComeAsync(gateway, HandshakeState.Activated);
        await using ClientSession good = await gateway.OpenAsync(gateway.Good);

        Assert.True(good.IsOpen);
        await AdmissionMetrics.AssertShedAsync(
            gateway.Process, "create_session", "evicted", Newcomers + 1 - (Cap - OfOneClient));
        await gateway.Process.WaitForLogAsync("Audit SessionEvicted");
        foreach (RawSession newcomer in newcomers)
            await newcomer.CloseAsync();
    }

    [Fact]
    public async Task Subscriptions_HoardedAndDetached_NewcomersHaveTheirs()
    {
        await using AdmissionGateway gateway = await AdmissionGateway.StartAsync($"--Limits:MaxSubscriptions={Cap}");
        RawSession hoarder = await gateway.RawAsync(HandshakeState.Activated);
        CreateSubscriptionRequest request = new()
        {
            RequestedPublishingInterval = 1000,
            RequestedLifetimeCount = 3600,
            RequestedMaxKeepAliveCount = 1200,
        };
        for (int i = 0; i < OfOneClient; i++)
            Assert.True((await hoarder.AskAsync(request)).ServiceResult.IsGood);
        Assert.Equal(
            new StatusCode(StatusCodes.BadTooManySubscriptions), (await hoarder.AskAsync(request)).ServiceResult);
        await hoarder.DetachAsync();

        List<RawSession> newcomers = await ComeAsync(gateway, HandshakeState.Subscribed);

        await AdmissionMetrics.AssertShedAsync(
            gateway.Process, "request", "evicted", Newcomers - (Cap - OfOneClient));
        await gateway.Process.WaitForLogAsync("Audit SubscriptionEvicted");
        foreach (RawSession newcomer in newcomers)
            newcomer.Dispose();
    }

    private static async Task<List<RawSession>> ComeAsync(AdmissionGateway gateway, HandshakeState state)
    {
        List<RawSession> newcomers = [];
        for (int i = 0; i < Newcomers; i++)
            newcomers.Add(await gateway.RawAsync(state, AdmissionGateway.AddressOf(i)));
        return newcomers;
    }
}
