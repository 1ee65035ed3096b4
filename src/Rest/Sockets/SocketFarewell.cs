namespace Gateway.Rest.Sockets;

/// <summary>The time between the gateway's close and the peer's. A close with bytes unread would be a reset, and the
/// peer would not learn why; so the gateway still takes some. A flood is not read to its end: each of its connections
/// would keep a thread of the pool busy, and health would wait behind them (R46). It finds no more room instead, until
/// the connection is cut off.</summary>
internal static class SocketFarewell
{
    public const int MostBytes = 128 * 1024;

    public static readonly TimeSpan Time = TimeSpan.FromSeconds(2);

    /// <summary>Takes what still comes, until the stream ends. After <see cref="MostBytes"/>: nothing more, for
    /// <see cref="Time"/>.</summary>
    /// <param name="read">The next bytes; 0: its end.</param>
    /// <param name="time">Of the wait.</param>
    /// <param name="gone">The connection is cut off.</param>
    public static async Task TakeAsync(Func<ValueTask<int>> read, TimeProvider time, CancellationToken gone)
    {
        for (var taken = 0; taken < MostBytes;)
        {
            var count = await read().ConfigureAwait(false);
            if (count == 0)
                return;
            taken += count;
        }

        await Task.Delay(Time, time, gone).ConfigureAwait(false);
    }
}
