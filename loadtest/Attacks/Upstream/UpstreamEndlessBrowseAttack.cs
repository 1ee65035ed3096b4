namespace Gateway.Loadtest.Attacks.Upstream;

/// <summary>Three upstreams whose BrowseNext never comes to an end: with new nodes, with the same ones, and with
/// nothing.</summary>
internal sealed class UpstreamEndlessBrowseAttack : UpstreamAttack
{
    /// <summary>The bytes of one browse, and what the runtime has not collected yet.</summary>
    private const double MostGrowthMiB = 768;

    public override string Name => "upstream-endless-browse";

    public override string Summary => "BrowseNext without end: the browse is ended by a bound, which is told.";

    public override string Rules => "R42";

    public override async Task PrepareAsync(AttackSize size, CancellationToken cancellation)
    {
        var answer = size == AttackSize.Full ? 10_000 : 1_000;
        await AddAsync(new EndlessScript(answer, isNew: true));
        await AddAsync(new EndlessScript(answer, isNew: false));
        await AddAsync(new EndlessScript(0, isNew: false));
    }

    public override Plant PlantOf(AttackSize size) => new()
    {
        Arguments =
        [
            .. Configure(0, "New", Servers[0].Url, "SecurityPolicy=None"),
            .. Configure(1, "Same", Servers[1].Url, "SecurityPolicy=None"),
            .. Configure(2, "Empty", Servers[2].Url, "SecurityPolicy=None"),
            .. size == AttackSize.Full ? Array.Empty<string>() : ["--Limits:MaxUpstreamReferences=100000"],
        ],
    };

    public override async Task RunAsync(AttackContext context)
    {
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var memory = new Scenarios.Abuse.MemoryPeak(context.Server);
        var watching = memory.RunAsync(end.Token);
        Arm();
        var ended = await AwaitAsync(context, async () =>
            (await ReportAsync(context)).Count(one => one.State == "faulted" && one.Bounds.Length > 0) == 3);
        var asked = Servers.Sum(server => server.Services.Count<Codec.Structures.BrowseNextRequest>());
        await LeaveAsync();
        await end.CancelAsync();
        await watching;

        var growth = memory.GrowthBytes / 1024 / 1024;
        context.Report.Add("BrowseNext that the gateway sent", asked);
        context.Report.Add("memory for them", growth, "MiB");
        if (!ended)
            context.Report.Fail("the browse was not ended, or /api/v1/upstreams does not say by which bound");
        if (context.IsFull && growth > MostGrowthMiB)
            context.Report.Fail($"more than {MostGrowthMiB} MiB for browses without end");
    }
}
