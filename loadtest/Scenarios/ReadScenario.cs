using System.CommandLine;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Reads, so many under way on each connection: the server's cost of one.</summary>
internal sealed class ReadScenario : Scenario
{
    private readonly Option<int> _sessions =
        Number("--sessions", 4, "Sessions that read at once, a connection each.", 1, 10_000);

    private readonly Option<int> _underWay =
        Number("--under-way", 1, "Reads under way on each connection.", 1, 100);

    private readonly Option<int> _nodes = Number("--nodes", 1, "Values in one Read.", 1, 10_000);

    private readonly Option<int> _cold = Number(
        "--cold", 2, "Seconds measured from the first Read on, of a gateway started here; 0: not.", 0, 3600);

    private readonly Option<int> _warmUp = Number("--warm-up", 2, "Seconds before the measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 10, "Seconds measured.", 1, 86_400);

    public override string Name => "read";

    public override string Summary => "Reads as fast as they are answered: rate, CPU of one, round trip.";

    public override string Description =>
        """
        On each connection so many Reads of the tags' values are under way (--under-way): each waits for its answer and
        is sent again; every result must be Good.
        Prints, a column for the cold server and one for the warm one, named by connections × Reads under way: Reads and
        values a second, CPU of server (less the idle plant) and driver a Read, bytes that a gateway started here
        allocated a Read, the round trip (p50, p99, max). Cold are the first seconds (--cold) of a gateway started here;
        the driver is cold then as well. What the connections cost to open is in neither.
        """;

    public override IReadOnlyList<Option> Options => [_sessions, _underWay, _nodes, _cold, _warmUp, _seconds];

    public override Plant PlantOf(ScenarioValues values) => new() { Tags = Math.Max(1000, values.Get(_nodes)) };

    public override async Task RunAsync(RunContext context)
    {
        var shape = new LoadShape(context.Get(_sessions), context.Get(_underWay));
        var tags = await context.FindTagsAsync(context.Get(_nodes));
        var pool = new SessionPool(context);
        await pool.OpenUpToAsync(shape.Connections);
        var readers = pool.Sessions.SelectMany(session =>
            Enumerable.Range(0, shape.UnderWay).Select(_ => new Reader(session, tags))).ToList();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var running = Task.WhenAll(readers.ConvertAll(reader => reader.RunAsync(end.Token)));
        var cold = context.StartedServer && context.Get(_cold) > 0
            ? await MeasureAsync(context, readers, "reading, cold", context.Get(_cold))
            : null;
        await context.WaitAsync("warm-up", context.Get(_warmUp));
        var warm = await MeasureAsync(context, readers, "reading", context.Get(_seconds));
        await end.CancelAsync();
        await running;
        await pool.CloseAsync();
        var idle = await context.IdleCoresAsync();

        if (cold is not null)
        {
            context.Report.BeginColumn(shape.Cold);
            Print(context, readers, pool, cold, tags.Length, idle);
        }

        context.Report.BeginColumn(shape.Warm);
        Print(context, readers, pool, warm, tags.Length, idle);
        context.Report.AddFault("sessions refused", pool.Failed);
        context.Report.AddFault("Reads with a result that is not Good", readers.Sum(reader => reader.Bad));
    }

    private static async Task<Measured> MeasureAsync(
        RunContext context, List<Reader> readers, string phase, double seconds)
    {
        var roundTrip = new Histogram();
        var before = readers.Sum(reader => reader.Reads);
        readers.ForEach(reader => reader.RoundTrip = roundTrip);
        var window = await context.MeasureAsync(phase, seconds);
        return new Measured(window, readers.Sum(reader => reader.Reads) - before, roundTrip);
    }

    private static void Print(
        RunContext context, List<Reader> readers, SessionPool pool, Measured measured, int values, double idle)
    {
        var report = context.Report;
        var (window, reads, roundTrip) = measured;
        report.Add("sessions", pool.Sessions.Count);
        report.Add("Reads under way", readers.Count);
        report.Add("Reads under way, by rate × mean round trip", reads * roundTrip.MeanMs / 1000 / window.Seconds);
        report.Add("values a Read", values);
        report.Add("Reads a second", reads / window.Seconds, "/s");
        report.Add("values a second", reads * values / window.Seconds, "/s");
        report.Add("server CPU a Read", 1e6 * (window.ServerCpuSeconds - (idle * window.Seconds)) / reads, "µs");
        report.Add("driver CPU a Read", 1e6 * window.DriverCpuSeconds / reads, "µs");
        report.Add("server allocated a Read", window.ServerAllocatedBytes / reads, "B");
        report.Add("round trip p50", roundTrip.PercentileMs(0.5), "ms");
        report.Add("round trip p99", roundTrip.PercentileMs(0.99), "ms");
        report.Add("round trip max", roundTrip.MaximumMs, "ms");
        report.Add("server CPU", window.ServerCores, "cores");
        report.Add("driver CPU", window.DriverCores, "cores");
        report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        report.Add("server collections Gen2", window.ServerGen2);
    }

    private sealed record Measured(Window Window, long Reads, Histogram RoundTrip);

    /// <summary>One Read under way, again and again.</summary>
    private sealed class Reader(ClientSession session, NodeId[] tags)
    {
        private readonly ReadRequest _request = new()
        {
            TimestampsToReturn = TimestampsToReturn.Both,
            NodesToRead = Array.ConvertAll(
                tags, tag => new ReadValueId { NodeId = tag, AttributeId = (uint)AttributeId.Value }),
        };

        public long Reads { get; private set; }

        public long Bad { get; private set; }

        public volatile Histogram? RoundTrip;

        public async Task RunAsync(CancellationToken end)
        {
            var time = TimeProvider.System;
            while (!end.IsCancellationRequested)
            {
                var since = time.GetTimestamp();
                var response = await session.InvokeAsync<ReadRequest, ReadResponse>(_request, CancellationToken.None);
                RoundTrip?.Add(time.GetElapsedTime(since).TotalMilliseconds);
                var good = response.Results?.Length == tags.Length;
                foreach (var result in response.Results ?? [])
                    good &= result.Status.IsGood;
                Bad += good ? 0 : 1;
                Reads++;
            }
        }
    }
}
