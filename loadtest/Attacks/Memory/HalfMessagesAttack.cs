using System.Net.Sockets;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Memory;

/// <summary>Messages of nearly the largest size whose last chunk never comes, more of them than the budget holds.
/// </summary>
internal sealed class HalfMessagesAttack : Attack
{
    private const int MessageBytes = 15 * 1024 * 1024;
    private const int SmallBudgetMiB = 64;
    private const int FullBudgetMiB = 512;
    private static readonly TimeSpan Hold = TimeSpan.FromSeconds(6);

    public override string Name => "half-messages";

    public override string Summary => "25 attackers hold the largest half messages, over the memory budget.";

    public override string Rules => "R03, R04, R05, R43";

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments = size == AttackSize.Full
            ? []
            : [$"--Limits:MemoryBudgetBytes={SmallBudgetMiB * 1024 * 1024}"],
    };

    public override async Task RunAsync(AttackContext context)
    {
        var attackers = context.Pick(full: 25, small: 10);
        var target = new WireTarget(context.Run.Url);
        var closed = 0;
        await MemoryWatch.RunAsync(context, context.Pick(FullBudgetMiB, SmallBudgetMiB), async () =>
        {
            var all = await Task.WhenAll(Enumerable.Range(0, 2 * attackers).Select(number =>
                HoldAsync(context, target, number / 2)));
            closed = all.Count(held => !held);
        });
        context.Report.Add("half messages", 2 * attackers);
        context.Report.Add("ended by the gateway", closed);
        if (closed == 0)
            context.Report.Fail("the memory budget ended nobody");
    }

    /// <returns>False: the gateway ended it.</returns>
    private static async Task<bool> HoldAsync(AttackContext context, WireTarget target, int address)
    {
        using var session = await BareSession.OpenAsync(target, context.Run.Url, address, context.Cancellation);
        using var patience = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        try
        {
            await session.SendAsync(new byte[MessageBytes], isWhole: false, context.Cancellation);
            patience.CancelAfter(Hold);
            await session.ResultAsync(patience.Token);
            return false;
        }
        catch (OperationCanceledException) when (!context.Cancellation.IsCancellationRequested)
        {
            return true;
        }
        catch (SocketException)
        {
            return false;
        }
    }
}
