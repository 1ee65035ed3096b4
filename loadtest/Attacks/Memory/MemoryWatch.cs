using System.Globalization;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Memory;

/// <summary>The gateway's memory during an attack, compared with its limits.</summary>
internal static class MemoryWatch
{
    private const double MiB = 1024 * 1024;
    private const double Spare = 1.2;

    /// <summary>At a small size the heap of a gateway that has just started grows by more than the budget; without a
    /// budget the attacks hold still more.</summary>
    private const double SmallSpareMiB = 128;

    public static Task RunAsync(AttackContext context, double promisedMiB, Func<Task> attack) =>
        RunAsync(context, promisedMiB, Spare, attack);

    /// <param name="context">Of the attack.</param>
    /// <param name="promisedMiB">By the limits.</param>
    /// <param name="spare">How many times of it may be taken.</param>
    /// <param name="attack">Runs while memory is measured.</param>
    public static async Task RunAsync(AttackContext context, double promisedMiB, double spare, Func<Task> attack)
    {
        var memory = new MemoryPeak(context.Server);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var watching = memory.RunAsync(end.Token);
        await attack();
        await end.CancelAsync();
        await watching;
        context.Report.Add("memory promised", promisedMiB, "MiB");
        context.Report.Add("memory taken", memory.GrowthBytes / MiB, "MiB");
        if (memory.GrowthBytes / MiB > MostMiB(context.IsFull, promisedMiB, spare))
        {
            context.Report.Fail(string.Create(
                CultureInfo.InvariantCulture,
                $"memory grew by {memory.GrowthBytes / MiB:0} MiB; {promisedMiB:0} are promised"));
        }
    }

    /// <summary>R43: by default within a fifth of the limits' sum.</summary>
    public static double MostMiB(bool isFull, double promisedMiB, double spare = Spare) =>
        (promisedMiB * spare) + (isFull ? 0 : SmallSpareMiB);
}
