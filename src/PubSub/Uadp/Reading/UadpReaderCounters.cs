namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Messages by what became of them. Threads: any.</summary>
internal sealed class UadpReaderCounters
{
    private readonly long[] _messages = new long[Enum.GetValues<UadpReadProblem>().Length];
    private readonly long[] _dataSets = new long[Enum.GetValues<UadpDataSetProblem>().Length];
    private long _chunkTimeouts;

    /// <summary>Payloads given up because chunks did not come.</summary>
    public long ChunkTimeouts => Interlocked.Read(ref _chunkTimeouts);

    /// <summary>NetworkMessages.</summary>
    public long this[UadpReadProblem problem] => Interlocked.Read(ref _messages[(int)problem]);

    /// <summary>DataSetMessages.</summary>
    public long this[UadpDataSetProblem problem] => Interlocked.Read(ref _dataSets[(int)problem]);

    public void Count(UadpReadProblem problem) => Interlocked.Increment(ref _messages[(int)problem]);

    public void Count(UadpDataSetProblem problem) => Interlocked.Increment(ref _dataSets[(int)problem]);

    public void CountChunkTimeout() => Interlocked.Increment(ref _chunkTimeouts);
}
