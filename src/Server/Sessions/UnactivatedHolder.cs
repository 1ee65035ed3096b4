namespace Gateway.Server.Sessions;

/// <summary>Who has sessions that were never activated: a certificate, or an address where there is none. Guarded by
/// the lock of <see cref="UnactivatedSessions"/>.</summary>
internal sealed class UnactivatedHolder(string key)
{
    /// <summary>Most first; of equals the one whose oldest session is the oldest.</summary>
    public static readonly IComparer<UnactivatedHolder> ByVictim = Comparer<UnactivatedHolder>.Create(
        static (left, right) => left.Own.Count != right.Own.Count
            ? right.Own.Count.CompareTo(left.Own.Count)
            : left.OldestOrder.CompareTo(right.OldestOrder));

    public string Key { get; } = key;

    /// <summary>Oldest first; never empty while the holder is known.</summary>
    public LinkedList<UnactivatedEntry> Own { get; } = new();

    private long OldestOrder => Own.First?.Value.Order ?? long.MaxValue;
}
