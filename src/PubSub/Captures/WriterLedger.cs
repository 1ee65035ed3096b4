namespace Gateway.PubSub.Captures;

/// <summary>The sequence numbers of one DataSetWriter in a capture. They begin at 0 again with each start of the
/// publisher, so that each start has a run of its own. Owner: the ledger.</summary>
public sealed class WriterLedger
{
    private readonly List<List<uint>> _runs = [];

    /// <summary>Messages with fields, each once.</summary>
    public long Messages { get; private set; }

    /// <summary>Starts of the publisher within the capture.</summary>
    public int Restarts => Math.Max(0, _runs.Count - 1);

    /// <summary>Ranges that no message has, of all runs in order. Before the first message nothing is missing: a
    /// capture may begin in the middle.</summary>
    public IEnumerable<(uint From, uint To)> Missing => _runs.SelectMany(GapsOf);

    internal void Add(uint sequence)
    {
        if (_runs.Count == 0 || sequence == 0)
            _runs.Add([]);
        _runs[^1].Add(sequence);
        Messages++;
    }

    private static IEnumerable<(uint From, uint To)> GapsOf(List<uint> run)
    {
        // In a store that was returned to, a later message may come first.
        var sorted = run.Order().ToList();
        for (var i = 1; i < sorted.Count; i++)
        {
            if (sorted[i] - sorted[i - 1] > 1)
                yield return (sorted[i - 1] + 1, sorted[i] - 1);
        }
    }
}
