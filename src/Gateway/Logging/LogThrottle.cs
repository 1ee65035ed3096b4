using Gateway.Host.Configuration;

namespace Gateway.Host.Logging;

/// <summary>
/// Bounds what is logged (R24): lines of one kind, and bytes of all. Two token buckets, each full at first and refilled
/// at the half of its limit a minute, so that no minute at all, wherever it begins, sees more than the limit. Kinds
/// that wrote little lately may use what the others have to leave, so that a flood of one kind does not hide the rest.
/// Bounded: <see cref="MaxKinds"/> kinds, later ones share an entry. Any thread; its lock is a leaf.
/// </summary>
internal sealed class LogThrottle(LogLimits limits, TimeProvider time)
{
    internal const int MaxKinds = 512;

    /// <summary>Of the bytes: kept for kinds that wrote little.</summary>
    private const double ReservedShare = 0.25;

    /// <summary>Of a kind's lines: what it may have used to count as one that wrote little.</summary>
    private const double LittleShare = 0.1;

    private static readonly LogKind Others = new("Gateway", 0, "others");

    private readonly Lock _lock = new();
    private readonly Dictionary<LogKind, Entry> _kinds = [];
    private readonly double _burstLines = Math.Max(1, limits.MaxLogLinesPerMinute / 2.0);

    // A sixteenth less than the half: for lines that are being written in the moment in which it runs out.
    private readonly double _burstBytes = limits.MaxLogBytesPerMinute * 7.0 / 16;

    private double _bytes = limits.MaxLogBytesPerMinute * 7.0 / 16;
    private long _filled = time.GetTimestamp();
    private long _written;
    private long _dropped;

    public long Written => Volatile.Read(ref _written);

    public long Dropped => Volatile.Read(ref _dropped);

    /// <summary>Before a line is made. True: make it, and tell its size to <see cref="Wrote"/>.</summary>
    public bool TryTake(in LogKind kind, string? template)
    {
        lock (_lock)
        {
            FillUnderLock();
            var entry = EntryUnderLock(kind);
            var wroteLittle = entry.Lines >= _burstLines * (1 - LittleShare);
            var floor = wroteLittle ? 0 : _burstBytes * ReservedShare;
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

    /// <summary>What a line took; what is too much is owed by those that follow.</summary>
    public void Wrote(int bytes)
    {
        lock (_lock)
            _bytes -= bytes;
    }

    /// <summary>What was left out since the last call, by kind.</summary>
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
        entry = new Entry { Lines = _burstLines };
        _kinds.Add(_kinds.Count < MaxKinds ? kind : Others, entry);
        return entry;
    }

    private void FillUnderLock()
    {
        var now = time.GetTimestamp();
        var minutes = time.GetElapsedTime(_filled, now).TotalMinutes;
        // A table of a few hundred entries is not walked for each line.
        if (minutes < 1.0 / 600)
            return;
        _filled = now;
        _bytes = Math.Min(_burstBytes, _bytes + (minutes * limits.MaxLogBytesPerMinute / 2));
        foreach (var (_, entry) in _kinds)
            entry.Lines = Math.Min(_burstLines, entry.Lines + (minutes * limits.MaxLogLinesPerMinute / 2));
    }

    private sealed class Entry
    {
        public double Lines { get; set; }

        public long Dropped { get; set; }

        public string? Template { get; set; }
    }
}
