namespace Gateway.Rest.Sockets;

/// <summary>Messages above the rate that were refused: as many without a pause as there may be messages in a second are
/// a flood. Their pace does not matter: a server that many floods keep busy hears few of each. One thread at a time.
/// </summary>
internal struct SocketRefusals
{
    /// <summary>Without a refusal.</summary>
    public static readonly TimeSpan Pause = TimeSpan.FromSeconds(1);

    private long _last;
    private int _count;

    /// <summary>Counts one. True: the peer is to be cut off.</summary>
    /// <param name="most">Messages a second, as the limit is now.</param>
    /// <param name="time">The clock.</param>
    public bool IsFlood(int most, TimeProvider time)
    {
        var now = time.GetTimestamp();
        if (time.GetElapsedTime(_last, now) >= Pause)
            _count = 0;
        _last = now;
        return ++_count > most;
    }
}
