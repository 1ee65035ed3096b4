using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>
/// The work that one connection may do before the other connections of its thread: <see cref="TransportLimits"/>'
/// MaxMessagesPerTurn, and a time slice, since one message may be a Read of ten thousand nodes. A turn goes on over all
/// bytes that have arrived, in any number of reads. Owner: the connection's loop.
/// </summary>
internal struct TurnBudget(TransportContext context)
{
    /// <summary>Of the time that a live session's notification may be late, a small part.</summary>
    private static readonly TimeSpan Slice = TimeSpan.FromMilliseconds(2);

    private readonly long _sliceTicks = (long)(Slice.TotalSeconds * context.Time.TimestampFrequency);
    private long _since = context.Time.GetTimestamp();
    private int _messages;

    public bool IsUsedUp { get; private set; }

    public void Begin()
    {
        _since = context.Time.GetTimestamp();
        _messages = 0;
        IsUsedUp = false;
    }

    /// <summary>After each message.</summary>
    public void Take() => IsUsedUp = ++_messages >= context.Limits.MaxMessagesPerTurn ||
        context.Time.GetTimestamp() - _since >= _sliceTicks;
}
