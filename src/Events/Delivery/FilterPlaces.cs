using System.Diagnostics.CodeAnalysis;

namespace Gateway.Events.Delivery;

/// <summary>The places for distinct filters, and which client holds how many. The last sixth is kept from a client that
/// has more than a sixth (R46). Owner: the hub, under its lock.</summary>
internal sealed class FilterPlaces(int limit)
{
    private const int Parts = 6;

    private readonly Dictionary<string, FilterHolder> _holders = [];
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
            _holders.Add(name, holder = new FilterHolder(name));
        _used++;
        holder.Filters++;
        return true;
    }

    public void Release(FilterHolder holder)
    {
        _used--;
        if (--holder.Filters == 0)
            _holders.Remove(holder.Name);
    }
}
