using Gateway.Client;
using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>The budget of ten thousand: sessions opened at a steady rate, each with one subscription of one item, and
/// every notification there.</summary>
internal sealed class SessionsScenario(RunContext context)
{
    public async Task RunAsync()
    {
        var (report, options) = (context.Report, context.Options);
        var memory = context.ServerMemoryBytes;
        var cpu = context.ServerCpuSeconds;
        var driverCpu = context.Driver.CpuSeconds();
        var pool = new SessionPool(context);
        await pool.OpenAsync(options.Sessions);
        var opened = pool.Sessions.Count;
        var perSession = 1000 * (context.ServerCpuSeconds - cpu) / opened;
        report.Add("sessions established", opened, string.Empty);
        report.AddFault("sessions refused", pool.Failed);
        report.Add("time to all", pool.Seconds, "s");
        report.Add("rate, all", opened / pool.Seconds, "/s");
        report.Add("rate, first tenth", pool.Rate(0, 0.1), "/s");
        report.Add("rate, last tenth", pool.Rate(0.9, 1), "/s");
        report.Add("server CPU a session", perSession, "ms");
        report.Add("of the private-key floor", perSession / report.FloorMsPerSession, "×");
        report.Add("driver CPU a session", 1000 * (context.Driver.CpuSeconds() - driverCpu) / opened, "ms");
        report.Add("server memory a session", (context.ServerMemoryBytes - memory) / 1024 / opened, "KiB");

        var watchers = await SubscribeAsync(pool.Sessions);
        report.Add(
            "server memory a session with its subscription",
            (context.ServerMemoryBytes - memory) / 1024 / opened,
            "KiB");
        var (busy, values) = await MeasureAsync(pool, watchers);
        await pool.CloseAsync();
        var idle = await context.ServerIdleCpuAsync();
        report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        report.Add("server CPU a message of one", 1e6 * (busy - idle) * options.Seconds / values, "µs");
    }

    private async Task<Watcher[]> SubscribeAsync(List<ClientSession> sessions)
    {
        var watchers = new Watcher[sessions.Count];
        var parallel = new ParallelOptions
        {
            MaxDegreeOfParallelism = context.Options.Parallel,
            CancellationToken = context.Cancellation,
        };
        await Parallel.ForAsync(0, sessions.Count, parallel, async (i, cancellation) =>
        {
            watchers[i] = new Watcher(1);
            var tag = context.Sessions.Tag(i % context.Options.Tags);
            await watchers[i].StartAsync(sessions[i], [tag], context.Options.IntervalMs, cancellation);
        });
        return watchers;
    }

    private async Task<(double CpuPerSecond, long Values)> MeasureAsync(SessionPool pool, Watcher[] watchers)
    {
        var report = context.Report;
        // One interval for the first values, which the bring-up of the others delayed.
        await Task.Delay(TimeSpan.FromMilliseconds(2 * context.Options.IntervalMs), context.Cancellation);
        var before = watchers.Sum(watcher => watcher.Values);
        var cpu = await context.ServerCpuPerSecondAsync(context.Options.Seconds);
        var values = watchers.Sum(watcher => watcher.Values) - before;
        report.Add("notifications received", values, string.Empty);
        report.Add("notifications a second", values / (double)context.Options.Seconds, "/s");
        report.AddFault("sessions without a notification", watchers.Count(watcher => watcher.Values == 0));
        report.AddFault("gaps", watchers.Sum(watcher => watcher.Gaps));
        report.AddFault("repeats", watchers.Sum(watcher => watcher.Repeats));
        report.AddFault("bad values", watchers.Sum(watcher => watcher.BadValues));
        report.AddFault("messages lost", watchers.Sum(watcher => watcher.Lost));
        report.AddFault("sessions lost", pool.Sessions.Count(session => !session.IsOpen));
        return (cpu, values);
    }
}
