namespace Gateway.Events.Delivery;

/// <summary>The places for distinct filters, and which client holds how many. The last sixth is kept from a client that
/// has more than a sixth (R46). Owner: the hub, under its lock.</summary>
internal sealed class FilterPlaces(int limit)
{
    private const int Parts = 6;

    private readonly Dictionary<string, int> _held = [];
    private int _used;
    private long _refused;

    /// <summary>Filters that found no place.</summary>
    public long Refused => Interlocked.Read(ref _refused);

    public bool TryTake(string holder)
    {
        var reserve = limit / Parts;
        var held = _held.GetValueOrDefault(holder);
        if (_used >= limit || (_used >= limit - reserve && held > reserve && reserve > 0))
        {
            Interlocked.Increment(ref _refused);
            return false;
        }

        _used++;
        _held[holder] = held + 1;
        return true;
    }

    public void Release(string holder)
    {
        _used--;
        if (--_held[holder] == 0)
            _held.Remove(holder);
    }
}
