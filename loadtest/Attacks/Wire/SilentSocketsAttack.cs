using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Attacks.Wire;

/// <summary>Sockets on the UA port that send nothing, one byte, half a HEL, or HEL and nothing more, until the gateway
/// ends each of them.</summary>
internal sealed class SilentSocketsAttack : Attack
{
    private const int Addresses = 50;
    private const double MostSeconds = 10;

    /// <summary>OpenDeadline, for a HEL that waited as long as DoorPatience allows.</summary>
    private const double MostSecondsAfterHello = 14;
    private const double SpareSeconds = 10;

    public override string Name => "silent-sockets";

    public override string Summary => "10,000 sockets that say next to nothing: gone within 10 s, at most 100 MiB.";

    public override string Rules => "R05, R06";

    public override async Task RunAsync(AttackContext context)
    {
        var target = new WireTarget(context.Run.Url);
        var memory = new MemoryPeak(context.Server);
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var watching = memory.RunAsync(end.Token);
        var count = context.Pick(full: 10_000, small: 200);
        var patience = TimeSpan.FromSeconds(MostSeconds + SpareSeconds);
        var lives = await Task.WhenAll(Enumerable.Range(0, count).Select(number => SlowSocket.RunAsync(
            target, number % SlowSocket.Kinds.Count, number % Addresses, patience, TimeProvider.System)));
        await end.CancelAsync();
        await watching;

        context.Report.Add("sockets", count);
        context.Report.AddFault("sockets that the gateway did not end", lives.Count(one => double.IsNaN(one.Seconds)));
        context.Report.Add("longest life of a socket", lives.Max(one => one.Seconds), "s");
        context.Report.Add("memory for them", memory.GrowthBytes / 1024 / 1024, "MiB");
        if (!context.IsFull)
            return;
        var said = SlowSocket.Kinds.Count - 1;
        context.Report.AddFault(
            "sockets without a HEL there for more than 10 s",
            lives.Where((one, number) => number % SlowSocket.Kinds.Count != said && !(one.Seconds <= MostSeconds))
                .Count());
        context.Report.AddFault(
            "sockets with a HEL there for more than 14 s", lives.Count(one => !(one.Seconds <= MostSecondsAfterHello)));
        if (memory.GrowthBytes > 100 * 1024 * 1024)
            context.Report.Fail("more than 100 MiB for silent sockets");
    }
}
