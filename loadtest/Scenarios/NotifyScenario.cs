using Gateway.Loadtest.Clients;

namespace Gateway.Loadtest.Scenarios;

/// <summary>
/// Server CPU of a notification: sessions with one changing item, then with a hundred each, all changing once an
/// interval. Needs a plant whose tags change once an interval (as many changes a second as tags at one second).
/// </summary>
internal sealed class NotifyScenario(RunContext context)
{
    public async Task RunAsync()
    {
        var one = await MeasureAsync(1);
        var hundred = await MeasureAsync(100);
        var idle = await context.ServerIdleCpuAsync();
        context.Report.Add("server CPU idle (taken off)", 100 * idle, "% of a core");
        Add(one, idle);
        Add(hundred, idle);
    }

    private async Task<Measurement> MeasureAsync(int itemsPerSession)
    {
        var pool = new SessionPool(context);
        await pool.OpenAsync(context.Options.Sessions);
        List<Watcher> watchers = [];
        foreach (var session in pool.Sessions)
        {
            var first = watchers.Count * itemsPerSession;
            var tags = Enumerable.Range(first, itemsPerSession)
                .Select(i => context.Sessions.Tag(i % context.Options.Tags)).ToArray();
            var watcher = new Watcher(itemsPerSession);
            await watcher.StartAsync(session, tags, context.Options.IntervalMs, context.Cancellation);
            watchers.Add(watcher);
        }

        await Task.Delay(TimeSpan.FromMilliseconds(2 * context.Options.IntervalMs), context.Cancellation);
        var (values, messages) = (watchers.Sum(w => w.Values), watchers.Sum(w => w.Messages));
        var cpu = await context.ServerCpuPerSecondAsync(context.Options.Seconds);
        values = watchers.Sum(w => w.Values) - values;
        messages = watchers.Sum(w => w.Messages) - messages;
        await pool.CloseAsync();
        return new Measurement(itemsPerSession, values, messages, cpu, watchers);
    }

    private void Add(Measurement run, double idle)
    {
        var report = context.Report;
        var seconds = (double)context.Options.Seconds;
        var cpu = 1e6 * (run.CpuPerSecond - idle) * seconds;
        var label = $"{run.Items} a session: ";
        report.Add(label + "notifications a second", run.Values / seconds, "/s");
        report.Add(label + "notifications a message", run.Values / (double)run.Messages, string.Empty);
        report.Add(label + "server CPU a message", cpu / run.Messages, "µs");
        report.Add(label + "server CPU a notification", cpu / run.Values, "µs");
        report.AddFault(label + "gaps", run.Watchers.Sum(w => w.Gaps));
        report.AddFault(label + "repeats", run.Watchers.Sum(w => w.Repeats));
        report.AddFault(label + "messages lost", run.Watchers.Sum(w => w.Lost));
    }

    private sealed record Measurement(
        int Items, long Values, long Messages, double CpuPerSecond, List<Watcher> Watchers);
}
