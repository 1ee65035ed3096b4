namespace Gateway.Rest.Sockets;

/// <summary>Messages above the rate that were refused: more of them in a second than there may be messages are a flood.
/// One thread at a time.</summary>
internal struct SocketRefusals
{
    private static readonly TimeSpan Second = TimeSpan.FromSeconds(1);

    private long _since;
    private int _count;

    /// <summary>Counts one. True: the peer is to be cut off.</summary>
    /// <param name="mostPerSecond">As the limit is now.</param>
    /// <param name="time">The clock.</param>
    public bool IsFlood(int mostPerSecond, TimeProvider time)
    {
        var now = time.GetTimestamp();
        if (time.GetElapsedTime(_since, now) >= Second)
            (_since, _count) = (now, 0);
        return ++_count > mostPerSecond;
    }
}
