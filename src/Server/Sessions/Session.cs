using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Browsing;
using Gateway.Operations.Continuation;
using Gateway.Publish;
using Gateway.Publish.Durable;
using Gateway.Server.Dispatch;
using Gateway.Transport.Certificates;
using Gateway.Transport.Timing;

namespace Gateway.Server.Sessions;

/// <summary>
/// State of one session. Owner: <see cref="SessionManager"/>. Only it moves the session from Created over Activated to
/// Closed; the services read. Reads need no lock. The transitions take the session's lock, a leaf. Source: Part 4 §5.7.
/// </summary>
internal sealed class Session(SessionManager manager, ChannelState channel, SessionToken token)
    : TimerEntry, IBrowsePointOwner, ISessionMemo
{
    /// <summary>Users in the history: the first, and the latest of the others.</summary>
    private const int MaxUserHistory = 8;

    /// <summary>Counted on the thread of its channel.</summary>
    public SessionCounts Counts;

    private readonly Lock _lock = new();
    private volatile SessionState _state;
    private volatile ChannelState _channel = channel;
    private volatile UserIdentity? _identity;
    private long _lastActivity;
    private int _failedActivations;
    private string?[]? _userHistory;
    private ContinuationPoints<BrowseCursor>? _browsePoints;
    private PendingRequests? _pending;
    private Caller? _lastCaller;

    public SessionToken Token { get; } = token;

    /// <summary>Null for a call without a session.</summary>
    public NodeId SessionId { get; init; } = new(Guid.NewGuid(), 1);

    /// <summary>The caller of a call without a session. Such an object is in no table, has no place and no time-out,
    /// and ends with the call. Null for sessions.</summary>
    public Caller? Sessionless
    {
        get;
        init
        {
            field = value;
            _identity = value?.Identity;
            _state = SessionState.Activated;
        }
    }

    /// <summary>For a call without a session: the owner of its continuation points until the next call.</summary>
    public IBrowsePointOwner? PointOwner { get; init; }

    /// <summary>The session of the process before that this one goes on with, until it is activated; otherwise null.
    /// </summary>
    public RestoredSession? Restored { get; set; }

    /// <summary>The server's certificate that its client was shown: what the client signs and encrypts for. Null for a
    /// call without a session.</summary>
    public ApplicationCertificate? OwnCertificate { get; init; }

    public required string Name { get; init; }

    public required ClientFacts Client { get; init; }

    public string ClientApplicationUri => Client.ApplicationUri;

    /// <summary>Thumbprint of the client certificate that the session belongs to; empty without security.</summary>
    public string ClientThumbprint => Place.Certificate;

    /// <summary>Its place below the caps.</summary>
    public required SessionPlace Place { get; init; }

    /// <summary>The manager's, among the pages of all sessions.</summary>
    public int PageNumber { get; set; }

    /// <summary>Where its first channel came from: what its place counts for.</summary>
    public string Address => Place.Address;

    public required TimeSpan Timeout { get; init; }

    /// <summary>The client's limit, 0 for no limit; the channel's own limit may be lower.</summary>
    public required uint MaxResponseMessageSize { get; init; }

    /// <summary>On the wall clock; for diagnostics.</summary>
    public DateTime CreatedAt { get; set; }

    /// <summary>The nonce that the client must sign in the next ActivateSession (R14).</summary>
    public byte[] ServerNonce { get; private set; } = [];

    public ChannelState Channel => _channel;

    public bool IsActivated => _state == SessionState.Activated;

    public bool IsClosed => _state == SessionState.Closed;

    /// <summary>Null before the first activation.</summary>
    public UserIdentity? Identity => _identity;

    /// <summary>The present user on the present channel. The two always match, because a session moves only between
    /// channels of one mode and certificate.</summary>
    public Caller Caller => SessionCallers.Of(_identity, _channel.Connection, this);

    /// <summary>The last caller that <see cref="SessionCallers"/> made for the session, for reuse; null: none yet.
    /// </summary>
    public Caller? LastCaller
    {
        get => Volatile.Read(ref _lastCaller);
        set => Volatile.Write(ref _lastCaller, value);
    }

    /// <summary>From the last activation that had any. Source: Part 4 §5.7.3.2.</summary>
    public string[] LocaleIds { get; private set; } = [];

    /// <summary>The names of its users: the creator first, the present user last; null for anonymous. Source: Part 5
    /// §12.12.</summary>
    public string?[] UserHistory => Volatile.Read(ref _userHistory) ?? [_identity?.LoginName];

    /// <summary>Set at the first activation.</summary>
    public PublishSession? Publishing { get; private set; }

    /// <summary>Monotonic time stamp of the last request.</summary>
    public long LastActivity => Volatile.Read(ref _lastActivity);

    public ContinuationPoints<BrowseCursor> BrowsePoints => PointOwner?.BrowsePoints ??
        LazyInitializer.EnsureInitialized(ref _browsePoints, static () => new ContinuationPoints<BrowseCursor>());

    public ContinuationPoints<BrowseCursor>? BrowsePointsIfAny =>
        PointOwner is { } owner ? owner.BrowsePointsIfAny : Volatile.Read(ref _browsePoints);

    public PendingRequests Pending =>
        LazyInitializer.EnsureInitialized(ref _pending, static () => new PendingRequests());

    public PendingRequests? PendingIfAny => Volatile.Read(ref _pending);

    byte[]? ISessionMemo.Make() => SessionMemo.Of(this);

    /// <summary>Before it is in use.</summary>
    public void RestoreLocales(string[] localeIds) => LocaleIds = localeIds;

    public void Touch(long timestamp) => Volatile.Write(ref _lastActivity, timestamp);

    public void Issue(byte[] serverNonce)
    {
        lock (_lock)
            ServerNonce = serverNonce;
    }

    /// <summary>Counts a refused activation; true at and above the limit.</summary>
    public bool CountFailedActivation(int limit) => Interlocked.Increment(ref _failedActivations) >= limit;

    /// <summary>
    /// Takes over user, channel and next nonce in one step; counts as activity like any request. Errors:
    /// Bad_SessionClosed; Bad_NonceInvalid if another activation has used the nonce meanwhile.
    /// <paramref name="result"/> is valid after Good only.
    /// </summary>
    public StatusCode TryActivate(
        ChannelState channel, UserIdentity identity, byte[] usedNonce, byte[] nextNonce, string[] localeIds,
        long timestamp, out ActivationResult result)
    {
        lock (_lock)
        {
            result = default;
            if (_state == SessionState.Closed)
                return StatusCodes.BadSessionClosed;
            if (!ReferenceEquals(ServerNonce, usedNonce))
                return StatusCodes.BadNonceInvalid;
            result = new ActivationResult(_state == SessionState.Created, _channel, _identity);
            if (_identity is not null && !_identity.IsSameUser(identity))
                RememberUserUnderLock(identity);
            ServerNonce = nextNonce;
            if (localeIds.Length > 0)
                LocaleIds = localeIds;
            _failedActivations = 0;
            _identity = identity;
            _channel = channel;
            _lastCaller = null;
            _state = SessionState.Activated;
            Touch(timestamp);
            return StatusCode.Good;
        }
    }

    /// <summary>Another user in place of one whose token has expired. False: it is closed, or another activation was
    /// quicker.</summary>
    public bool TryReplaceUser(UserIdentity over, UserIdentity next)
    {
        lock (_lock)
        {
            if (_state != SessionState.Activated || !ReferenceEquals(_identity, over))
                return false;
            RememberUserUnderLock(next);
            _identity = next;
            _lastCaller = null;
            return true;
        }
    }

    /// <summary>False where it is closed already; then the caller closes what it opened.</summary>
    public bool TryAttach(PublishSession publishing)
    {
        lock (_lock)
        {
            if (_state == SessionState.Closed || Publishing is not null)
                return false;
            Publishing = publishing;
            return true;
        }
    }

    /// <summary>Closes the session if its time for activation, or since its last request, is over. False: it is closed
    /// already or has time left.</summary>
    /// <param name="clock">The clock of <see cref="LastActivity"/>.</param>
    /// <param name="activationTimeout">The time that it may stay unactivated.</param>
    /// <param name="left">0 or less when the time is over.</param>
    /// <param name="wasActivated">Whether the session that this call closed was activated.</param>
    public bool TryExpire(TimeProvider clock, TimeSpan activationTimeout, out TimeSpan left, out bool wasActivated)
    {
        lock (_lock)
        {
            wasActivated = _state == SessionState.Activated;
            var limit = wasActivated || Timeout < activationTimeout ? Timeout : activationTimeout;
            left = limit - clock.GetElapsedTime(LastActivity);
            if (_state == SessionState.Closed || left > TimeSpan.Zero)
                return false;
            _state = SessionState.Closed;
            return true;
        }
    }

    /// <summary>True for the one caller that closed it before its first activation.</summary>
    public bool TryCloseUnactivated()
    {
        lock (_lock)
        {
            if (_state != SessionState.Created)
                return false;
            _state = SessionState.Closed;
            return true;
        }
    }

    /// <summary>True for the one caller that closed it.</summary>
    public bool TryClose(out bool wasActivated)
    {
        lock (_lock)
        {
            wasActivated = _state == SessionState.Activated;
            if (_state == SessionState.Closed)
                return false;
            _state = SessionState.Closed;
            return true;
        }
    }

    /// <summary>Closes it to make room for a new session, only if it was never activated, or its channel is gone or has
    /// no request under way. False: it is closed already, or its client has come back to it.</summary>
    public bool TryGiveWay(out bool wasActivated)
    {
        lock (_lock)
        {
            wasActivated = _state == SessionState.Activated;
            var isThere = !_channel.IsClosed && _channel.IsIdle?.Invoke() != true;
            if (_state == SessionState.Closed || (wasActivated && isThere))
                return false;
            _state = SessionState.Closed;
            return true;
        }
    }

    public override void OnDue(long now) => manager.OnSessionDue(this);

    private void RememberUserUnderLock(UserIdentity identity)
    {
        List<string?> names = [.. UserHistory, identity.LoginName];
        if (names.Count > MaxUserHistory)
            names.RemoveAt(1);
        Volatile.Write(ref _userHistory, [.. names]);
    }
}
