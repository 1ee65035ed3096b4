using System.CommandLine;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Secure channels alone.</summary>
internal sealed class ConnectScenario : Scenario
{
    private readonly Option<int> _connections = Number("--connections", 1000, "Channels opened.", 1, 50_000);

    public override string Name => "connect";

    public override string Summary => "Secure channels without sessions: TCP, HEL/ACK, OPN; rate and CPU.";

    public override string Description =>
        """
        Opens channels as fast as the server takes them, holds them all, then closes them. A server may bound or
        recycle channels that have no session; those it closes early are counted.
        Prints: channels a second, CPU of server and driver a channel, memory a channel, refused and lost ones.
        """;

    public override IReadOnlyList<Option> Options => [_connections];

    public override Plant PlantOf(ScenarioValues values) => new() { ChangesPerSecond = 0 };

    public override async Task RunAsync(RunContext context)
    {
        var report = context.Report;
        var wanted = context.Get(_connections);
        var pool = new ChannelPool(context);
        var meter = context.StartMeter();
        await pool.OpenAsync(wanted);
        var window = meter.Stop();
        var opened = pool.Opened;
        report.Add("channels opened", opened);
        report.Add("channels a second", opened / window.Seconds, "/s");
        report.Add("server CPU a channel", 1000 * window.ServerCpuSeconds / opened, "ms");
        report.Add("driver CPU a channel", 1000 * window.DriverCpuSeconds / opened, "ms");
        report.Add("server CPU", window.ServerCores, "cores");
        report.Add(
            "server memory a channel",
            (window.ServerResidentBytes - meter.ServerResidentBytes) / 1024 / opened,
            "KiB");
        report.Add("server allocated a channel", window.ServerAllocatedBytes / 1024 / opened, "KiB");
        report.AddFault("channels refused", pool.Failed);
        report.AddFault("channels closed by the server", pool.Lost);
        pool.Close();
        if (pool.FirstRefusal.Length > 0)
            report.Note($"the first refusal: {pool.FirstRefusal}");
    }
}
