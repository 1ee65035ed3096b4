using Gateway.Admission.Stages;

namespace Gateway.Admission.Explain;

/// <summary>The totals of a <see cref="StageBook"/> as they were at each of the last ticks: the events in between are
/// their difference. Not thread-safe: <see cref="AdmissionExplainer"/> locks.</summary>
internal sealed class StageHistory(StageBook book, TimeProvider time, int ticks)
{
    private static readonly AdmissionStage[] Stages = Enum.GetValues<AdmissionStage>();
    private static readonly RefusalReason[] Reasons = Enum.GetValues<RefusalReason>();

    /// <summary>Of a stage: admitted, queued, then refused by reason.</summary>
    private static readonly int Columns = Reasons.Length + 2;

    private readonly Queue<(long At, long[] Totals)> _past = new();
    private readonly long _started = time.GetTimestamp();

    public void Tick()
    {
        if (_past.Count == ticks)
            _past.Dequeue();
        _past.Enqueue((time.GetTimestamp(), Totals()));
    }

    public StageFlow[] Since(TimeSpan age)
    {
        var (at, then) = Before(age);
        var now = Totals();
        var over = time.GetElapsedTime(at);
        var flows = new StageFlow[Stages.Length];
        foreach (var stage in Stages)
        {
            var row = (int)stage * Columns;
            var shed = new List<KeyValuePair<RefusalReason, long>>();
            foreach (var reason in Reasons)
            {
                var cell = row + 2 + (int)reason;
                if (now[cell] - then[cell] > 0)
                    shed.Add(new KeyValuePair<RefusalReason, long>(reason, now[cell] - then[cell]));
            }
            shed.Sort(static (a, b) => b.Value.CompareTo(a.Value));
            flows[(int)stage] = new StageFlow(over, now[row] - then[row], now[row + 1] - then[row + 1], shed);
        }
        return flows;
    }

    /// <summary>The youngest totals that are old enough; the oldest where none are.</summary>
    private (long At, long[] Totals) Before(TimeSpan age)
    {
        var found = (At: _started, Totals: new long[Stages.Length * Columns]);
        if (_past.Count == ticks)
            found = _past.Peek();
        foreach (var past in _past)
        {
            if (time.GetElapsedTime(past.At) < age)
                break;
            found = past;
        }
        return found;
    }

    private long[] Totals()
    {
        var totals = new long[Stages.Length * Columns];
        foreach (var stage in Stages)
        {
            var row = (int)stage * Columns;
            totals[row] = book.Admitted(stage);
            totals[row + 1] = book.Queued(stage);
            foreach (var reason in Reasons)
                totals[row + 2 + (int)reason] = book.Shedded(stage, reason);
        }
        return totals;
    }
}
