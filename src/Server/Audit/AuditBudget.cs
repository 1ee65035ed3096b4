namespace Gateway.Server.Audit;

/// <summary>Lines of one kind in the current second, and how many were dropped since the last that passed.</summary>
internal sealed class AuditBudget
{
    private readonly Lock _lock = new();
    private long _second = long.MinValue;
    private int _used;
    private long _dropped;

    public bool TryTake(long second, int limit, out long dropped)
    {
        lock (_lock)
        {
            if (second != _second)
            {
                _second = second;
                _used = 0;
            }

            dropped = _dropped;
            if (_used >= limit)
            {
                _dropped++;
                return false;
            }

            _used++;
            _dropped = 0;
            return true;
        }
    }
}
