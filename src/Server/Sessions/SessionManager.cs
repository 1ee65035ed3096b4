using System.Collections.Concurrent;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Tables;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Dispatch;
using Gateway.Transport.Timing;

namespace Gateway.Server.Sessions;

/// <summary>
/// All sessions. Requests find them by token without a lock and never scan them. Owner of their life: takes a place
/// before it spends work on a new session. At the cap a session that was never activated gives its place away (R07),
/// otherwise one whose channel is gone (R46). The wheel ends sessions that time out. Thread-safe.
/// </summary>
internal sealed partial class SessionManager(
    ServerLimits limits, PublishEngine publishing, NodeAccess access, WheelTimer wheel, ServerCounters counters,
    ServiceAdmission admission, AuditLog audit, Func<UserIdentity?> anonymousUser, TimeProvider clock)
{
    /// <summary>Victims tried for one new session; other threads may close a victim first.</summary>
    private const int MaxVictims = 8;

    private readonly ConcurrentDictionary<SessionToken, Session> _sessions = new();
    private readonly ConcurrentDictionary<Guid, Session> _byId = new();
    private readonly SessionPlaces _places = new(limits);
    private readonly SessionVictims _victims = new();
    private readonly SessionlessPoints _sessionlessPoints = new(limits.MaxTrackedLogins);

    public int Count => _places.Used;

    /// <summary>All sessions, page by page.</summary>
    public PageTable<Session> Pages { get; } = new();

    /// <summary>Active sessions whose channel is gone and that wait for their client.</summary>
    public int WithoutChannel => _victims.WithoutChannel;

    internal SessionPlaces Places => _places;

    /// <summary>Without a lock: may or may not contain sessions that begin or end meanwhile.</summary>
    public IEnumerable<Session> Sessions
    {
        get
        {
            foreach (var (_, session) in _sessions)
                yield return session;
        }
    }

    /// <summary>Of the session that has most; reads all sessions.</summary>
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

    public Session? Find(SessionToken token) => _sessions.TryGetValue(token, out var session) ? session : null;

    /// <summary>By the Guid of its SessionId, which is no secret.</summary>
    public Session? FindById(Guid id) => _byId.GetValueOrDefault(id);

    /// <summary>Stands for the session while a caller without one is served. Source: Part 4 §6.3.</summary>
    public Session MakeSessionless(ChannelState channel, Caller caller) => new(this, channel, default)
    {
        SessionId = default,
        Name = string.Empty,
        Client = ClientFacts.None,
        Place = new SessionPlace(caller.Address, caller.Certificate),
        Timeout = System.Threading.Timeout.InfiniteTimeSpan,
        MaxResponseMessageSize = 0,
        Sessionless = caller,
        PointOwner = _sessionlessPoints.Of(caller.Account, caller.Address),
    };

    /// <summary>Takes a place for a new session, at the cap from another session (<see cref="SessionVictims"/>).
    /// <see cref="ReleasePlace"/> or the session's end gives it back.</summary>
    public RefusalReason TryTakePlace(SessionPlace place)
    {
        var reason = _places.TryTake(place);
        // Another thread may close the victim first, or its client may activate it; then the next victim is tried.
        for (var tries = 0;
            reason is RefusalReason.MaxSessions or RefusalReason.Reserved && tries < MaxVictims;
            tries++)
        {
            if (_victims.Take(place, reason == RefusalReason.Reserved, _places.HeldBy(place)) is not { } victim)
                return reason;
            if (victim.TryGiveWay(out var wasActivated))
            {
                var isTaken = _places.TryTakeOver(victim.Place, place);
                Displace(victim, wasActivated, place);
                if (isTaken)
                    return RefusalReason.None;
            }

            reason = _places.TryTake(place);
        }

        return reason;
    }

    public void ReleasePlace(SessionPlace place) => _places.Release(place);

    /// <summary>Registers a session that has its place. Errors: as <see cref="ChannelState.TryBind"/>; then the caller
    /// still owns the place.</summary>
    /// <param name="session">Of the request.</param>
    /// <param name="facts">For the audit.</param>
    public StatusCode Add(Session session, in AuditFacts facts)
    {
        var status = session.Channel.TryBind(session, limits.MaxSessionsPerSecureChannel);
        if (status.IsBad)
            return status;
        session.CreatedAt = clock.GetUtcNow().UtcDateTime;
        session.Touch(clock.GetTimestamp());
        _sessions[session.Token] = session;
        _byId[session.SessionId.Guid] = session;
        session.PageNumber = Pages.Add(session);
        counters.SessionCreated();
        _victims.AddUnactivated(session);
        wheel.Schedule(session, Min(limits.ActivationTimeout, session.Timeout));
        audit.Session(AuditEvent.SessionCreated, session, StatusCode.Good, facts: facts);
        // Its channel may have closed it before it was in the table.
        if (session.IsClosed)
            Forget(session);
        return StatusCode.Good;
    }

    /// <summary>
    /// The one step from verified credentials to an active session. Errors: Bad_TooManySessions (of this user),
    /// Bad_SessionClosed, Bad_NonceInvalid, Bad_SecureChannelClosed; the session is then as before.
    /// </summary>
    /// <param name="session">Created or activated.</param>
    /// <param name="channel">The session's channel from then on.</param>
    /// <param name="identity">The verified user.</param>
    /// <param name="usedNonce">The nonce that the client signed.</param>
    /// <param name="nextNonce">The nonce for the next activation.</param>
    /// <param name="localeIds">The locales of the request.</param>
    /// <param name="reason">The cap behind Bad_TooManySessions; otherwise None.</param>
    public StatusCode Activate(
        Session session, ChannelState channel, UserIdentity identity, byte[] usedNonce, byte[] nextNonce,
        string[] localeIds, out RefusalReason reason)
    {
        var user = UserKeyOf(session, identity);
        reason = _places.BeginActivation(session.Place, user, out var isCounted);
        if (reason != RefusalReason.None)
            return StatusCodes.BadTooManySessions;
        var status = channel.TryBind(session, limits.MaxSessionsPerSecureChannel);
        reason = status.CodeBits == StatusCodes.BadTooManySessions
            ? RefusalReason.MaxSessionsPerSecureChannel
            : RefusalReason.None;
        ActivationResult replaced = default;
        if (!status.IsBad)
            status = session.TryActivate(
                channel, identity, usedNonce, nextNonce, localeIds, clock.GetTimestamp(), out replaced);
        if (isCounted)
            _places.EndActivation(session.Place, user, !status.IsBad);
        if (status.IsBad)
        {
            if (!ReferenceEquals(session.Channel, channel) || session.IsClosed)
                channel.Unbind(session);
            return status;
        }

        Settle(session, channel, identity, replaced);
        return StatusCode.Good;
    }

    /// <summary>False: it was closed already.</summary>
    /// <param name="keepsDurable">Its durable subscriptions stay, whoever ends it.</param>
    /// <param name="entryId">AuditEntryId of the request.</param>
    public bool Close(
        Session session, bool deleteSubscriptions, AuditEvent why, StatusCode status, string? detail = null,
        bool keepsDurable = false, string? entryId = null)
    {
        if (!session.TryClose(out var wasActivated))
            return false;
        CleanUp(session, wasActivated, deleteSubscriptions, why, status, detail, keepsDurable, entryId);
        return true;
    }

    /// <summary>For errors that end only a session before its activation. False: it was closed already, or activated
    /// meanwhile.</summary>
    public bool CloseUnactivated(Session session, StatusCode status)
    {
        if (!session.TryCloseUnactivated())
            return false;
        CleanUp(session, wasActivated: false, deleteSubscriptions: true, AuditEvent.SessionClosed, status);
        return true;
    }

    /// <summary>The channel is gone. Its unactivated sessions end, because they cannot be activated any more. The
    /// others wait for their client until their time-out, or until their place is needed.</summary>
    public void OnChannelClosed(ChannelState channel)
    {
        foreach (var session in channel.Close())
        {
            if (!CloseUnactivated(session, StatusCodes.BadSecureChannelClosed) &&
                ReferenceEquals(session.Channel, channel))
                LoseChannel(session);
        }
    }

    /// <summary>A channel without a connection has got a request or answered its last one. In between, its sessions
    /// count like those whose channel is gone (R46): otherwise a client that does not come back would keep its places.
    /// </summary>
    public void OnTraffic(ChannelState channel)
    {
        foreach (var session in channel.Sessions)
        {
            // One that was never activated stays the first to give way (R07).
            if (!session.IsActivated)
                continue;
            _victims.Remove(session);
            if (channel.IsIdle?.Invoke() == true)
                LoseIdle(session, channel);
        }
    }

    public void OnSessionDue(Session session)
    {
        if (session.TryExpire(clock, limits.ActivationTimeout, out var left, out var wasActivated))
            CleanUp(session, wasActivated, false, AuditEvent.SessionTimedOut, StatusCodes.BadTimeout);
        else if (left > TimeSpan.Zero)
        {
            if (IsUserOver(session))
                EndUser(session, session.Identity!);
            wheel.Schedule(session, left);
            WatchUser(session);
        }

        if (session.IsClosed)
            wheel.Cancel(session);
    }

    /// <summary>For the end of the server only.</summary>
    public void CloseAll(StatusCode status)
    {
        foreach (var (_, session) in _sessions)
            session.Publishing?.Leave();
        foreach (var (_, session) in _sessions)
            Close(session, true, AuditEvent.SessionClosed, status);
    }

    private static TimeSpan Min(TimeSpan left, TimeSpan right) => left < right ? left : right;

    private static string UserKeyOf(Session session, UserIdentity identity) =>
        UserKeys.Of(identity, session.ClientThumbprint, session.Address);

    public static SessionOwner OwnerOf(Session session, ChannelState channel, UserIdentity identity) => new(
        UserKeyOf(session, identity), identity.IsAnonymous, session.ClientApplicationUri,
        // TLS alone does not identify the application.
        channel.Connection.PeerThumbprint.Length > 0 &&
            channel.Connection.SecurityMode is MessageSecurityMode.Sign or MessageSecurityMode.SignAndEncrypt)
    {
        SessionId = session.SessionId,
        // The channels of other doors are not there again behind a restart. Without a signature the kept nonce, and a
        // password that somebody has seen encrypted for it, would do twice.
        Memo = channel.User is null && channel.Link is null && !channel.Connection.Policy.IsNone ? session : null,
        Certificate = session.ClientThumbprint,
        Address = session.Address,
    };

    /// <summary>For a session that was just closed.</summary>
    private void CleanUp(
        Session session, bool wasActivated, bool deleteSubscriptions, AuditEvent why, StatusCode status,
        string? detail = null, bool keepsDurable = false, string? entryId = null)
    {
        try
        {
            Forget(session);
            session.Channel.Unbind(session);
            session.PendingIfAny?.CloseAll();
            // A durable subscription goes by the wish of its client or an operator, not by a time-out, an eviction,
            // a token that expires, or the gateway's end.
            var deleteDurable = deleteSubscriptions && !keepsDurable &&
                (why == AuditEvent.SessionEnded || (why == AuditEvent.SessionClosed && !status.IsBad));
            session.Publishing?.Close(deleteSubscriptions, deleteDurable);
        }
        finally
        {
            // Even after a failure above: otherwise the place would be lost for ever.
            ReleasePlace(session.Place);
            counters.SessionClosed(wasActivated, why, status);
            audit.Session(why, session, status, detail, new AuditFacts { EntryId = entryId });
        }
    }

    /// <summary>The victim is closed, and the new session may have its place already.</summary>
    private void Displace(Session victim, bool wasActivated, SessionPlace newcomer)
    {
        var why = wasActivated ? AuditEvent.SessionEvicted : AuditEvent.SessionRecycled;
        CleanUp(victim, wasActivated, true, why, StatusCodes.BadTooManySessions);
        if (wasActivated)
            admission.Evicted(
                AdmissionStage.CreateSession, victim.Place.Address, victim.Place.Certificate,
                $"a session without channel made room for {newcomer.Address}");
        else
            admission.Stages.Shed(AdmissionStage.CreateSession, RefusalReason.Recycled);
    }

    private SessionItemAccess ItemAccessOf(Session session) => new(session, access, audit);

    private void LoseIdle(Session session, ChannelState channel)
    {
        _victims.AddWithoutChannel(session);
        if (session.IsClosed || !ReferenceEquals(session.Channel, channel) || channel.IsIdle?.Invoke() != true)
            _victims.Remove(session);
    }

    private void LoseChannel(Session session)
    {
        session.Publishing?.LoseOutput();
        _victims.AddWithoutChannel(session);
        // It may have moved to another channel, or ended, before it was in the list.
        if (session.IsClosed || !session.Channel.IsClosed)
            _victims.Remove(session);
    }

    private void Forget(Session session)
    {
        // Behind a restart another try may have made the same session again.
        _sessions.TryRemove(new KeyValuePair<SessionToken, Session>(session.Token, session));
        _byId.TryRemove(new KeyValuePair<Guid, Session>(session.SessionId.Guid, session));
        Pages.Remove(session.PageNumber, session);
        _victims.Remove(session);
        wheel.Cancel(session);
    }

    private void Settle(Session session, ChannelState channel, UserIdentity identity, in ActivationResult replaced)
    {
        var owner = OwnerOf(session, channel, identity);
        _victims.Remove(session);
        WatchUser(session);
        if (replaced.IsFirst)
        {
            counters.SessionActivated();
            var opened = publishing.OpenSession(
                OutputOf(session, channel), ItemAccessOf(session), owner);
            if (!session.TryAttach(opened))
                opened.Close(true);
        }

        if (!ReferenceEquals(replaced.PreviousChannel, channel))
        {
            replaced.PreviousChannel.Unbind(session);
            session.Publishing?.Rebind(OutputOf(session, channel), ItemAccessOf(session), owner);
        }
        else if (!replaced.IsFirst)
        {
            session.Publishing?.ChangeUser(ItemAccessOf(session), owner);
        }

        if (session.IsClosed)
            channel.Unbind(session);
        else if (channel.IsClosed)
            LoseChannel(session);
        channel.Refresh();
    }

    private SessionOutput OutputOf(Session session, ChannelState channel) =>
        new(channel.Connection, session.MaxResponseMessageSize, admission);
}
