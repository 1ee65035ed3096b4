using Gateway.Loadtest.Checks;
using Gateway.Loadtest.Reports;

namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>The experience of good clients in one part of the run. Threads: any.</summary>
internal sealed class GoodCounts
{
    private long _activations;
    private long _refusals;
    private long _lost;
    private long _never;
    private string _firstRefusal = string.Empty;

    public Histogram ActiveAfter { get; } = new();

    public Histogram Reads { get; } = new();

    public long Activations => Volatile.Read(ref _activations);

    public void Active(double ms)
    {
        Interlocked.Increment(ref _activations);
        ActiveAfter.Add(ms);
    }

    public void Refused(string text)
    {
        if (Interlocked.Increment(ref _refusals) == 1)
            _firstRefusal = text;
    }

    public void Lost() => Interlocked.Increment(ref _lost);

    public void Never() => Interlocked.Increment(ref _never);

    public void AddTo(Report report, double seconds)
    {
        report.Add("good: became active", Activations / seconds, "/s");
        report.Add("good: time to active p50", ActiveAfter.PercentileMs(0.5), "ms");
        report.Add("good: time to active p99", ActiveAfter.PercentileMs(0.99), "ms");
        report.Add("good: time to active max", ActiveAfter.MaximumMs, "ms");
        report.Add("good: attempts that failed", _refusals);
        report.Add("good: Reads", Reads.Count / seconds, "/s");
        report.Add("good: Read p50", Reads.PercentileMs(0.5), "ms");
        report.Add("good: Read p99", Reads.PercentileMs(0.99), "ms");
        report.Add("good: Read max", Reads.MaximumMs, "ms");
        report.AddFault("good: sessions lost", _lost);
        report.AddFault("good: not active within 30 s", _never);
        if (_firstRefusal.Length > 0)
            report.Note($"a good client was told: {_firstRefusal}");
    }
}
