namespace Gateway.Sources.Upstreams;

/// <summary>How long an upstream's answers take: the last one, and the mean and worst of the last
/// <see cref="Kept"/>. Threads: any.</summary>
public sealed class RequestLatency
{
    /// <summary>Of an idle upstream these are some five minutes.</summary>
    public const int Kept = 32;

    private readonly Lock _lock = new();
    private readonly TimeSpan[] _ring = new TimeSpan[Kept];
    private long _count;

    public void Add(TimeSpan took)
    {
        lock (_lock)
            _ring[_count++ % Kept] = took;
    }

    /// <summary>Null: none has answered since the start.</summary>
    public LatencyReport? Read()
    {
        lock (_lock)
        {
            if (_count == 0)
                return null;
            var kept = _ring.AsSpan(0, (int)Math.Min(_count, Kept));
            var (sum, worst) = (TimeSpan.Zero, TimeSpan.Zero);
            foreach (var one in kept)
            {
                sum += one;
                worst = one > worst ? one : worst;
            }

            return new LatencyReport(_ring[(_count - 1) % Kept], sum / kept.Length, worst, kept.Length);
        }
    }
}
