using System.Globalization;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Clients;

/// <summary>The counts of many watchers at one moment.</summary>
internal sealed class WatcherTotals
{
    public WatcherTotals(IEnumerable<Watcher> watchers)
    {
        foreach (var watcher in watchers)
            Add(watcher);
    }

    public long Values { get; private set; }

    public long Messages { get; private set; }

    public long KeepAlives { get; private set; }

    public long Republished { get; private set; }

    public long Gaps { get; private set; }

    public long Missing { get; private set; }

    /// <summary>Gaps that the Overflow bit tells of.</summary>
    public long Overflows { get; private set; }

    /// <summary>Gaps of items with a queue of one entry.</summary>
    public long Replaced { get; private set; }

    /// <summary>Items whose queue is shorter than asked for.</summary>
    public long ShortQueues { get; private set; }

    public long Repeats { get; private set; }

    public long Reorders { get; private set; }

    public long Unknown { get; private set; }

    public long SequenceFaults { get; private set; }

    public long Lost { get; private set; }

    public long Ended { get; private set; }

    /// <summary>Items that never had a value.</summary>
    public long Silent { get; private set; }

    /// <summary>The largest, with its sign; NaN where nothing was measured.</summary>
    public double DriftMs { get; private set; } = double.NaN;

    /// <summary>The counts that must be zero and are not; empty when nothing was lost, repeated or reordered.</summary>
    public string FaultText => string.Join(
        ", ",
        from fault in Faults()
        where fault.Count != 0
        select string.Create(CultureInfo.InvariantCulture, $"{fault.Name}: {fault.Count:N0}"));

    /// <summary>Everything that must be zero.</summary>
    public void AddFaultsTo(Report report)
    {
        foreach (var (name, count) in Faults())
            report.AddFault(name, count);
        report.Add("messages fetched by Republish", Republished);
        report.Add("keep-alives", KeepAlives);
        if (ShortQueues > 0)
            report.Note($"the server granted {ShortQueues} items a shorter queue than they asked for");
    }

    private IEnumerable<(string Name, long Count)> Faults() =>
    [
        ("gaps in the counters", Gaps),
        ("values missing there", Missing),
        ("gaps that the Overflow bit tells of", Overflows),
        ("gaps in queues of one entry", Replaced),
        ("repeated values", Repeats),
        ("reordered values", Reorders),
        ("bad or unknown values", Unknown),
        ("sequence numbers missing or twice", SequenceFaults),
        ("messages lost", Lost),
        ("subscriptions ended by the server", Ended),
        ("items without a value", Silent),
    ];

    private void Add(Watcher watcher)
    {
        Values += watcher.Counters.Values;
        Messages += watcher.Messages;
        KeepAlives += watcher.KeepAlives;
        Republished += watcher.Subscription?.Republished ?? 0;
        Gaps += watcher.Counters.Gaps;
        Missing += watcher.Counters.Missing;
        Overflows += watcher.Counters.Overflows;
        Replaced += watcher.Counters.Replaced;
        ShortQueues += watcher.ShortQueues;
        Repeats += watcher.Counters.Repeats;
        Reorders += watcher.Counters.Reorders;
        Unknown += watcher.Counters.Unknown;
        SequenceFaults += watcher.Sequence.Gaps + watcher.Sequence.Repeats + (watcher.Subscription?.Repeated ?? 0);
        Lost += watcher.Lost;
        Ended += watcher.Ended;
        Silent += watcher.Counters.Silent;
        if (double.IsNaN(DriftMs) || Math.Abs(watcher.DriftMs) > Math.Abs(DriftMs))
            DriftMs = watcher.DriftMs;
    }
}
