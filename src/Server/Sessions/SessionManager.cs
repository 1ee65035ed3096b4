using System.Collections.Concurrent;
using System.Security.Cryptography;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Publish;
using Gateway.Server.Audit;
using Gateway.Server.Diagnostics;
using Gateway.Server.Dispatch;
using Gateway.Transport.Timing;

namespace Gateway.Server.Sessions;

/// <summary>
/// All sessions, found by token without a lock and never scanned while requests are served. Owner of their life:
/// places are taken before any work is spent on a newcomer; at the cap a session that was never activated gives way
/// (R07), else one whose channel is gone (R46); time-outs come from the wheel. Thread-safe.
/// </summary>
internal sealed class SessionManager(
    ServerLimits limits, PublishEngine publishing, NodeAccess access, WheelTimer wheel, ServerCounters counters,
    ServiceAdmission admission, AuditLog audit, TimeProvider clock)
{
    /// <summary>Victims that one newcomer asks for while others close them under its hands.</summary>
    private const int MaxVictims = 8;

    private readonly ConcurrentDictionary<Guid, Session> _sessions = new();
    private readonly SessionPlaces _places = new(limits);
    private readonly SessionVictims _victims = new();
    private readonly SessionlessPoints _sessionlessPoints = new(limits.MaxTrackedLogins);

    public int Count => _places.Used;

    /// <summary>Active sessions whose channel is gone and that wait for their client.</summary>
    public int WithoutChannel => _victims.WithoutChannel;

    internal SessionPlaces Places => _places;

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

    /// <summary>What stands for the session while a caller without one is served. Source: Part 4 §6.3.</summary>
    public Session MakeSessionless(ChannelState channel, Caller caller) => new(this, channel, Guid.Empty)
    {
        SessionId = default,
        Name = string.Empty,
        Client = ClientFacts.None,
        Place = new SessionPlace(caller.Address, caller.Certificate),
        Timeout = System.Threading.Timeout.InfiniteTimeSpan,
        MaxResponseMessageSize = 0,
        Sessionless = caller,
        PointOwner = _sessionlessPoints.Of(caller.Account),
    };

    /// <summary>Takes a place for a new session, if need be that of another (<see cref="SessionVictims"/>). Given back
    /// by <see cref="ReleasePlace"/> or by the session's end.</summary>
    public RefusalReason TryTakePlace(SessionPlace place)
    {
        var reason = _places.TryTake(place);
        // Another may close the victim first, or its client may activate it; then the next one is asked for.
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
        _victims.AddUnactivated(session);
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
    public bool Close(Session session, bool deleteSubscriptions, AuditEvent why, StatusCode status)
    {
        if (!session.TryClose(out var wasActivated))
            return false;
        CleanUp(session, wasActivated, deleteSubscriptions, why, status);
        return true;
    }

    /// <summary>For what only a session that nobody has activated ends by. False: it was closed already, or activated
    /// meanwhile.</summary>
    public bool CloseUnactivated(Session session, StatusCode status)
    {
        if (!session.TryCloseUnactivated())
            return false;
        CleanUp(session, wasActivated: false, deleteSubscriptions: true, AuditEvent.SessionClosed, status);
        return true;
    }

    /// <summary>The channel is gone: what was never activated on it never can be; the rest waits for its client until
    /// the session's time-out, or until its place is needed.</summary>
    public void OnChannelClosed(ChannelState channel)
    {
        foreach (var session in channel.Close())
        {
            if (!CloseUnactivated(session, StatusCodes.BadSecureChannelClosed) &&
                ReferenceEquals(session.Channel, channel))
                LoseChannel(session);
        }
    }

    /// <summary>A channel without a connection has got a request, or answered its last. In between its sessions are
    /// like those whose channel is gone (R46): a client that does not come back would keep its places else.</summary>
    public void OnTraffic(ChannelState channel)
    {
        foreach (var session in channel.Sessions)
        {
            _victims.Remove(session);
            if (session.IsActivated && channel.IsIdle?.Invoke() == true)
                LoseIdle(session, channel);
        }
    }

    public void OnSessionDue(Session session)
    {
        if (session.TryExpire(clock, limits.ActivationTimeout, out var left, out var wasActivated))
            CleanUp(session, wasActivated, false, AuditEvent.SessionTimedOut, StatusCodes.BadTimeout);
        else if (left > TimeSpan.Zero)
            wheel.Schedule(session, left);
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

    private static string UserKeyOf(Session session, UserIdentity identity) =>
        UserKeys.Of(identity, session.ClientThumbprint, session.Address);

    private static SessionOwner OwnerOf(Session session, ChannelState channel, UserIdentity identity) => new(
        UserKeyOf(session, identity), identity.IsAnonymous, session.ClientApplicationUri,
        // TLS alone says nothing of the application.
        channel.Connection.PeerThumbprint.Length > 0 &&
            channel.Connection.SecurityMode is MessageSecurityMode.Sign or MessageSecurityMode.SignAndEncrypt)
    {
        SessionId = session.SessionId,
        Certificate = session.ClientThumbprint,
        Address = session.Address,
    };

    /// <summary>For one that was just closed.</summary>
    private void CleanUp(
        Session session, bool wasActivated, bool deleteSubscriptions, AuditEvent why, StatusCode status)
    {
        try
        {
            Forget(session);
            session.Channel.Unbind(session);
            session.PendingIfAny?.CloseAll();
            session.Publishing?.Close(deleteSubscriptions);
        }
        finally
        {
            // Whatever failed, nobody comes back to it: a place that is not given back now is lost for ever.
            ReleasePlace(session.Place);
            counters.SessionClosed(wasActivated, why, status);
            audit.Session(why, session, status);
        }
    }

    /// <summary>It gave way, and its place is the newcomer's already.</summary>
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
        // It may have gone on elsewhere, or ended, while it was being listed.
        if (session.IsClosed || !session.Channel.IsClosed)
            _victims.Remove(session);
    }

    private void Forget(Session session)
    {
        _sessions.TryRemove(session.Token, out _);
        _victims.Remove(session);
        wheel.Cancel(session);
    }

    private void Settle(Session session, ChannelState channel, UserIdentity identity, in ActivationResult replaced)
    {
        var owner = OwnerOf(session, channel, identity);
        _victims.Remove(session);
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
