using Gateway.Mqtt.Packets;
using Gateway.Mqtt.Sessions;

namespace Gateway.Mqtt.Connections;

/// <summary>
/// The deadlines of one connection, looked at by one timer: keep-alive with PINGREQ, PINGRESP, acknowledgements,
/// writes, a full inbox. Only whole packets count as a sign of life. PINGREQ also goes when we send all the time and
/// hear nothing. While the inbox is full nothing is read, so only the inbox' deadline runs; PINGREQ goes all
/// the same.
/// Threads: any marks, the timer looks. Source: MQTT 5.0 §3.1.2.10.
/// </summary>
internal sealed class ConnectionDeadlines : IDisposable
{
    /// <summary>Longer than the gaps of a publisher that sends each second.</summary>
    private static readonly TimeSpan IdleTime = TimeSpan.FromSeconds(5);

    private readonly ClientParts _parts;
    private readonly TimeSpan _keepAlive;
    private readonly Action _ping;
    private readonly Action<MqttFault> _end;
    private readonly Action _idle;
    private readonly ITimer _timer;
    private long _sentAt;
    private long _receivedAt;
    private long _pingAt;
    private long _writeAt;
    private long _writeFailedAt;
    private long _blockedAt;

    /// <param name="parts">Limits, time, and the packets that wait.</param>
    /// <param name="keepAlive">As the broker wants it; zero: none.</param>
    /// <param name="ping">Sends PINGREQ.</param>
    /// <param name="end">Ends the connection.</param>
    /// <param name="idle">Nothing was written for <see cref="IdleTime"/>.</param>
    public ConnectionDeadlines(
        ClientParts parts, TimeSpan keepAlive, Action ping, Action<MqttFault> end, Action idle)
    {
        (_parts, _keepAlive, _ping, _end, _idle) = (parts, keepAlive, ping, end, idle);
        _sentAt = _receivedAt = Now();
        var period = PeriodOf();
        _timer = parts.Time.CreateTimer(static state => ((ConnectionDeadlines)state!).Check(), this, period, period);
    }

    public void Received()
    {
        Volatile.Write(ref _receivedAt, Now());
        Volatile.Write(ref _pingAt, 0);
    }

    public void WriteStarted() => Volatile.Write(ref _writeAt, Now());

    public void WriteEnded()
    {
        Volatile.Write(ref _writeAt, 0);
        Volatile.Write(ref _sentAt, Now());
    }

    /// <summary>The reading loop may still find out why: it has the write deadline's time for that.</summary>
    public void WriteFailed() => Volatile.Write(ref _writeFailedAt, Now());

    public void Blocked() => Volatile.Write(ref _blockedAt, Now());

    public void Unblocked()
    {
        Volatile.Write(ref _blockedAt, 0);
        Received();
    }

    public void Dispose() => _timer.Dispose();

    private void Check()
    {
        try
        {
            CheckAll();
        }
        catch (Exception)
        {
            // It would end the process (R40).
            _end(MqttFault.Internal);
        }
    }

    private void CheckAll()
    {
        if (IsOver(Volatile.Read(ref _sentAt), IdleTime))
            _idle();
        EndOrPing();

        // Where a send found no memory nothing else comes back to it.
        _parts.Subscriptions.OnFlushed();
        _parts.Outbound.Pump();
    }

    private void EndOrPing()
    {
        var limits = _parts.Options.Limits;
        if (IsOver(Volatile.Read(ref _writeAt), limits.WriteDeadline))
            _end(MqttFault.WriteTimeout);
        else if (IsOver(Volatile.Read(ref _writeFailedAt), limits.WriteDeadline))
            _end(MqttFault.SocketFailed);
        else if (Volatile.Read(ref _blockedAt) is not 0 and var blocked)
            EndOrStayAlive(blocked);
        else if (IsOver(_parts.Outbound.OldestSentAt(), limits.AckDeadline)
            || IsOver(_parts.Subscriptions.OldestSentAt(), limits.AckDeadline))
            _end(MqttFault.AckTimeout);
        else if (Volatile.Read(ref _pingAt) is not 0 and var ping)
            EndIfOver(ping, limits.PingDeadline, MqttFault.PingTimeout);
        else
            PingIfDue();
    }

    /// <summary>Nothing is read, so no PINGRESP can be demanded; but the broker must hear of us.</summary>
    private void EndOrStayAlive(long blocked)
    {
        if (IsOver(blocked, _parts.Options.Limits.InboxDeadline))
            _end(MqttFault.InboxTimeout);
        else if (PingAge != TimeSpan.Zero && IsOver(Volatile.Read(ref _sentAt), PingAge))
        {
            // Not again before it is written.
            Volatile.Write(ref _sentAt, Now());
            _ping();
        }
    }

    /// <summary>Three quarters: the broker waits for one and a half keep-alives, and timers are late.</summary>
    private TimeSpan PingAge => _keepAlive * 0.75;

    private void PingIfDue()
    {
        var due = PingAge;
        if (due == TimeSpan.Zero
            || !(IsOver(Volatile.Read(ref _sentAt), due) || IsOver(Volatile.Read(ref _receivedAt), due)))
            return;
        Volatile.Write(ref _pingAt, Now());
        _ping();
    }

    private void EndIfOver(long since, TimeSpan deadline, MqttFault fault)
    {
        if (IsOver(since, deadline))
            _end(fault);
    }

    private bool IsOver(long since, TimeSpan deadline) =>
        since != 0 && _parts.Time.GetElapsedTime(since) >= deadline;

    /// <summary>Never 0, which means "not".</summary>
    private long Now() => Math.Max(1, _parts.Time.GetTimestamp());

    private TimeSpan PeriodOf()
    {
        var limits = _parts.Options.Limits;
        TimeSpan[] all = [limits.WriteDeadline, limits.InboxDeadline, limits.AckDeadline, limits.PingDeadline];
        var shortest = all.Min();
        if (_keepAlive > TimeSpan.Zero && _keepAlive < shortest)
            shortest = _keepAlive;
        return TimeSpan.FromMilliseconds(Math.Clamp(shortest.TotalMilliseconds / 8, 5, 500));
    }
}
