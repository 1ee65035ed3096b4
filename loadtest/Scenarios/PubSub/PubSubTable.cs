using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.PubSub;

/// <summary>A column for each part; the costs of a gateway are those beyond the one that publishes nothing.</summary>
internal sealed class PubSubTable(Report report)
{
    private double _quietCores;
    private double _quietAllocatedPerSecond;

    public void Print(PubSubColumn column)
    {
        report.BeginColumn(column.Name);
        if (column.Check is { } check)
        {
            PrintCosts(column);
            PrintLatency(column.Latency!);
            PrintFaults(report, check, column.IsPeer);
        }
        else
        {
            _quietCores = column.Window.ServerCores;
            _quietAllocatedPerSecond = column.Window.ServerAllocatedBytes / column.Window.Seconds;
        }

        report.Add("publisher CPU", column.Window.ServerCores, "cores");
        report.Add("driver CPU", column.Window.DriverCores, "cores");
        report.Add("publisher collections Gen0", column.Window.ServerGen0);
        report.Add("publisher collections Gen2", column.Window.ServerGen2);
        report.Add("publisher resident memory", column.Window.ServerResidentBytes / 1024 / 1024, "MiB");
        PrintSessions(column);
    }

    /// <summary>Of the gateway each count must be zero; of the peer they are told.</summary>
    public static void PrintFaults(Report report, PublishedCheck check, bool isPeer)
    {
        (string, long)[] faults =
        [
            ("values missing", check.Counters.Missing), ("values repeated", check.Counters.Repeats),
            ("values out of order", check.Counters.Reorders), ("values that are no counter", check.Counters.Unknown),
            ("sequence numbers missing", check.SequenceGaps), ("messages that cannot be read", check.Unreadable),
            ("tags without a value", check.Counters.Silent),
        ];
        foreach (var (name, count) in faults)
        {
            if (isPeer)
                report.Add(name, count);
            else
                report.AddFault(name, count);
        }
    }

    private void PrintCosts(PubSubColumn column)
    {
        var window = column.Window;
        var busy = window.ServerCpuSeconds - (column.IsPeer ? 0 : _quietCores * window.Seconds);
        var allocated = window.ServerAllocatedBytes - (column.IsPeer ? 0 : _quietAllocatedPerSecond * window.Seconds);
        report.Add("values a second", column.Fields / window.Seconds, "/s");
        report.Add("messages a second", column.Messages / window.Seconds, "/s");
        report.Add("values a message", (double)column.Fields / column.Messages);
        report.Add("bytes a value", (double)column.Bytes / column.Fields, "B");
        report.Add("of the messages key frames", 100.0 * column.KeyFrames / column.Messages, "%");
        report.Add("publisher CPU a value", 1e6 * busy / column.Fields, "µs");
        report.Add("values a second and core of the publisher", column.Fields / busy, "/s");
        report.Add("publisher CPU a message", 1e6 * busy / column.Messages, "µs");
        report.Add("publisher allocated a value", allocated / column.Fields, "B");
        report.Add("publisher allocated a message", allocated / column.Messages, "B");
        report.Add("broker CPU a value", 1e6 * column.BrokerCpuSeconds / column.Fields, "µs");
        report.Add("messages that came again", column.Check!.Again);
        if (column.Fields == 0)
            report.Fail("nothing was published");
    }

    private void PrintLatency(Histogram latency)
    {
        report.Add("latency p50", latency.PercentileMs(0.5), "ms");
        report.Add("latency p99", latency.PercentileMs(0.99), "ms");
        report.Add("latency max", latency.MaximumMs, "ms");
    }

    private void PrintSessions(PubSubColumn column)
    {
        if (column.Sessions is { Count: > 0 } sessions)
            sessions.AddTo(report);
    }
}
