using Gateway.Operations.Access;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Rest.Streams;

/// <summary>The streams that clients have or may come back to, bounded in all, by user and by address. A stream whose
/// connection has ended is kept for HttpStreamResumeTime, and makes room before that. Threads: any; its lock comes
/// before those of the streams.</summary>
internal sealed partial class StreamBook : IDisposable
{
    private static readonly TimeSpan SweepInterval = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly Dictionary<string, LiveStream> _streams = new(StringComparer.Ordinal);
    private readonly RestLimits _limits;
    private readonly EncodedValues _encoded;
    private readonly TimeProvider _time;
    private readonly ILogger<StreamBook> _logger;
    private readonly Action<Exception> _logFault;
    private readonly ITimer _timer;
    private long _refused;

    public StreamBook(RestLimits limits, EncodedValues encoded, TimeProvider time, ILogger<StreamBook> logger)
    {
        (_limits, _encoded, _time, _logger) = (limits, encoded, time, logger);
        _logFault = LogSweepFailed;
        _timer = time.CreateTimer(static book => ((StreamBook)book!).OnTimer(), this, SweepInterval, SweepInterval);
    }

    public int Count
    {
        get
        {
            lock (_lock)
                return _streams.Count;
        }
    }

    /// <summary>Streams that there was no place for.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>A stream with a connection. Null: it is added. Else the limit that leaves no room for it.</summary>
    public string? Add(LiveStream stream)
    {
        lock (_lock)
        {
            var full = FindFullUnderLock(stream.Owner);
            if (full is null)
                _streams[stream.Key] = stream;
            else
                Interlocked.Increment(ref _refused);
            return full;
        }
    }

    /// <summary>Null: there is none any more, or it is another user's.</summary>
    public LiveStream? Find(string key, Caller caller)
    {
        lock (_lock)
            return _streams.GetValueOrDefault(key) is { } stream && stream.IsOf(caller) ? stream : null;
    }

    public void Dispose()
    {
        _timer.Dispose();
        lock (_lock)
        {
            foreach (var stream in _streams.Values)
                stream.Values.Dispose();
            _streams.Clear();
        }

        _encoded.Clear();
    }

    /// <summary>Nothing may leave a timer (R40). The next sweep looks at what this one left.</summary>
    private void OnTimer()
    {
#pragma warning disable CA1031 // It would end the process.
        try
        {
            Sweep();
        }
        catch (Exception error)
#pragma warning restore CA1031
        {
            Contained.Report(error, _logFault);
        }
    }

    private void Sweep()
    {
        lock (_lock)
        {
            foreach (var stream in _streams.Values.ToArray())
            {
                if (stream.ParkedAt is { } since && (stream.Values.Batches.Completion.IsCompleted ||
                    _time.GetElapsedTime(since) >= _limits.HttpStreamResumeTime))
                    TryEndUnderLock(stream);
            }

            if (_streams.Count == 0)
                _encoded.Clear();
        }
    }

    private string? FindFullUnderLock(Caller caller)
    {
        if (!HasRoomUnderLock(static (one, of) => one.Account == of.Account, caller, _limits.MaxHttpStreamsPerUser))
            return nameof(RestLimits.MaxHttpStreamsPerUser);
        if (!HasRoomUnderLock(static (one, of) => one.Address == of.Address, caller, _limits.MaxHttpStreamsPerAddress))
            return nameof(RestLimits.MaxHttpStreamsPerAddress);
        return HasRoomUnderLock(static (_, _) => true, caller, _limits.MaxHttpStreams)
            ? null
            : nameof(RestLimits.MaxHttpStreams);
    }

    /// <summary>The stream of the group that nobody has been connected to for the longest time makes room.</summary>
    private bool HasRoomUnderLock(Func<Caller, Caller, bool> isOfGroup, Caller caller, int most)
    {
        var group = _streams.Values.Where(stream => isOfGroup(stream.Owner, caller)).ToArray();
        if (group.Length < most)
            return true;
        return group.Where(static stream => stream.ParkedAt is not null).MinBy(static stream => stream.ParkedAt) is
        { } oldest && TryEndUnderLock(oldest);
    }

    private bool TryEndUnderLock(LiveStream stream) => stream.TryEndParked() && _streams.Remove(stream.Key);
}
