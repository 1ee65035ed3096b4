using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Rest.Budgets;
using Gateway.Transport.Timing;
using Microsoft.Extensions.Logging;

namespace Gateway.Rest.Streams;

/// <summary>The streams that clients have or may come back to, bounded in all, by user and by address. A stream whose
/// connection has ended is kept for HttpStreamResumeTime, and makes room before that. Threads: any; its lock comes
/// before those of the streams.</summary>
internal sealed partial class StreamBook : IDisposable
{
    private const int Parts = 6;

    private static readonly TimeSpan SweepInterval = TimeSpan.FromSeconds(1);

    private readonly Lock _lock = new();
    private readonly Dictionary<string, LiveStream> _streams = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _ofUsers = new(StringComparer.Ordinal);
    private readonly Dictionary<string, int> _ofAddresses = new(StringComparer.Ordinal);
    private readonly RestLimits _limits;
    private readonly EncodedValues _encoded;
    private readonly TimeProvider _time;
    private readonly ILogger<StreamBook> _logger;
    private readonly ITimer _timer;
    private long _refused;

    public StreamBook(RestLimits limits, EncodedValues encoded, TimeProvider time, ILogger<StreamBook> logger)
    {
        (_limits, _encoded, _time, _logger) = (limits, encoded, time, logger);
        Memory = new ByteBudget(limits.MaxHttpStreamsBytes);
        // After a failed sweep the next one sees the same streams.
        _timer = Contained.Every(time, SweepInterval, Sweep, LogSweepFailed);
    }

    public int Count
    {
        get
        {
            lock (_lock)
                return _streams.Count;
        }
    }

    /// <summary>Streams that there was no place or no memory for.</summary>
    public long Refused => Volatile.Read(ref _refused);

    /// <summary>Of the nodes and the histories of all streams.</summary>
    public ByteBudget Memory { get; }

    /// <summary>A stream with a connection. None: it is added. Else the limit that leaves no room for it.</summary>
    /// <param name="stream">The new one.</param>
    /// <param name="replaced">It ends as soon as the new one is there, and its place is the new one's.</param>
    public RefusalReason Add(LiveStream stream, LiveStream? replaced = null)
    {
        lock (_lock)
        {
            var full = replaced is not null && replaced.Account == stream.Account && _streams.ContainsKey(replaced.Key)
                ? RefusalReason.None
                : FindFullUnderLock(stream.Account);
            if (full == RefusalReason.None)
            {
                _streams[stream.Key] = stream;
                CountUnderLock(stream, 1);
            }
            else
            {
                Interlocked.Increment(ref _refused);
            }

            return full;
        }
    }

    /// <summary>The stream that nobody has been connected to for the longest time gives its memory back. False: there
    /// is none.</summary>
    /// <param name="address">Of the client that needs memory.</param>
    /// <param name="ofAll">Of any address, not only of this one.</param>
    public bool TryMakeRoom(string address, bool ofAll)
    {
        lock (_lock)
        {
            var oldest = _streams.Values
                .Where(stream => stream.ParkedAt is not null && (ofAll || stream.Account.Address == address))
                .MinBy(static stream => stream.ParkedAt);
            return oldest is not null && TryEndUnderLock(oldest);
        }
    }

    /// <summary>A stream that there was no memory for.</summary>
    public void CountRefused() => Interlocked.Increment(ref _refused);

    /// <summary>Null: there is none any more, or it is another user's.</summary>
    public LiveStream? Find(string key, Caller caller)
    {
        lock (_lock)
            return _streams.GetValueOrDefault(key) is { } stream && stream.IsOf(caller) ? stream : null;
    }

    /// <summary>The subscriptions of streams whose client is away and may come back.</summary>
    public HashSet<uint> ParkedSubscriptions()
    {
        lock (_lock)
        {
            return [.. _streams.Values.Where(static stream => stream.ParkedAt is not null)
                .Select(static stream => stream.Values.SubscriptionId)];
        }
    }

    /// <summary>The client of the stream has left it and does not come back.</summary>
    public void End(LiveStream stream)
    {
        lock (_lock)
        {
            if (_streams.ContainsKey(stream.Key))
                TryEndUnderLock(stream);
        }
    }

    public void Dispose()
    {
        _timer.Dispose();
        lock (_lock)
        {
            foreach (var stream in _streams.Values)
                stream.Values.Dispose();
            _streams.Clear();
            _ofUsers.Clear();
            _ofAddresses.Clear();
        }

        _encoded.Clear();
    }

    private void Sweep()
    {
        foreach (var stream in SweepOld())
        {
            // Its list of alarms cannot become true any more: the client comes back to a new stream.
            if (!stream.Refreshes!.TryGoOn())
                stream.Values.Close(StatusCodes.BadNothingToDo);
        }
    }

    /// <returns>Those that may have a refresh of alarms to begin.</returns>
    private List<LiveStream> SweepOld()
    {
        var refreshing = new List<LiveStream>();
        lock (_lock)
        {
            foreach (var stream in _streams.Values.ToArray())
            {
                if (stream.ParkedAt is { } since && (stream.Values.Batches.Completion.IsCompleted ||
                    _time.GetElapsedTime(since) >= _limits.HttpStreamResumeTime))
                    TryEndUnderLock(stream);
                else if (stream.Refreshes is not null)
                    refreshing.Add(stream);
            }

            if (_streams.Count == 0)
                _encoded.Clear();
        }

        return refreshing;
    }

    private RefusalReason FindFullUnderLock((string User, string Address) account)
    {
        if (!HasRoomUnderLock(
            _ofUsers.GetValueOrDefault(account.User), _limits.MaxHttpStreamsPerUser,
            stream => stream.Account.User == account.User))
            return RefusalReason.MaxHttpStreamsPerUser;
        if (!HasRoomUnderLock(
            _ofAddresses.GetValueOrDefault(account.Address), _limits.MaxHttpStreamsPerAddress,
            stream => stream.Account.Address == account.Address))
            return RefusalReason.MaxHttpStreamsPerAddress;
        return HasPartUnderLock(_ofUsers.GetValueOrDefault(account.User), of => of.User == account.User) &&
            HasPartUnderLock(_ofAddresses.GetValueOrDefault(account.Address), of => of.Address == account.Address) &&
            HasRoomUnderLock(_streams.Count, _limits.MaxHttpStreams, static _ => true)
            ? RefusalReason.None
            : RefusalReason.MaxHttpStreams;
    }

    /// <summary>A user or an address that holds more than a sixth of the places gets none of the last sixth: one of its
    /// own streams must make room (R46).</summary>
    private bool HasPartUnderLock(int count, Func<(string User, string Address), bool> isOfGroup)
    {
        var part = _limits.MaxHttpStreams / Parts;
        return count <= part || HasRoomUnderLock(
            _streams.Count, _limits.MaxHttpStreams - part, stream => isOfGroup(stream.Account));
    }

    /// <summary>The stream of the group that has been without a client for the longest time makes room.</summary>
    private bool HasRoomUnderLock(int count, int most, Func<LiveStream, bool> isOfGroup) => count < most ||
        (_streams.Values.Where(stream => isOfGroup(stream) && stream.ParkedAt is not null)
            .MinBy(static stream => stream.ParkedAt) is { } oldest && TryEndUnderLock(oldest));

    private bool TryEndUnderLock(LiveStream stream)
    {
        if (!stream.TryEndParked())
            return false;
        _streams.Remove(stream.Key);
        CountUnderLock(stream, -1);
        return true;
    }

    private void CountUnderLock(LiveStream stream, int change)
    {
        Add(_ofUsers, stream.Account.User);
        Add(_ofAddresses, stream.Account.Address);

        void Add(Dictionary<string, int> counts, string key)
        {
            var count = counts.GetValueOrDefault(key) + change;
            if (count == 0)
                counts.Remove(key);
            else
                counts[key] = count;
        }
    }
}
