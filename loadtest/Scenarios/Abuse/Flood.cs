namespace Gateway.Loadtest.Scenarios.Abuse;

/// <summary>A client that takes what it can get, for a while. Threads: any count.</summary>
internal abstract class Flood : IDisposable
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, long> _answers = [];
    private long _attempts;

    public long Attempts => Volatile.Read(ref _attempts);

    /// <summary>Connections that it has now.</summary>
    public abstract int Held { get; }

    /// <summary>Attempts that succeeded.</summary>
    public abstract long Served { get; }

    /// <summary>The outcomes of the attempts, hints left out.</summary>
    public virtual IReadOnlyDictionary<string, long> Answers
    {
        get
        {
            lock (_lock)
                return new Dictionary<string, long>(_answers);
        }
    }

    public abstract Task RunAsync(double seconds, CancellationToken cancellation);

    /// <summary>Lets go of all that it holds.</summary>
    public virtual void Dispose()
    {
    }

    protected void Attempt() => Interlocked.Increment(ref _attempts);

    protected void Answered(string text)
    {
        lock (_lock)
            _answers[text] = _answers.GetValueOrDefault(text) + 1;
    }
}
