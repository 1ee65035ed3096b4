using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;

namespace Gateway.Server.Dispatch;

/// <summary>The server's side of one SecureChannel: the sessions bound to it. Its lock is a leaf.</summary>
internal sealed class ChannelState(SecureChannel connection, bool isOffered)
{
    /// <summary>CreateSession and ActivateSession calls of one channel that may wait for a private key or a password
    /// check at a time.</summary>
    private const int MaxPendingHandshakes = 8;

    private readonly Lock _lock = new();
    private readonly List<Session> _sessions = new(1);
    private int _pendingHandshakes;
    private volatile bool _closed;

    public SecureChannel Connection { get; } = connection;

    /// <summary>Whether sessions are allowed on a channel of this policy and mode; others serve discovery only.
    /// </summary>
    public bool IsOffered { get; } = isOffered;

    /// <summary>The user that the transport has checked already; it may call without a session. Null on a UA-TCP
    /// connection.</summary>
    public Caller? User { get; init; }

    /// <summary>Carries its messages if it has no connection; null if it has one.</summary>
    public IChannelLink? Link { get; init; }

    /// <summary>True while no response is awaited on a channel without a connection. The channel cannot tell then
    /// whether its client is still there.</summary>
    public Func<bool>? IsIdle { get; init; }

    /// <summary>Stands for the session in a call without one; null before the first.</summary>
    public Session? Sessionless { get; set; }

    /// <summary>No session can be bound any more.</summary>
    public bool IsClosed => _closed;

    public int SessionCount
    {
        get
        {
            lock (_lock)
                return _sessions.Count;
        }
    }

    /// <summary>Errors: Bad_TooManySessions at the cap, Bad_SecureChannelClosed.</summary>
    public StatusCode TryBind(Session session, int limit)
    {
        lock (_lock)
        {
            if (_closed)
                return StatusCodes.BadSecureChannelClosed;
            if (_sessions.Contains(session))
                return StatusCode.Good;
            if (_sessions.Count >= limit)
                return StatusCodes.BadTooManySessions;
            _sessions.Add(session);
            return StatusCode.Good;
        }
    }

    public void Unbind(Session session)
    {
        lock (_lock)
        {
            if (!_sessions.Remove(session))
                return;
            SetActiveUnderLock();
        }
    }

    /// <summary>The client no longer waits for the response to this request. A held Publish request must not take
    /// notifications with it; a call without a session has no other request.</summary>
    public void Forget(uint requestId)
    {
        foreach (var session in Sessions)
            session.Publishing?.Forget(requestId);
        // Closed first: what its last turn is about to ask of a source must not begin any more.
        if (Sessionless?.TryClose(out _) == true)
            Sessionless.PendingIfAny?.CloseAll();
    }

    /// <summary>Its sessions, for the moment.</summary>
    public Session[] Sessions
    {
        get
        {
            lock (_lock)
                return [.. _sessions];
        }
    }

    /// <summary>A session bound here became active or stopped being it.</summary>
    public void Refresh()
    {
        lock (_lock)
            SetActiveUnderLock();
    }

    /// <summary>No session can be bound any more. Returns those that were.</summary>
    public Session[] Close()
    {
        lock (_lock)
        {
            _closed = true;
            Session[] sessions = [.. _sessions];
            _sessions.Clear();
            return sessions;
        }
    }

    /// <summary>True: further CreateSession and ActivateSession requests are refused until one of those under way is
    /// answered.</summary>
    public bool IsHandshakeFull => Volatile.Read(ref _pendingHandshakes) >= MaxPendingHandshakes;

    public bool TryBeginHandshake()
    {
        if (Interlocked.Increment(ref _pendingHandshakes) <= MaxPendingHandshakes)
            return true;
        Interlocked.Decrement(ref _pendingHandshakes);
        return false;
    }

    /// <summary>One that has failed counts as under way until its answer leaves.</summary>
    public void BeginHeldAnswer() => Interlocked.Increment(ref _pendingHandshakes);

    public void EndHandshake() => Interlocked.Decrement(ref _pendingHandshakes);

    private void SetActiveUnderLock()
    {
        if (_closed)
            return;
        var active = false;
        foreach (var session in _sessions)
            active |= session.IsActivated;
        Connection.HasActiveSession = active;
    }
}
