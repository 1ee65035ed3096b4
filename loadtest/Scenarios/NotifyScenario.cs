using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>
/// Server CPU of a notification: sessions with one changing item, then with a hundred each, all changing once an
/// interval. Needs a plant whose tags change once an interval (as many changes a second as tags at one second).
///</summary>
internal sealed class NotifyScenario(RunContext context)
{
    public async Task RunAsync()
    {
        var idle = await CpuPerSecondAsync();
        context.Report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        await RunAsync(1, idle);
        await RunAsync(100, idle);
    }

    private async Task RunAsync(int itemsPerSession, double idle)
    {
        var report = context.Report;
        var pool = new SessionPool(context);
        await pool.OpenAsync(context.Options.Sessions);
        List<Watcher> watchers = [];
        foreach (var session in pool.Sessions)
        {
            var first = watchers.Count * itemsPerSession;
            var tags = Enumerable.Range(first, itemsPerSession)
                .Select(i => context.Sessions.Tag(i % context.Options.Tags)).ToArray();
            var watcher = new Watcher(itemsPerSession);
            await watcher.StartAsync(
                session, tags, context.Options.IntervalMs, context.Options.IntervalMs, context.Cancellation);
            watchers.Add(watcher);
        }

        await Task.Delay(TimeSpan.FromMilliseconds(2 * context.Options.IntervalMs), context.Cancellation);
        var (values, messages) = (watchers.Sum(w => w.Values), watchers.Sum(w => w.Messages));
        var cpu = await CpuPerSecondAsync(context.Options.Seconds);
        values = watchers.Sum(w => w.Values) - values;
        messages = watchers.Sum(w => w.Messages) - messages;
        var seconds = (double)context.Options.Seconds;
        var label = $"{itemsPerSession} item{(itemsPerSession == 1 ? "" : "s")} a session: ";
        report.Add(label + "notifications a second", values / seconds, "/s");
        report.Add(label + "notifications a message", values / (double)messages, string.Empty);
        report.Add(label + "server CPU a message", 1e6 * (cpu - idle) * seconds / messages, "µs");
        report.Add(label + "server CPU a notification", 1e6 * (cpu - idle) * seconds / values, "µs");
        report.AddFault(label + "gaps", watchers.Sum(w => w.Gaps));
        report.AddFault(label + "repeats", watchers.Sum(w => w.Repeats));
        report.AddFault(label + "messages lost", watchers.Sum(w => w.Lost));
        report.AddFault(label + "subscriptions ended", watchers.Sum(w => w.Ended));
        await pool.CloseAsync();
    }

    private async Task<double> CpuPerSecondAsync(int seconds = 2)
    {
        var cpu = context.ServerCpuSeconds;
        await Task.Delay(TimeSpan.FromSeconds(seconds), context.Cancellation);
        return (context.ServerCpuSeconds - cpu) / seconds;
    }
}
