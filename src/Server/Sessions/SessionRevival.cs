using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Publish;
using Gateway.Publish.Durable;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Dispatch;
using Gateway.Transport.Certificates;

namespace Gateway.Server.Sessions;

/// <summary>
/// Sessions of the process before, whose clients activate them again: a session is made anew, not activated yet, for
/// the client certificate, the policy and the mode that it had, and becomes the owner of its durable subscriptions once
/// its user has proved himself. Until then it stays where it was, so that a failed try takes nothing from its client.
/// Source: Part 4 §5.7.3, §6.8. Thread-safe.
/// </summary>
internal sealed class SessionRevival(
    RestoredSessions restored, SessionManager sessions, ServerLimits limits, OwnCertificate own)
{
    private readonly Lock _lock = new();

    /// <summary>Null: there is none that this channel may activate.</summary>
    /// <param name="token">Of the request.</param>
    /// <param name="present">Null, or what another channel has begun with it and may never end: the client has come
    /// again.</param>
    /// <param name="channel">The channel of the request.</param>
    /// <param name="facts">For the audit.</param>
    /// <param name="reason">The cap that is in the way; otherwise None.</param>
    public Session? TryBegin(
        SessionToken token, Session? present, ChannelState channel, in AuditFacts facts, out RefusalReason reason)
    {
        reason = RefusalReason.None;
        if (restored.Count == 0 || channel.User is not null)
            return present;
        SessionMemo? memo = null;
        var found = restored.Find(one => SessionMemo.Read(one.Memo.Span) is { } read && read.IsOf(token) &&
            (memo = read) is not null);
        var connection = channel.Connection;
        if (found is null || !memo!.Fits(connection) || found.Owner.Certificate != connection.PeerThumbprint)
            return present;
        lock (_lock)
        {
            present = sessions.Find(token);
            if (present is { Restored: not null } && !ReferenceEquals(present.Channel, channel) &&
                sessions.CloseUnactivated(present, StatusCodes.BadSecureChannelIdInvalid))
                present = null;
            // Another try may have ended well, and its session, too.
            return present ?? (restored.Has(found) ? Make(found, memo, token, channel, facts, out reason) : null);
        }
    }

    /// <summary>Begun on another channel, and not activated there.</summary>
    public static bool IsElsewhere(Session session, ChannelState channel) =>
        session is { Restored: not null, IsActivated: false } && !ReferenceEquals(session.Channel, channel);

    /// <summary>A session moves to another channel only with the user that it has (R15).</summary>
    public static bool IsOfUser(Session session, SessionOwner owner) =>
        session.Restored is not { } restored || owner.MayTakeOverFrom(restored.Owner);

    /// <summary>The session is active: its subscriptions follow it, with all that waits in them. One that has ended
    /// meanwhile, or has been taken over, is none of them any more.</summary>
    public void Complete(Session session)
    {
        if (session.Restored is not { } found || session.Publishing is not { } publishing)
            return;
        restored.Remove(found);
        publishing.TakeBack(found);
        session.Restored = null;
    }

    private Session? Make(
        RestoredSession found, SessionMemo memo, SessionToken token, ChannelState channel, in AuditFacts facts,
        out RefusalReason reason)
    {
        var connection = channel.Connection;
        var place = new SessionPlace(ServiceAdmission.AddressOf(connection), connection.PeerThumbprint);
        reason = sessions.TryTakePlace(place);
        if (reason != RefusalReason.None)
            return null;
        var session = new Session(sessions, channel, token)
        {
            SessionId = found.Owner.SessionId,
            Name = memo.Name,
            Client = memo.Client,
            Place = place,
            OwnCertificate = connection.OwnCertificate ?? own.Current,
            Timeout = found.Timeout < limits.Now.MaxSessionTimeout ? found.Timeout : limits.Now.MaxSessionTimeout,
            MaxResponseMessageSize = memo.MaxResponseMessageSize,
            Restored = found,
        };
        session.Issue(memo.ServerNonce);
        session.RestoreLocales(memo.LocaleIds);
        var status = sessions.Add(session, facts);
        if (!status.IsBad)
            return session;
        sessions.ReleasePlace(place);
        if (status.CodeBits == StatusCodes.BadTooManySessions)
            reason = RefusalReason.MaxSessionsPerSecureChannel;
        return null;
    }
}
