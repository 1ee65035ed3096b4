namespace Gateway.PubSub.Readers;

/// <summary>Counts messages and fields that are not used. Threads: any.</summary>
internal sealed class ProblemCounters
{
    private readonly long[] _counts = new long[Enum.GetValues<ReaderProblem>().Length];

    /// <summary>The first one of its kind?</summary>
    public bool Count(ReaderProblem problem) => Interlocked.Increment(ref _counts[(int)problem]) == 1;

    public long Of(ReaderProblem problem) => Volatile.Read(ref _counts[(int)problem]);

    /// <summary>Those that there were.</summary>
    public Dictionary<string, long> Read() => Enum.GetValues<ReaderProblem>()
        .Where(problem => Volatile.Read(ref _counts[(int)problem]) > 0)
        .ToDictionary(static problem => problem.ToString(), problem => Volatile.Read(ref _counts[(int)problem]));
}
