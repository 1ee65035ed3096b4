namespace Gateway.Server.Sessions;

/// <summary>A session's place in <see cref="UnactivatedSessions"/>, there as long as it was never activated; guarded by
/// that list's lock.</summary>
internal sealed class UnactivatedEntry(Session session, UnactivatedHolder holder, long order)
{
    public Session Session { get; } = session;

    public UnactivatedHolder Holder { get; } = holder;

    /// <summary>Ascends with time.</summary>
    public long Order { get; } = order;

    /// <summary>Its nodes in the list of all and in its holder's.</summary>
    public LinkedListNode<UnactivatedEntry>? InAll { get; set; }

    public LinkedListNode<UnactivatedEntry>? InOwn { get; set; }
}
