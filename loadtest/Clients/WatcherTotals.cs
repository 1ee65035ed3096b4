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

    /// <summary>Everything that must be zero.</summary>
    public void AddFaultsTo(Report report)
    {
        report.AddFault("gaps in the counters", Gaps);
        report.AddFault("values missing there", Missing);
        report.AddFault("repeated values", Repeats);
        report.AddFault("reordered values", Reorders);
        report.AddFault("bad or unknown values", Unknown);
        report.AddFault("sequence numbers missing or twice", SequenceFaults);
        report.AddFault("messages lost", Lost);
        report.AddFault("subscriptions ended by the server", Ended);
        report.AddFault("items without a value", Silent);
        report.Add("messages fetched by Republish", Republished);
        report.Add("keep-alives", KeepAlives);
    }

    private void Add(Watcher watcher)
    {
        Values += watcher.Counters.Values;
        Messages += watcher.Messages;
        KeepAlives += watcher.KeepAlives;
        Republished += watcher.Subscription?.Republished ?? 0;
        Gaps += watcher.Counters.Gaps;
        Missing += watcher.Counters.Missing;
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
