using System.Collections.Concurrent;
using System.Security.Cryptography;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Server.Access;
using Gateway.Server.Audit;
using Gateway.Server.Dispatch;
using Gateway.Server.Users;

namespace Gateway.Server.Sessions;

/// <summary>
/// All sessions, found by token without a lock and never scanned while requests are served. Owner of their life:
/// places are taken before any work is spent on a newcomer, an unactivated session gives way at the cap (R07),
/// time-outs come from the wheel. Thread-safe.
/// </summary>
internal sealed class SessionManager(
    ServerLimits limits, PublishEngine publishing, NodeAccess access, TimingWheel wheel, ServerCounters counters,
    ServiceAdmission admission, AuditLog audit, TimeProvider clock)
{
    private readonly ConcurrentDictionary<Guid, Session> _sessions = new();
    private readonly UnactivatedSessions _unactivated = new();
    private readonly SessionQuota _users = new(limits.MaxSessionsPerUser);
    private readonly SessionQuota _addresses = new(limits.MaxSessionsPerAddress);
    private int _places;

    public int Count => Volatile.Read(ref _places);

    /// <summary>An unguessable token, 128 random bits.</summary>
    public static Guid NewToken()
    {
        Span<byte> bytes = stackalloc byte[16];
        RandomNumberGenerator.Fill(bytes);
        return new Guid(bytes);
    }

    /// <summary>Without a lock: those that come and go meanwhile may be there or not.</summary>
    public IEnumerable<Session> Sessions
    {
        get
        {
            foreach (var (_, session) in _sessions)
                yield return session;
        }
    }

    /// <summary>Of the session that has most; looks at all of them.</summary>
    public int MostPendingRequests
    {
        get
        {
            var most = 0;
            foreach (var (_, session) in _sessions)
                most = Math.Max(most, session.PendingIfAny?.Count ?? 0);
            return most;
        }
    }

    public int MostPublishRequests
    {
        get
        {
            var most = 0;
            foreach (var (_, session) in _sessions)
                most = Math.Max(most, session.Publishing?.HeldPublishRequests ?? 0);
            return most;
        }
    }

    public Session? Find(Guid token) => _sessions.TryGetValue(token, out var session) ? session : null;

    /// <summary>Takes a place for a new session, if need be that of an unactivated one (R07). Given back by
    /// <see cref="ReleasePlace"/> or by the session's end.</summary>
    public RefusalReason TryTakePlace(string address)
    {
        if (!_addresses.TryTake(address))
            return RefusalReason.MaxSessionsPerAddress;
        if (TryTakePlace())
            return RefusalReason.None;
        _addresses.Release(address);
        return RefusalReason.MaxSessions;
    }

    public void ReleasePlace(string address)
    {
        _addresses.Release(address);
        Interlocked.Decrement(ref _places);
    }

    /// <summary>Makes a session that has its place known. Errors: as <see cref="ChannelState.TryBind"/>; the place is
    /// then still the caller's.</summary>
    public StatusCode Add(Session session)
    {
        var status = session.Channel.TryBind(session, limits.MaxSessionsPerSecureChannel);
        if (status.IsBad)
            return status;
        session.CreatedAt = clock.GetUtcNow().UtcDateTime;
        session.Touch(clock.GetTimestamp());
        _sessions[session.Token] = session;
        counters.SessionCreated();
        _unactivated.Add(session);
        wheel.Schedule(session, Min(limits.ActivationTimeout, session.Timeout));
        audit.Session(AuditEvent.SessionCreated, session, StatusCode.Good);
        // Its channel may have closed it while it was being listed.
        if (session.IsClosed)
            Forget(session);
        return StatusCode.Good;
    }

    /// <summary>
    /// The one step from verified credentials to an active session. Errors: Bad_TooManySessions (of this user),
    /// Bad_SessionClosed, Bad_NonceInvalid, Bad_SecureChannelClosed; the session is then as before.
    /// </summary>
    /// <param name="session">Created or activated.</param>
    /// <param name="channel">Where it is from then on.</param>
    /// <param name="identity">As verified.</param>
    /// <param name="usedNonce">What the client's signature was checked against.</param>
    /// <param name="nextNonce">For the next activation.</param>
    /// <param name="localeIds">As asked for.</param>
    /// <param name="reason">Other than None with Bad_TooManySessions: of whom there are too many.</param>
    public StatusCode Activate(
        Session session, ChannelState channel, UserIdentity identity, byte[] usedNonce, byte[] nextNonce,
        string[] localeIds, out RefusalReason reason)
    {
        reason = RefusalReason.MaxSessionsPerUser;
        var key = QuotaKeyOf(session, identity);
        if (!_users.TryTake(key))
            return StatusCodes.BadTooManySessions;
        var status = channel.TryBind(session, limits.MaxSessionsPerSecureChannel);
        reason = status.CodeBits == StatusCodes.BadTooManySessions
            ? RefusalReason.MaxSessionsPerSecureChannel
            : RefusalReason.None;
        ActivationResult replaced = default;
        if (!status.IsBad)
            status = session.TryActivate(channel, identity, usedNonce, nextNonce, localeIds, out replaced);
        if (status.IsBad)
        {
            _users.Release(key);
            if (!ReferenceEquals(session.Channel, channel) || session.IsClosed)
                channel.Unbind(session);
            return status;
        }

        Settle(session, channel, identity, replaced);
        return StatusCode.Good;
    }

    /// <summary>Idempotent.</summary>
    public void Close(Session session, bool deleteSubscriptions, AuditEvent why, StatusCode status)
    {
        if (!session.TryClose(out var wasActivated))
            return;
        Forget(session);
        session.Channel.Unbind(session);
        session.PendingIfAny?.CloseAll();
        session.Publishing?.Close(deleteSubscriptions);
        if (session.Identity is { } identity)
            _users.Release(QuotaKeyOf(session, identity));
        ReleasePlace(session.Address);
        counters.SessionClosed(
            wasActivated, why == AuditEvent.SessionTimedOut, why == AuditEvent.SessionRecycled, status);
        audit.Session(why, session, status);
    }

    /// <summary>The channel is gone: what was never activated on it never can be; the rest waits for its client until
    /// the session's time-out.</summary>
    public void OnChannelClosed(ChannelState channel)
    {
        foreach (var session in channel.Close())
        {
            if (!session.IsActivated)
                Close(session, true, AuditEvent.SessionClosed, StatusCodes.BadSecureChannelClosed);
            else if (ReferenceEquals(session.Channel, channel))
                session.Publishing?.DiscardRequests();
        }
    }

    public void OnSessionDue(Session session)
    {
        var limit = session.IsActivated ? session.Timeout : Min(limits.ActivationTimeout, session.Timeout);
        var left = limit - clock.GetElapsedTime(session.LastActivity);
        if (left > TimeSpan.Zero)
            wheel.Schedule(session, left);
        else
            Close(session, false, AuditEvent.SessionTimedOut, StatusCodes.BadTimeout);
        if (session.IsClosed)
            wheel.Cancel(session);
    }

    /// <summary>For the end of the server only.</summary>
    public void CloseAll(StatusCode status)
    {
        foreach (var (_, session) in _sessions)
            Close(session, true, AuditEvent.SessionClosed, status);
    }

    private static TimeSpan Min(TimeSpan left, TimeSpan right) => left < right ? left : right;

    /// <summary>Anonymous clients are told apart by their certificate.</summary>
    private static string QuotaKeyOf(Session session, UserIdentity identity) =>
        identity.IsAnonymous ? "certificate:" + session.ClientThumbprint : $"{identity.Kind}:{identity.Key}";

    private static SessionOwner OwnerOf(Session session, ChannelState channel, UserIdentity identity) => new(
        QuotaKeyOf(session, identity), identity.IsAnonymous, session.ClientApplicationUri,
        channel.Connection.SecurityMode is MessageSecurityMode.Sign or MessageSecurityMode.SignAndEncrypt)
    { SessionId = session.SessionId };

    private bool TryTakePlace()
    {
        if (Interlocked.Increment(ref _places) <= limits.MaxSessions)
            return true;
        if (_unactivated.TakeVictim() is { } victim)
        {
            admission.Stages.Shed(AdmissionStage.CreateSession, RefusalReason.Recycled);
            Close(victim, true, AuditEvent.SessionRecycled, StatusCodes.BadTooManySessions);
            return true;
        }

        Interlocked.Decrement(ref _places);
        return false;
    }

    private void Forget(Session session)
    {
        _sessions.TryRemove(session.Token, out _);
        _unactivated.Remove(session);
        wheel.Cancel(session);
    }

    private void Settle(Session session, ChannelState channel, UserIdentity identity, in ActivationResult replaced)
    {
        var owner = OwnerOf(session, channel, identity);
        if (replaced.IsFirst)
        {
            _unactivated.Remove(session);
            counters.SessionActivated();
            var opened = publishing.OpenSession(
                new SessionOutput(channel.Connection, admission), new SessionItemAccess(session, access), owner);
            if (!session.TryAttach(opened))
                opened.Close(true);
        }

        if (replaced.PreviousIdentity is { } previous)
            _users.Release(QuotaKeyOf(session, previous));
        if (!ReferenceEquals(replaced.PreviousChannel, channel))
        {
            replaced.PreviousChannel.Unbind(session);
            session.Publishing?.Rebind(
                new SessionOutput(channel.Connection, admission), new SessionItemAccess(session, access), owner);
        }
        else if (!replaced.IsFirst)
        {
            session.Publishing?.ChangeUser(new SessionItemAccess(session, access), owner);
        }

        if (session.IsClosed)
            channel.Unbind(session);
        channel.Refresh();
    }
}
