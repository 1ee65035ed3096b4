using System.CommandLine;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Reads, one after the other on each session: what one costs the server.</summary>
internal sealed class ReadScenario : Scenario
{
    private readonly Option<int> _sessions = Number("--sessions", 4, "Sessions that read at once.", 1, 10_000);

    private readonly Option<int> _nodes = Number("--nodes", 1, "Values in one Read.", 1, 10_000);

    private readonly Option<int> _warmUp = Number("--warm-up", 2, "Seconds before the measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 10, "Seconds measured.", 1, 86_400);

    public override string Name => "read";

    public override string Summary => "Reads as fast as they are answered: rate, CPU of one, round trip.";

    public override string Description =>
        """
        Each session sends a Read of the tags' values, waits for the answer and sends the next; every result must be
        Good.
        Prints: Reads and values a second, CPU of server (less the idle plant) and driver a Read, bytes that a gateway
        started here allocated a Read, the round trip (p50, p99, max).
        """;

    public override IReadOnlyList<Option> Options => [_sessions, _nodes, _warmUp, _seconds];

    public override Plant PlantOf(ScenarioValues values) => new() { Tags = Math.Max(1000, values.Get(_nodes)) };

    public override async Task RunAsync(RunContext context)
    {
        var tags = await context.FindTagsAsync(context.Get(_nodes));
        var pool = new SessionPool(context);
        await pool.OpenUpToAsync(context.Get(_sessions));
        var readers = pool.Sessions.ConvertAll(session => new Reader(session, tags));
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var running = Task.WhenAll(readers.ConvertAll(reader => reader.RunAsync(end.Token)));
        await context.WaitAsync("warm-up", context.Get(_warmUp));
        var roundTrip = new Histogram();
        var before = readers.Sum(reader => reader.Reads);
        readers.ForEach(reader => reader.RoundTrip = roundTrip);
        var window = await context.MeasureAsync("reading", context.Get(_seconds));
        var reads = readers.Sum(reader => reader.Reads) - before;
        await end.CancelAsync();
        await running;
        await pool.CloseAsync();
        var idle = await context.IdleCoresAsync();

        var report = context.Report;
        report.Add("sessions", readers.Count);
        report.Add("values a Read", tags.Length);
        report.Add("Reads a second", reads / window.Seconds, "/s");
        report.Add("values a second", reads * tags.Length / window.Seconds, "/s");
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
        report.AddFault("sessions refused", pool.Failed);
        report.AddFault("Reads with a result that is not Good", readers.Sum(reader => reader.Bad));
    }

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
