namespace Gateway.Rest.Sockets;

/// <summary>Counts of the WebSockets that carry JSON. Threads: any.</summary>
public sealed class SocketCounters
{
    private readonly long[] _ended = new long[Enum.GetValues<SocketEnd>().Length];
    private long _open;
    private long _messages;
    private long _rateRefused;

    /// <summary>Now.</summary>
    public long Open => Volatile.Read(ref _open);

    public long Messages => Volatile.Read(ref _messages);

    /// <summary>Messages above their rate.</summary>
    public long RateRefused => Volatile.Read(ref _rateRefused);

    public long EndedBy(SocketEnd end) => Volatile.Read(ref _ended[(int)end]);

    internal void OnOpened() => Interlocked.Increment(ref _open);

    internal void OnEnded(SocketEnd end)
    {
        Interlocked.Increment(ref _ended[(int)end]);
        Interlocked.Decrement(ref _open);
    }

    internal void OnMessage() => Interlocked.Increment(ref _messages);

    internal void OnRateRefused() => Interlocked.Increment(ref _rateRefused);
}
