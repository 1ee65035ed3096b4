using Gateway.Codec.Types;

namespace Gateway.Publish.Durable;

/// <summary>A session of the process before, of which nothing is left but its durable subscriptions and what it was.
/// Changes only while the files are read, before clients find it.</summary>
/// <param name="id">Of the session.</param>
/// <param name="time">The clock.</param>
public sealed class RestoredSession(Guid id, TimeProvider time) : ISessionMemo
{
    private readonly long _since = time.GetTimestamp();
    private byte[] _memo = [];
    private DateTime _savedAt;

    public Guid Id => id;

    /// <summary>As it was saved last.</summary>
    public SessionOwner Owner { get; private set; } = SessionOwner.Unknown;

    /// <summary>In the server's own form.</summary>
    public ReadOnlyMemory<byte> Memo => _memo;

    /// <summary>From the start of this process on: before it no client could come.</summary>
    public TimeSpan Timeout { get; private set; }

    /// <summary>Those that were restored; a client may have taken one over meanwhile.</summary>
    public List<uint> Subscriptions { get; } = [];

    public bool IsOver => time.GetElapsedTime(_since) >= Timeout;

    /// <summary>For the process after this one, where the client has not come by then.</summary>
    public byte[]? Make() => IsOver ? null : _memo;

    /// <summary>Its subscriptions may have been saved at different times: the last save says how the session was.
    /// </summary>
    internal void Add(SavedSubscription saved)
    {
        Subscriptions.Add(saved.Id);
        if (saved.Time < _savedAt)
            return;
        (_savedAt, _memo, Timeout) = (saved.Time, saved.Memo!, saved.SessionTimeout);
        Owner = saved.Owner with { SessionId = new NodeId(id, 1), Memo = this };
    }
}
