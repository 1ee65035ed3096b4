namespace Gateway.Store;

/// <summary>Numbers of one log since its start. Threads: written under the log's lock or by the disk's thread alone;
/// read by any.</summary>
internal sealed class LogCounters
{
    private long _appended;
    private long _acknowledged;
    private readonly long[] _lost = new long[Enum.GetValues<GapReason>().Length + 1];

    public long Appended => Volatile.Read(ref _appended);

    public long Acknowledged => Volatile.Read(ref _acknowledged);

    public long Lost => Enumerable.Range(1, _lost.Length - 1).Sum(reason => LostBy((GapReason)reason));

    public long LostBy(GapReason reason) => Volatile.Read(ref _lost[(int)reason]);

    public void Append() => Volatile.Write(ref _appended, _appended + 1);

    public void Acknowledge() => Volatile.Write(ref _acknowledged, _acknowledged + 1);

    public void Lose(GapReason reason, long count) =>
        Volatile.Write(ref _lost[(int)reason], _lost[(int)reason] + count);
}
