using Gateway.Client;
using Gateway.Codec.Structures;

namespace Gateway.Loadtest.Attacks.Hoards;

/// <summary>Subscriptions, 100 a session, kept by CloseSession without deleting them.</summary>
internal sealed class SubscriptionHoardAttack : HoardAttack
{
    private const int PerSession = 100;
    private const int SessionsPerChannel = 30;
    private const int OfNewcomer = 20;

    public override string Name => "subscription-hoard";

    public override string Summary =>
        "One client takes 24,000 subscriptions and closes its sessions without deleting them: newcomers have theirs.";

    protected override string Cap(AttackSize size) =>
        size == AttackSize.Full ? "--Limits:MaxSubscriptions=24000" : "--Limits:MaxSubscriptions=1200";

    protected override int Channels(AttackSize size) => size == AttackSize.Full ? 8 : 1;

    /// <summary>They want more than the sixth that is kept for them.</summary>
    protected override int Newcomers(AttackSize size) => size == AttackSize.Full ? 220 : 15;

    protected override async Task HoardAsync(Hoarder hoarder)
    {
        for (var i = 0; i < SessionsPerChannel && hoarder.Refusal.IsGood; i++)
        {
            if (!await hoarder.TryActivateAsync())
                return;
            for (var j = 0; j < PerSession && await hoarder.TrySubscribeAsync(); j++)
            {
            }

            await hoarder.DetachAsync();
        }
    }

    protected override async Task ServeAsync(ClientSession session, CancellationToken cancellation)
    {
        for (var i = 0; i < OfNewcomer; i++)
        {
            await session.InvokeAsync<CreateSubscriptionRequest, CreateSubscriptionResponse>(
                new CreateSubscriptionRequest
                {
                    RequestedPublishingInterval = 1000,
                    RequestedLifetimeCount = 60,
                    RequestedMaxKeepAliveCount = 20,
                }, cancellation: cancellation);
        }
    }

    protected override int HeldBy(Hoarder hoarder) => hoarder.Subscriptions;
}
