using Gateway.Host.Configuration;

namespace Gateway.Host.Logging;

/// <summary>
/// Rate limit of the log (R24): lines of one kind, and bytes of all kinds. Two token buckets, each of half its limit
/// and refilled with half its limit a minute, so that no period of a minute gets more than the limit. A reserve of the
/// bytes is for kinds that wrote little lately, so that a flood of one kind does not hide the others. Bounded:
/// <see cref="MaxKinds"/> kinds; later ones share an entry. Any thread; its lock is a leaf.
/// </summary>
internal sealed class LogThrottle(LogLimits limits, TimeProvider time)
{
    internal const int MaxKinds = 512;

    /// <summary>Share of the bytes reserved for kinds that wrote little.</summary>
    private const double ReservedShare = 0.25;

    /// <summary>A kind that used at most this share of its lines wrote little.</summary>
    private const double LittleShare = 0.1;

    private static readonly LogKind Others = new("Gateway", 0, "others");

    private readonly Lock _lock = new();
    private readonly Dictionary<LogKind, Entry> _kinds = [];
    private double _bytes = limits.MaxLogBytesPerMinute * 7.0 / 16;
    private long _filled = time.GetTimestamp();
    private long _written;
    private long _dropped;

    private double BurstLines => Math.Max(1, limits.MaxLogLinesPerMinute / 2.0);

    // A sixteenth less than half: for lines that are being written when the bucket becomes empty.
    private double BurstBytes => limits.MaxLogBytesPerMinute * 7.0 / 16;

    public long Written => Volatile.Read(ref _written);

    public long Dropped => Volatile.Read(ref _dropped);

    /// <summary>Called before a line is made. True: make it, and report its size to <see cref="Wrote"/>.</summary>
    public bool TryTake(in LogKind kind, string? template)
    {
        lock (_lock)
        {
            FillUnderLock();
            var entry = EntryUnderLock(kind);
            var wroteLittle = entry.Lines >= BurstLines * (1 - LittleShare);
            var floor = wroteLittle ? 0 : BurstBytes * ReservedShare;
            if (entry.Lines >= 1 && _bytes > floor)
            {
                entry.Lines--;
                Interlocked.Increment(ref _written);
                return true;
            }

            entry.Template ??= template;
            entry.Dropped++;
            Interlocked.Increment(ref _dropped);
            return false;
        }
    }

    /// <summary>Subtracts a line's size. The bucket may become negative; then later lines wait for the refill.
    /// </summary>
    public void Wrote(int bytes)
    {
        lock (_lock)
            _bytes -= bytes;
    }

    /// <summary>The lines dropped since the last call, by kind.</summary>
    public LogGap[] TakeGaps()
    {
        lock (_lock)
        {
            var gaps = new List<LogGap>();
            foreach (var (kind, entry) in _kinds)
            {
                if (entry.Dropped == 0)
                    continue;
                gaps.Add(new LogGap(kind, entry.Template, entry.Dropped));
                entry.Dropped = 0;
            }

            return [.. gaps];
        }
    }

    private Entry EntryUnderLock(in LogKind kind)
    {
        if (_kinds.TryGetValue(kind, out var entry) ||
            (_kinds.Count >= MaxKinds && _kinds.TryGetValue(Others, out entry)))
            return entry;
        entry = new Entry { Lines = BurstLines };
        _kinds.Add(_kinds.Count < MaxKinds ? kind : Others, entry);
        return entry;
    }

    private void FillUnderLock()
    {
        var now = time.GetTimestamp();
        var minutes = time.GetElapsedTime(_filled, now).TotalMinutes;
        // At most ten refills a second, so that not every line walks a table of a few hundred entries.
        if (minutes < 1.0 / 600)
            return;
        _filled = now;
        _bytes = Math.Min(BurstBytes, _bytes + (minutes * limits.MaxLogBytesPerMinute / 2));
        foreach (var (_, entry) in _kinds)
            entry.Lines = Math.Min(BurstLines, entry.Lines + (minutes * limits.MaxLogLinesPerMinute / 2));
    }

    private sealed class Entry
    {
        public double Lines { get; set; }

        public long Dropped { get; set; }

        public string? Template { get; set; }
    }
}
