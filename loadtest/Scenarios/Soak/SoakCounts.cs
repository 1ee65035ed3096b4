namespace Gateway.Loadtest.Scenarios.Soak;

/// <summary>The acts of the visitors and the answers to them. Threads: any.</summary>
internal sealed class SoakCounts
{
    private readonly Lock _lock = new();
    private readonly long[] _done = new long[Enum.GetValues<SoakAct>().Length];
    private readonly Dictionary<(SoakAct Act, string Why), long> _refused = [];
    private long _total;

    public long Total => Volatile.Read(ref _total);

    public void Done(SoakAct act)
    {
        Interlocked.Increment(ref _done[(int)act]);
        Interlocked.Increment(ref _total);
    }

    public void Refused(SoakAct act, string why)
    {
        var key = (act, why);
        lock (_lock)
            _refused[key] = _refused.GetValueOrDefault(key) + 1;
    }

    public IEnumerable<(SoakAct Act, long Done, string Refusals)> All()
    {
        lock (_lock)
        {
            return [.. Enum.GetValues<SoakAct>().Select(act => (act, _done[(int)act], string.Join(
                ", ",
                _refused.Where(refusal => refusal.Key.Act == act)
                    .Select(refusal => $"{refusal.Value} × {refusal.Key.Why}"))))];
        }
    }
}
