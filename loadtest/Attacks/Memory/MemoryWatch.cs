using System.Globalization;
using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Memory;

/// <summary>The gateway's memory during an attack, held against what its limits promise.</summary>
internal static class MemoryWatch
{
    private const double MiB = 1024 * 1024;

    public static async Task RunAsync(AttackContext context, double promisedMiB, Func<Task> attack)
    {
        var memory = new MemoryPeak(context.Server);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var watching = memory.RunAsync(end.Token);
        await attack();
        await end.CancelAsync();
        await watching;
        context.Report.Add("memory promised", promisedMiB, "MiB");
        context.Report.Add("memory taken", memory.GrowthBytes / MiB, "MiB");
        if (context.IsFull && memory.GrowthBytes / MiB > promisedMiB * 1.2)
        {
            context.Report.Fail(string.Create(
                CultureInfo.InvariantCulture,
                $"memory grew by {memory.GrowthBytes / MiB:0} MiB; {promisedMiB:0} are promised"));
        }
    }
}
