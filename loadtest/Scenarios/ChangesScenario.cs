using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>Every change of every tag to one client: in order, none lost, none twice, and how late.</summary>
internal sealed class ChangesScenario(RunContext context)
{
    public async Task RunAsync()
    {
        var report = context.Report;
        await using var session = await context.Sessions.OpenAsync(context.Cancellation);
        var latency = new LatencyHistogram(TimeProvider.System);
        var watcher = new Watcher(context.Options.Tags, latency);
        var tags = Enumerable.Range(0, context.Options.Tags).Select(context.Sessions.Tag).ToArray();
        await watcher.StartAsync(session, tags, context.Options.IntervalMs, context.Cancellation);
        await Task.Delay(TimeSpan.FromMilliseconds(1000 + (2 * context.Options.IntervalMs)), context.Cancellation);
        watcher.MeasuresLatency = true;

        var (values, messages) = (watcher.Values, watcher.Messages);
        var cpu = context.ServerCpuSeconds;
        var driverCpu = context.Driver.CpuSeconds();
        await Task.Delay(TimeSpan.FromSeconds(context.Options.Seconds), context.Cancellation);
        values = watcher.Values - values;
        messages = watcher.Messages - messages;
        cpu = context.ServerCpuSeconds - cpu;
        report.Add("changes a second", values / (double)context.Options.Seconds, "/s");
        report.Add("notifications a message", values / (double)messages, string.Empty);
        report.Add("server CPU a change, plant included", 1e6 * cpu / values, "µs");
        report.Add("driver CPU a change", 1e6 * (context.Driver.CpuSeconds() - driverCpu) / values, "µs");
        report.Add("latency p50", latency.PercentileMs(0.5), "ms");
        report.Add("latency p99", latency.PercentileMs(0.99), "ms");
        report.Add("latency max", latency.MaximumMs, "ms");
        report.Add("server memory", context.ServerMemoryBytes / 1024 / 1024, "MiB");
        report.AddFault("gaps", watcher.Gaps);
        report.AddFault("repeats", watcher.Repeats);
        report.AddFault("bad values", watcher.BadValues);
        report.AddFault("messages lost", watcher.Lost);
        report.AddFault("subscription ended", watcher.Ended);
    }
}
