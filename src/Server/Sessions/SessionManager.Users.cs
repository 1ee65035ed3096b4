using Gateway.Admission.Stages;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit;

namespace Gateway.Server.Sessions;

/// <summary>Users who change while their session lives: their token expires, or the configuration says something else
/// of them.</summary>
internal sealed partial class SessionManager
{
    /// <summary>The token of its user has expired: the session goes on as anonymous, or ends where nobody may be, or
    /// where it has durable subscriptions: they stay those of their user. Source: Part 4 §7.40.6.</summary>
    private bool IsUserOver(Session session) => EndingUserOf(session)?.IsOver(clock) == true;

    private void WatchUser(Session session)
    {
        if (EndingUserOf(session) is { } user)
            wheel.ScheduleEarlier(session, user.ValidUntil);
    }

    /// <summary>Null: without an end. Each request over HTTP proves the transport's user anew, but nothing renews the
    /// token that an ActivateSession over HTTP brought, not even a login of the same user.</summary>
    private static UserIdentity? EndingUserOf(Session session) =>
        session.Identity is { ValidUntil: not 0 } user && !ReferenceEquals(user, session.Channel.User?.Identity)
            ? user
            : null;

    private void EndUser(Session session, UserIdentity user)
    {
        if (session.Publishing is { DurableCount: > 0 } || anonymousUser() is not { } anonymous ||
            !TryCountFor(session, anonymous))
        {
            Close(session, deleteSubscriptions: true, AuditEvent.SessionClosed, StatusCodes.BadIdentityTokenRejected);
            return;
        }

        if (!session.TryReplaceUser(user, anonymous))
        {
            // Its client was quicker, with another token.
            TryCountFor(session, session.Identity!);
            return;
        }

        session.Publishing?.ChangeUser(ItemAccessOf(session), OwnerOf(session, session.Channel, anonymous));
        session.Channel.Refresh();
        audit.Session(
            AuditEvent.UserChanged, session, StatusCodes.BadIdentityTokenRejected,
            "the token of the user before has expired");
    }

    /// <summary>The same user with other roles, in a session that goes on; its items are reviewed. False: its client
    /// was quicker, or it is closed.</summary>
    /// <param name="session">Of the user.</param>
    /// <param name="user">Its user up to now.</param>
    /// <param name="next">The same user.</param>
    public bool ChangeRoles(Session session, UserIdentity user, UserIdentity next)
    {
        if (!session.TryReplaceUser(user, next))
            return false;
        session.Publishing?.ChangeUser(ItemAccessOf(session), OwnerOf(session, session.Channel, next));
        session.Channel.Refresh();
        audit.Session(
            AuditEvent.UserChanged, session, StatusCode.Good,
            $"the configuration has changed: roles {next.Roles} instead of {user.Roles}");
        return true;
    }

    /// <summary>False: there are as many of this user as may be.</summary>
    private bool TryCountFor(Session session, UserIdentity identity)
    {
        var key = UserKeyOf(session, identity);
        if (_places.BeginActivation(session.Place, key, out var isCounted) != RefusalReason.None)
            return false;
        if (isCounted)
            _places.EndActivation(session.Place, key, succeeded: true);
        return true;
    }
}
