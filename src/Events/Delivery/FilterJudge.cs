using Gateway.Codec.Types;
using Gateway.Events.Model;

namespace Gateway.Events.Delivery;

/// <summary>Holds the event that is being raised against filters, and encodes its fields for those that it passes,
/// within the budget of steps (R44). Owner: the hub, while it raises an event.</summary>
internal sealed class FilterJudge(FilterBudget budget, FieldEncoder encoder) : IDisposable
{
    private Variant[] _results = [];
    private EventRecord? _before;
    private EventRecord? _ended;
    private long _unjudged;

    /// <summary>Events that found no steps left, each filter counted.</summary>
    public long Unjudged => Interlocked.Read(ref _unjudged);

    /// <param name="before">The notification of its condition before it.</param>
    public void Begin(EventRecord? before)
    {
        budget.Begin();
        _before = before is { IsRetained: true } ? before : null;
    }

    public void End() => (_before, _ended) = (null, null);

    public void Judge(FilterEntry entry, EventRecord record)
    {
        var passes = Passes(entry, record);
        entry.IsEnding = !passes && !entry.IsUnjudged && _before is not null &&
            (entry.Strays > 0 || Passes(entry, _before));
        if (passes)
            Encode(entry, record);
        else if (entry.IsEnding)
            Encode(entry, EndOf(record));
    }

    /// <summary>The first stray may have come while the event was looked at, which does not pass: then the items get
    /// its end.</summary>
    public void JudgeStrays(FilterEntry entry, EventRecord record)
    {
        if (_before is null || entry.Strays == 0)
            return;
        entry.IsEnding = true;
        Encode(entry, EndOf(record));
    }

    public void Dispose() => encoder.Dispose();

    /// <summary>As it is told to those whose filter it passes no longer.</summary>
    private EventRecord EndOf(EventRecord record) => _ended ??= record.WithoutRetain();

    /// <summary>Each look has steps of its own.</summary>
    private bool Passes(FilterEntry entry, EventRecord record)
    {
        if (_results.Length < entry.Filter.ElementCount)
            _results = new Variant[entry.Filter.ElementCount];
        var most = budget.StepsFor(entry.Holder.OnEvents);
        var left = most;
        var passes = entry.Filter.Passes(record, _results, ref left);
        Charge(entry, most, left);
        return passes;
    }

    /// <summary>Select clauses may ask for large values, and for parts of them.</summary>
    private void Encode(FilterEntry entry, EventRecord record)
    {
        var most = budget.StepsFor(entry.Holder.OnEvents);
        var left = most;
        entry.Fields = encoder.TryEncode(entry.Filter, record, ref left);
        Charge(entry, most, left);
    }

    private void Charge(FilterEntry entry, int most, int left)
    {
        budget.Charge(entry.Holder.OnEvents, most, left);
        entry.IsUnjudged = left < 0;
        if (left < 0)
            Interlocked.Increment(ref _unjudged);
    }
}
