using System.Diagnostics.CodeAnalysis;

namespace Gateway.Events.Delivery;

/// <summary>The places for distinct filters, and which client holds how many. The last sixth is kept from a client that
/// has more than a sixth (R46). Owner: the hub, under its lock.</summary>
internal sealed class FilterPlaces(int limit, TimeProvider time)
{
    private const int Parts = 6;

    private readonly Dictionary<string, FilterHolder> _holders = [];
    private long _second;
    private int _used;
    private long _refused;

    /// <summary>Filters that found no place.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    public bool TryTake(string name, [NotNullWhen(true)] out FilterHolder? holder)
    {
        var reserve = limit / Parts;
        var held = _holders.TryGetValue(name, out holder) ? holder.Filters : 0;
        if (_used >= limit || (_used >= limit - reserve && held > reserve && reserve > 0))
        {
            Interlocked.Increment(ref _refused);
            holder = null;
            return false;
        }

        if (holder is null)
        {
            Forget();
            _holders.Add(name, holder = new FilterHolder());
        }

        _used++;
        holder.Filters++;
        return true;
    }

    public void Release(FilterHolder holder)
    {
        _used--;
        if (--holder.Filters == 0)
            holder.EmptySince = Second;
    }

    private long Second => FilterBudget.SecondOf(time);

    /// <summary>A client without filters stays known until the second is over: what they have taken of its steps is on
    /// its account also where it deletes a filter and creates the next one. Looks at all once a second, and where they
    /// are many.</summary>
    private void Forget()
    {
        var areMany = _holders.Count >= 2 * limit;
        if (_second == Second && !areMany)
            return;
        _second = Second;
        foreach (var (name, holder) in _holders)
        {
            if (holder.Filters == 0 && (areMany || holder.EmptySince < _second))
                _holders.Remove(name);
        }
    }
}
