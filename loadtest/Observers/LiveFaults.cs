using Gateway.Loadtest.Clients;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Observers;

/// <summary>Everything about the live sessions' notifications that must be zero, over the observer's whole life.
/// </summary>
internal sealed record LiveFaults(
    long Gaps,
    long Missing,
    long Repeats,
    long Reorders,
    long Unknown,
    long SequenceFaults,
    long Lost,
    long Ended,
    long SilentItems,
    long Republished)
{
    public static LiveFaults Of(WatcherTotals totals) => new(
        totals.Gaps, totals.Missing, totals.Repeats, totals.Reorders, totals.Unknown, totals.SequenceFaults,
        totals.Lost, totals.Ended, totals.Silent, totals.Republished);

    public void AddTo(Report report)
    {
        report.AddFault("live: gaps in the counters", Gaps);
        report.AddFault("live: values missing there", Missing);
        report.AddFault("live: repeated values", Repeats);
        report.AddFault("live: reordered values", Reorders);
        report.AddFault("live: bad or unknown values", Unknown);
        report.AddFault("live: sequence numbers missing or twice", SequenceFaults);
        report.AddFault("live: messages lost", Lost);
        report.AddFault("live: subscriptions ended by the server", Ended);
        report.AddFault("live: items without a value", SilentItems);
        report.Add("live: messages fetched by Republish", Republished);
    }
}
