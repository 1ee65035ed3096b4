using Gateway.Client;

namespace Gateway.Loadtest.Attacks.Hoards;

/// <summary>Active sessions, 64 a channel, and the channels dropped.</summary>
internal sealed class SessionHoardAttack : HoardAttack
{
    private const int PerChannel = 64;

    public override string Name => "session-hoard";

    public override string Summary =>
        "One client takes 12,000 sessions over 190 channels and drops these: newcomers are active within a second.";

    protected override string Cap(AttackSize size) =>
        size == AttackSize.Full ? "--Limits:MaxSessions=12000" : "--Limits:MaxSessions=300";

    protected override int Channels(AttackSize size) => size == AttackSize.Full ? 190 : 6;

    /// <summary>More than the sixth that is kept for them.</summary>
    protected override int Newcomers(AttackSize size) => size == AttackSize.Full ? 2_200 : 80;

    protected override async Task HoardAsync(Hoarder hoarder)
    {
        while (hoarder.Sessions < PerChannel && await hoarder.TryActivateAsync())
        {
        }
    }

    protected override Task ServeAsync(ClientSession session, CancellationToken cancellation) => Task.CompletedTask;

    protected override int HeldBy(Hoarder hoarder) => hoarder.Sessions;
}
