using System.CommandLine;
using Gateway.Codec.Types;
using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Writes, one after the other on each session, read back at the end.</summary>
internal sealed class WriteScenario : Scenario
{
    private readonly Option<int> _sessions = Number("--sessions", 4, "Sessions that write at once.", 1, 1000);

    private readonly Option<int> _nodes = Number("--nodes", 1, "Values in one Write.", 1, 10_000);

    private readonly Option<int> _warmUp = Number("--warm-up", 2, "Seconds before the measurement.", 0, 3600);

    private readonly Option<int> _seconds = Number("--seconds", 10, "Seconds measured.", 1, 86_400);

    public override string Name => "write";

    public override string Summary => "Writes as fast as they are answered: rate, CPU of one, round trip.";

    public override string Description =>
        """
        Each session has variables of its own, writes counters to them, waits for the answer and writes the next; every
        result must be Good, and at the end every variable must read as written last. Writes to the server: never point
        it at a plant's variables.
        Prints: Writes and values a second, CPU of server (less the idle plant) and driver a Write, bytes that a
        gateway started here allocated a Write, the round trip (p50, p99, max).
        """;

    public override IReadOnlyList<Option> Options =>
        [_sessions, _nodes, WriteTags.Format, WriteTags.First, _warmUp, _seconds];

    public override Plant PlantOf(ScenarioValues values) =>
        new() { WritableTags = values.Get(_sessions) * values.Get(_nodes) };

    public override async Task RunAsync(RunContext context)
    {
        var pool = new SessionPool(context);
        await pool.OpenUpToAsync(context.Get(_sessions));
        var sessions = pool.Sessions;
        var nodes = await WriteTags.FindAsync(context, sessions[0], sessions.Count * context.Get(_nodes));
        var first = await WriteTags.FirstValueAsync(sessions[0], nodes, context.Cancellation);
        // A server with fewer variables is written by fewer sessions, so that each value has one writer.
        var batch = Math.Min(context.Get(_nodes), nodes.Length);
        var writers = Enumerable.Range(0, nodes.Length / batch).Take(sessions.Count)
            .Select(i => new CountingWriter(sessions[i], nodes[(i * batch)..((i + 1) * batch)], batch, first)).ToList();
        using var end = CancellationTokenSource.CreateLinkedTokenSource(context.Cancellation);
        var running = Task.WhenAll(writers.ConvertAll(writer => RunAsync(writer, end.Token)));
        await context.WaitAsync("warm-up", context.Get(_warmUp));
        var roundTrip = new Histogram();
        writers.ForEach(writer => writer.RoundTrip = roundTrip);
        var before = writers.Sum(writer => writer.Writes);
        var window = await context.MeasureAsync("writing", context.Get(_seconds));
        var writes = writers.Sum(writer => writer.Writes) - before;
        await end.CancelAsync();
        await running;
        var wrong = await CountWrongAsync(context, pool, nodes, writers);
        await pool.CloseAsync();
        var idle = await context.IdleCoresAsync();

        var report = context.Report;
        report.Add("sessions", writers.Count);
        report.Add("values a Write", batch);
        report.Add("Writes a second", writes / window.Seconds, "/s");
        report.Add("values a second", writes * batch / window.Seconds, "/s");
        report.Add("server CPU a Write", 1e6 * (window.ServerCpuSeconds - (idle * window.Seconds)) / writes, "µs");
        report.Add("driver CPU a Write", 1e6 * window.DriverCpuSeconds / writes, "µs");
        report.Add("server allocated a Write", window.ServerAllocatedBytes / writes, "B");
        report.Add("round trip p50", roundTrip.PercentileMs(0.5), "ms");
        report.Add("round trip p99", roundTrip.PercentileMs(0.99), "ms");
        report.Add("round trip max", roundTrip.MaximumMs, "ms");
        report.Add("server CPU", window.ServerCores, "cores");
        report.Add("driver CPU", window.DriverCores, "cores");
        report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        report.AddFault("sessions refused", pool.Failed);
        report.AddFault("values whose Write was not Good", writers.Sum(writer => writer.Bad));
        report.AddFault("variables that do not read as written", wrong);
    }

    private static async Task RunAsync(CountingWriter writer, CancellationToken end)
    {
        while (!end.IsCancellationRequested)
            await writer.WriteAsync();
    }

    private static async Task<long> CountWrongAsync(
        RunContext context, SessionPool pool, NodeId[] nodes, List<CountingWriter> writers)
    {
        var expected = writers.SelectMany(writer => writer.LastValues).ToArray();
        var read = await NodeReader.ReadAsync(pool.Sessions[0], nodes[..expected.Length], context.Cancellation);
        return read.Where((value, i) => value.Value.AsDouble() != expected[i]).Count();
    }
}
