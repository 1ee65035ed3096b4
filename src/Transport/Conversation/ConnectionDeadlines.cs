using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>
/// Which deadline of a connection has passed (R05). To arm or clear a deadline is to write a field. Times are monotonic
/// timestamps (R28). Threads: the connection's loop writes, the deadline loop reads.
/// </summary>
internal sealed class ConnectionDeadlines
{
    private readonly TransportLimits _limits;
    private readonly TimeProvider _time;
    private ReceiveProgress _progress;
    private long _lastReceived;
    private long _phaseSince;
    private volatile ConnectionPhase _phase;

    public ConnectionDeadlines(TransportLimits limits, TimeProvider time)
    {
        (_limits, _time) = (limits, time);
        _phaseSince = _lastReceived = time.GetTimestamp();
    }

    public ConnectionPhase Phase => _phase;

    /// <summary>The phase's deadline runs from there.</summary>
    public long PhaseSince
    {
        get => Volatile.Read(ref _phaseSince);
        set => Volatile.Write(ref _phaseSince, value);
    }

    public void Enter(ConnectionPhase phase)
    {
        PhaseSince = _time.GetTimestamp();
        _phase = phase;
    }

    public TimeSpan TimeInPhase(long now) => _time.GetElapsedTime(PhaseSince, now);

    /// <summary>Since the last whole chunk.</summary>
    public TimeSpan IdleTime(long now) => _time.GetElapsedTime(Volatile.Read(ref _lastReceived), now);

    /// <summary>The last chunk of a message has come, or a message of one chunk.</summary>
    public void MessageEnded() => _progress.MessageEnded();

    /// <summary>At the end of each turn.</summary>
    /// <param name="chunks">Whole ones of this turn.</param>
    /// <param name="isPartial">A chunk or message is under way.</param>
    /// <param name="messageBytes">Its bytes that have arrived.</param>
    public void Received(int chunks, bool isPartial, long messageBytes)
    {
        var now = chunks > 0 || isPartial ? _time.GetTimestamp() : 0;
        if (chunks > 0)
            Volatile.Write(ref _lastReceived, now);
        _progress.Note(now, chunks, isPartial, messageBytes);
    }

    /// <summary>The deadline that passed before the connection's end; null: none.</summary>
    /// <param name="now">Timestamp.</param>
    /// <param name="stalledSince">Since when the peer has left output untaken; 0: it has not.</param>
    /// <param name="limits">Of the message that is under way.</param>
    public ChannelCloseReason? Passed(long now, long stalledSince, in MessageLimits limits)
    {
        if (stalledSince != 0 && _time.GetElapsedTime(stalledSince, now) > _limits.WriteDeadline)
            return ChannelCloseReason.WriteDeadline;
        return _phase switch
        {
            ConnectionPhase.Hello when TimeInPhase(now) > _limits.HelloDeadline => ChannelCloseReason.HelloDeadline,
            ConnectionPhase.Opening when TimeInPhase(now) > _limits.OpenDeadline => ChannelCloseReason.OpenDeadline,
            _ => _progress.LateBy(now, _limits, _time, limits),
        };
    }
}
