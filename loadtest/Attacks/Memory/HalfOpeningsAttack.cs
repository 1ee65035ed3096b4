using System.Net.Sockets;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Memory;

/// <summary>Channels without a session that each hold the largest message that is taken before one, but for its end.
/// </summary>
internal sealed class HalfOpeningsAttack : Attack
{
    /// <summary>A header less than MaxMessageSizeBeforeSessionBytes; one chunk.</summary>
    private const int MessageBytes = 40_000;

    /// <summary>Of one connection with all that it takes: what the rule allows.</summary>
    private const int PromisedBytes = 64 * 1024;
    private const double Spare = 1.1;
    private const int Addresses = 200;

    private static readonly TimeSpan Hold = TimeSpan.FromSeconds(3);

    public override string Name => "half-openings";

    public override string Summary =>
        "1,000 channels without a session, each with 40 KiB of a message that never ends: at most 64 KiB each in all, "
        + "plus a tenth.";

    public override string Rules => "R03, R05, R43";

    public override async Task RunAsync(AttackContext context)
    {
        var target = new WireTarget(context.Run.Url);
        var attackers = context.Pick(full: 1_000, small: 50);
        var refused = 0;
        var held = new List<BareSession>();
        await MemoryWatch.RunAsync(context, attackers * PromisedBytes / 1024.0 / 1024.0, Spare, async () =>
        {
            for (var number = 0; number < attackers; number++)
            {
                if (await TryHoldAsync(context, target, number % Addresses) is { } session)
                    held.Add(session);
                else
                    refused++;
            }

            await Task.Delay(Hold, context.Cancellation);
        });
        held.ForEach(session => session.Dispose());
        context.Report.Add("half messages before a session", held.Count);
        context.Report.AddFault("channels that did not come about", refused);
    }

    /// <returns>Null: the gateway did not take it.</returns>
    private static async Task<BareSession?> TryHoldAsync(AttackContext context, WireTarget target, int address)
    {
        try
        {
            var session = await BareSession.OpenChannelAsync(target, address, context.Cancellation);
            await session.SendAsync(new byte[MessageBytes], isWhole: false, context.Cancellation);
            return session;
        }
        catch (Exception refusal) when (refusal is SocketException or InvalidOperationException)
        {
            return null;
        }
    }
}
