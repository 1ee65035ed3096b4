namespace Gateway.Mqtt.Sessions;

/// <summary>
/// Finds the message that makes the broker end each connection. Messages that shared two such ends with the oldest of
/// them go one at a time from then on, and nothing beside them. So the innocent get through, and the one that was alone
/// under way is to blame. Threads: under the session's lock.
/// </summary>
internal sealed class SuspectWindow(int maxResends)
{
    /// <summary>The first reconnect takes the whole window again: mostly a connection was just lost.</summary>
    private const int FailuresThatMakeSuspect = 2;

    private long _suspectUpTo;
    private long _lastSent;

    /// <summary>QoS 1 messages that wait for their PUBACK on this connection.</summary>
    public int UnderWay { get; private set; }

    /// <summary>Nothing may go beside it.</summary>
    public bool IsSuspectUnderWay => UnderWay > 0 && _lastSent <= _suspectUpTo;

    public void Attach() => (UnderWay, _lastSent) = (0, 0);

    public bool IsSuspect(PublishSlot slot) => slot.Order <= _suspectUpTo;

    public void Sent(PublishSlot slot)
    {
        UnderWay++;
        _lastSent = slot.Order;
    }

    public void Acknowledged() => UnderWay--;

    /// <summary>The broker ended the connection while this was the oldest message under way. True: it is the one.
    /// </summary>
    public bool Blame(PublishSlot oldest)
    {
        oldest.Failures++;
        if (IsSuspectUnderWay && oldest.Failures >= maxResends)
            return true;
        if (oldest.Failures >= Math.Min(FailuresThatMakeSuspect, maxResends))
            _suspectUpTo = Math.Max(_suspectUpTo, _lastSent);
        return false;
    }
}
