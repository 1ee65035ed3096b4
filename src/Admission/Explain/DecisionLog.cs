namespace Gateway.Admission.Explain;

/// <summary>The last refusals, in a ring. Threads: any; its lock is a leaf.</summary>
public sealed class DecisionLog(int capacity)
{
    private const int MaxTextLength = 600;

    private readonly Lock _lock = new();
    private readonly Refusal[] _ring = new Refusal[capacity];
    private long _total;

    public long Total => Volatile.Read(ref _total);

    /// <summary>Keeps a peer's texts up to a bounded length (R04).</summary>
    public void Add(Refusal refusal)
    {
        refusal = refusal with
        {
            Subject = Cut(refusal.Subject),
            User = Cut(refusal.User),
            Detail = Cut(refusal.Detail),
        };
        lock (_lock)
            _ring[(int)(_total++ % capacity)] = refusal;
    }

    /// <summary>Newest first.</summary>
    public Refusal[] Snapshot()
    {
        lock (_lock)
        {
            var count = (int)Math.Min(_total, capacity);
            var result = new Refusal[count];
            for (var i = 0; i < count; i++)
                result[i] = _ring[(int)((_total - 1 - i) % capacity)];
            return result;
        }
    }

    private static string? Cut(string? text) => text is { Length: > MaxTextLength } ? text[..MaxTextLength] : text;
}
