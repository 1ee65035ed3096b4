using Gateway.Rest.Overview;
using Gateway.Transport.Timing;

namespace Gateway.Host.Overview;

/// <summary>Asks all sources of notices every few seconds, and keeps what began and ended. Threads: a timer writes, any
/// reads.</summary>
internal sealed partial class NoticeBoard(
    IEnumerable<INoticeSource> sources, IEnumerable<INoticeListener> listeners, TimeProvider time,
    ILogger<NoticeBoard> logger)
    : INoticeBoard, IAsyncDisposable
{
    private const int MaxChanges = 200;

    /// <summary>An operator looks that often, too.</summary>
    private static readonly TimeSpan Interval = TimeSpan.FromSeconds(4);

    /// <summary>Each with what it said last. Owner: the timer.</summary>
    private readonly (INoticeSource Source, IReadOnlyList<Notice> Said)[] _sources =
        [.. sources.Select(static one => (one, (IReadOnlyList<Notice>)[]))];

    private readonly INoticeListener[] _listeners = [.. listeners];
    private readonly ILogger _logger = logger;
    private readonly Lock _lock = new();
    private readonly Queue<NoticeChange> _changes = new();
    private volatile IReadOnlyList<Notice> _active = [];
    private ITimer? _timer;

    public IReadOnlyList<Notice> Active => _active;

    public void Start() => _timer = Contained.Every(time, Interval, Look, LogLookFailed);

    public IReadOnlyList<NoticeChange> ReadChanges()
    {
        lock (_lock)
            return [.. _changes.Reverse()];
    }

    public ValueTask DisposeAsync() => _timer?.DisposeAsync() ?? default;

    /// <summary>The sources are asked outside the lock, and the listeners hear of it outside the lock.</summary>
    internal void Look()
    {
        foreach (var change in Renew())
        {
            foreach (var listener in _listeners)
                listener.OnChange(change);
        }
    }

    private List<NoticeChange> Renew()
    {
        var changes = new List<NoticeChange>();
        foreach (ref var one in _sources.AsSpan())
            one.Said = Ask(one.Source) ?? one.Said;
        var found = _sources.SelectMany(static one => one.Said)
            .DistinctBy(static one => one.Id).ToDictionary(static one => one.Id, StringComparer.Ordinal);
        var now = time.GetUtcNow().UtcDateTime;
        lock (_lock)
        {
            var before = _active.ToDictionary(static one => one.Id, StringComparer.Ordinal);
            foreach (var gone in before.Values.Where(one => !found.ContainsKey(one.Id)))
                changes.Add(new NoticeChange(now, "ended", gone));
            var active = new List<Notice>(found.Count);
            foreach (var one in found.Values)
            {
                var known = before.GetValueOrDefault(one.Id);
                var notice = one with { Since = one.Since ?? known?.Since ?? now };
                active.Add(notice);
                if (known is null)
                    changes.Add(new NoticeChange(now, "began", notice));
                else if (known.IsFault != notice.IsFault)
                    changes.Add(new NoticeChange(now, "changed", notice));
            }

            foreach (var change in changes)
                NoteUnderLock(change);
            _active = [.. active.OrderByDescending(static one => one.IsFault).ThenBy(static one => one.Since)];
        }

        return changes;
    }

    /// <summary>Null: it failed, as by a folder that cannot be read. That hides nothing of the others.</summary>
    private List<Notice>? Ask(INoticeSource source)
    {
        try
        {
            return [.. source.Read()];
        }
#pragma warning disable CA1031 // One source, and the others have more to say.
        catch (Exception error)
#pragma warning restore CA1031
        {
            LogLookFailed(error);
            return null;
        }
    }

    private void NoteUnderLock(NoticeChange change)
    {
        _changes.Enqueue(change);
        if (_changes.Count > MaxChanges)
            _changes.Dequeue();
    }

    [LoggerMessage(EventId = 5512, Level = LogLevel.Error, Message = "Looking for notices failed; the next look comes")]
    private partial void LogLookFailed(Exception error);
}
