using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios.Upstreams;

/// <summary>A server with many nodes is browsed and served.</summary>
internal sealed class MirrorRun(RunContext context)
{
    private readonly int _nodes = context.Get(UpstreamsScenario.MirrorNodes);

    public async Task RunAsync()
    {
        context.Report.BeginColumn(UpstreamsScenario.Mirror);
        var empty = await EmptyAsync();
        await using var field = new ServerField(context, new Plant { Tags = _nodes, ChangesPerSecond = 0 });
        await field.StartAsync(1);
        var startedAt = TimeProvider.System.GetUtcNow();
        await using var gateway = await context.StartAnotherAsync(context.Options, new UpstreamsScenario(), new Plant
        {
            Tags = 0,
            ChangesPerSecond = 0,
            Arguments = ["--Simulator:Enabled=false", .. field.Arguments(250)],
        });
        using var states = new UpstreamStates(gateway);
        var served = await states.UntilAsync(
            "the mirror", all => UpstreamStates.IsServed(all[0]) && all[0].Nodes >= _nodes);
        await gateway.WaitAsync("settling", context.Get(UpstreamsScenario.Settle));

        var seconds = (served[0].Since - startedAt).TotalSeconds - gateway.ReadySeconds;
        var (local, mirrored) = (Resident(field.Processes[0].ProcessId), Resident(gateway.ServerPid));
        var beyond = (mirrored - local) / _nodes;
        var report = context.Report;
        report.Add("nodes", served[0].Nodes);
        report.Add("from ready to served", seconds, "s");
        report.Add("memory a local node", (local - empty) / _nodes, "B");
        report.Add("memory a mirrored node", (mirrored - empty) / _nodes, "B");
        report.Add("memory a mirrored node beyond a local one", beyond, "B");
        UpstreamsScenario.NoteAbove(context, "mirror", seconds, 20, "s");
        UpstreamsScenario.NoteAbove(context, "memory a node beyond a local one", beyond, 200, "B");
    }

    /// <summary>Of a gateway without any of these nodes.</summary>
    private async Task<double> EmptyAsync()
    {
        await using var alone = new ServerField(context, new Plant { Tags = 0, ChangesPerSecond = 0 });
        await alone.StartAsync(1);
        await context.WaitAsync("settling", context.Get(UpstreamsScenario.Settle));
        return Resident(alone.Processes[0].ProcessId);
    }

    private static double Resident(int process)
    {
        using var probe = new ProcessProbe(process);
        return probe.ResidentBytes();
    }
}
