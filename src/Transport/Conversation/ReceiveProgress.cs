using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>
/// The times since when a chunk and a message are under way, and the message's bytes so far (R05). A message's time
/// runs from the first byte of its first chunk, however many chunks come; with an active session it may grow with what
/// has come, so that a large message passes a slow line and a trickle does not. Owner: the connection's loop; the
/// deadline loop reads it.
/// </summary>
internal struct ReceiveProgress
{
    private long _chunkSince;
    private long _messageSince;
    private long _messageBytes;

    /// <summary>The last chunk of a message has come, or a message of one chunk.</summary>
    public void MessageEnded() => Volatile.Write(ref _messageSince, 0);

    /// <param name="now">Of <see cref="TimeProvider.GetTimestamp"/>.</param>
    /// <param name="chunks">Whole ones of this turn.</param>
    /// <param name="isPartial">Something is under way.</param>
    /// <param name="messageBytes">Bytes received of the current message.</param>
    public void Note(long now, int chunks, bool isPartial, long messageBytes)
    {
        now = Math.Max(1, now);
        Volatile.Write(ref _messageBytes, messageBytes);
        if (!isPartial)
        {
            Volatile.Write(ref _chunkSince, 0);
            Volatile.Write(ref _messageSince, 0);
            return;
        }

        if (chunks > 0 || _chunkSince == 0)
            Volatile.Write(ref _chunkSince, now);
        if (_messageSince == 0)
            Volatile.Write(ref _messageSince, now);
    }

    /// <summary>The deadline that passed; null: none. Any thread.</summary>
    public readonly ChannelCloseReason? LateBy(
        long now, TransportLimits transport, TimeProvider time, in MessageLimits limits)
    {
        var chunk = Volatile.Read(in _chunkSince);
        var message = Volatile.Read(in _messageSince);
        var longest = transport.ChunkDeadline;
        if (chunk != 0 && time.GetElapsedTime(chunk, now) > longest)
            return ChannelCloseReason.ChunkDeadline;
        if (message == 0)
            return null;
        var taken = time.GetElapsedTime(message, now);
        if (taken <= longest)
            return null;
        if (!limits.MayBeSlow)
            return ChannelCloseReason.ChunkDeadline;
        var earned = TimeSpan.FromSeconds(
            Volatile.Read(in _messageBytes) / (double)transport.MinMessageBytesPerSecond);
        return taken > transport.MessageDeadline || taken > longest + earned
            ? ChannelCloseReason.MessageDeadline
            : null;
    }
}
