using Gateway.Codec.Types;
using Gateway.Publish.Streams;
using Gateway.Rest.Events;

namespace Gateway.Rest.Streams;

/// <summary>When a stream that has lost notifications of alarms gets all alarms again: at once the first time, and
/// then with a pause that doubles. A client that is too slow for the events is too slow for the alarms, too, and each
/// refresh costs the gateway the same (R44). A calm time makes the pause short again. Threads: any; its lock is taken
/// around the shard's.</summary>
/// <param name="refresh">Begins one.</param>
/// <param name="time">For the pauses.</param>
internal sealed class RefreshPace(Func<StatusCode> refresh, TimeProvider time)
{
    private static readonly TimeSpan First = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan Longest = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan Calm = TimeSpan.FromMinutes(5);

    private readonly Lock _lock = new();
    private long? _refreshedAt;
    private TimeSpan _pause = First;
    private bool _isWanted;

    /// <summary>Null: a stream of that form has no alarms.</summary>
    public static RefreshPace? Of(EventForm? form, ValueStream values, TimeProvider time) =>
        form is { HasAlarms: true } ? new RefreshPace(values.RefreshConditions, time) : null;

    /// <summary>Notifications were lost. False: the stream cannot have a refresh at all, and its client has to do
    /// something. Otherwise it begins now or once the pause is over.</summary>
    public bool Demand()
    {
        lock (_lock)
            _isWanted = true;
        return TryGoOn();
    }

    /// <summary>Begins the refresh that waits, if there is one and its pause is over. Called about once a second.
    /// False: see <see cref="Demand"/>.</summary>
    public bool TryGoOn()
    {
        var now = time.GetTimestamp();
        lock (_lock)
        {
            var since = _refreshedAt is { } at ? time.GetElapsedTime(at, now) : Calm;
            if (!_isWanted || since < _pause)
                return true;
            var status = refresh();
            // Too many are under way now: the next look tries again.
            if (status.CodeBits is StatusCodes.BadResourceUnavailable or StatusCodes.BadRefreshInProgress)
                return true;
            _isWanted = false;
            if (status.IsBad)
                return status.CodeBits == StatusCodes.BadSubscriptionIdInvalid;
            _pause = since >= Calm ? First : TimeSpan.FromTicks(Math.Min(Longest.Ticks, 2 * _pause.Ticks));
            _refreshedAt = now;
            return true;
        }
    }
}
