using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit;
using Gateway.Server.Sessions;
using Gateway.Server.Users;

namespace Gateway.Server.Management;

/// <summary>For operators: the sessions that there are, page by page, and the end of one. A page looks at its sessions
/// one after the other and holds no lock across two of them. Threads: any.</summary>
public sealed class SessionDirectory
{
    private static readonly TimeSpan ReviewPause = TimeSpan.FromMilliseconds(100);

    private readonly SessionManager _sessions;
    private readonly IUserValidator _users;
    private readonly TimeProvider _clock;

    internal SessionDirectory(SessionManager sessions, IUserValidator users, TimeProvider clock) =>
        (_sessions, _users, _clock) = (sessions, users, clock);

    public int Count => _sessions.Count;

    /// <param name="from">0, or the result of the page before.</param>
    /// <param name="count">Sessions at most.</param>
    /// <param name="into">They are added to it.</param>
    /// <returns>Where the next page begins; -1: this was the last.</returns>
    public int Read(int from, int count, List<SessionReport> into)
    {
        var page = new List<Session>(Math.Min(count, _sessions.Count));
        var next = _sessions.Pages.Read(from, count, page);
        foreach (var session in page)
        {
            if (!session.IsClosed)
                into.Add(Report(session));
        }

        return next;
    }

    /// <summary>Null: there is none.</summary>
    public SessionReport? Find(Guid id) =>
        _sessions.FindById(id) is { IsClosed: false } session ? Report(session) : null;

    /// <summary>Its held Publish requests are answered Bad_SessionClosed, later requests Bad_SessionIdInvalid. Its
    /// subscriptions end with it. Its connection stays: the client may make another session. False: there is none.
    /// </summary>
    /// <param name="id">Of the session.</param>
    /// <param name="caller">Checked for <see cref="GatewayPermission.EndClients"/>.</param>
    public bool End(Guid id, Caller caller) =>
        _sessions.FindById(id) is { } session && _sessions.Close(
            session, deleteSubscriptions: true, AuditEvent.SessionEnded, StatusCodes.BadSessionClosed,
            AuditLog.NameOf(caller));

    /// <summary>Judges the certificates of all users again, and ends the sessions of those that no longer pass; streams
    /// and WebSockets end by themselves (R31). Durable subscriptions wait for their user, as in
    /// <see cref="ReviewUsers"/>. Looks at all sessions.</summary>
    /// <returns>How many were ended.</returns>
    public int RecheckUsers()
    {
        _users.RecheckCertificates();
        return End(static user => user.IsRefused, "the user's certificate is no longer trusted", keepsDurable: true);
    }

    /// <summary>Looks at all sessions after the configuration of users has changed. A user with other roles goes on
    /// with these. A user who has gone loses all rights at once; his sessions end at a rate, because his clients all
    /// come back (design: what must close closes at a paced rate). Those with durable subscriptions, of which there are
    /// few, end at once: these wait for their user, who may have gone by mistake, until their lifetime is over.
    /// </summary>
    /// <param name="perSecond">Sessions to end in a second.</param>
    /// <param name="cancellation">The gateway stops.</param>
    /// <returns>How many sessions got other roles; how many durable subscriptions wait for a user who has gone; and the
    /// end of those whose user has gone, with their number. It may take minutes.</returns>
    public (int Changed, int Kept, Task<int> Ending) ReviewUsers(double perSecond, CancellationToken cancellation)
    {
        _users.RecheckCertificates();
        var (changed, kept, ended) = (0, 0, 0);
        var leaving = new List<Session>();
        foreach (var session in _sessions.Sessions)
        {
            if (session.Identity is not { IsRefused: true } user)
                continue;
            if (_users.Renew(user) is { } next)
                changed += _sessions.ChangeRoles(session, user, next) ? 1 : 0;
            // Without roles its items would lose what they have.
            else if (session.Publishing is { DurableCount: > 0 and var durable } && EndIfGone(session))
                (kept, ended) = (kept + durable, ended + 1);
            else if (_sessions.ChangeRoles(session, user, user with { Roles = Roles.None }))
                leaving.Add(session);
        }

        return (changed, kept, EndGoneAsync(leaving, ended, perSecond, cancellation));
    }

    private async Task<int> EndGoneAsync(
        List<Session> leaving, int ended, double perSecond, CancellationToken cancellation)
    {
        var aTurn = Math.Max(1, (int)(perSecond * ReviewPause.TotalSeconds));
        foreach (var turn in leaving.Chunk(aTurn))
        {
            if (ended > 0)
                await Task.Delay(ReviewPause, _clock, cancellation).ConfigureAwait(false);
            foreach (var session in turn)
                ended += EndIfGone(session) ? 1 : 0;
        }

        return ended;
    }

    /// <summary>Its client may have brought another user meanwhile.</summary>
    private bool EndIfGone(Session session) => session.Identity is { IsRefused: true } && _sessions.Close(
        session, deleteSubscriptions: true, AuditEvent.SessionEnded, StatusCodes.BadSessionClosed,
        "its user is no longer configured", keepsDurable: true);

    /// <summary>Ends what a user has open whose certificate an operator took away (R31). Looks at all sessions.
    /// </summary>
    /// <param name="thumbprint">Of the user's certificate.</param>
    /// <param name="caller">The operator who rejected it.</param>
    /// <returns>How many were ended.</returns>
    public int EndOfUser(string thumbprint, Caller caller)
    {
        _users.RefuseCertificate(thumbprint);
        return End(
            user => user.Key.Equals(thumbprint, StringComparison.OrdinalIgnoreCase), AuditLog.NameOf(caller));
    }

    private int End(Func<UserIdentity, bool> isOver, string why, bool keepsDurable = false)
    {
        var ended = 0;
        foreach (var session in _sessions.Sessions)
        {
            if (session.Identity is { Kind: UserKind.Certificate } user && isOver(user) && _sessions.Close(
                session, deleteSubscriptions: true, AuditEvent.SessionEnded, StatusCodes.BadSessionClosed, why,
                keepsDurable))
                ended++;
        }

        return ended;
    }

    private SessionReport Report(Session session)
    {
        var (channel, publishing, client) = (session.Channel.Connection, session.Publishing, session.Client);
        var account = channel.Pass?.Certificate ?? channel.Pass?.Address;
        return new SessionReport
        {
            Id = session.SessionId.Guid,
            Name = session.Name,
            ApplicationName = client.ApplicationName.Text,
            ApplicationUri = client.ApplicationUri,
            State = !session.IsActivated ? SessionPhase.Created
                : session.Channel.IsClosed ? SessionPhase.Waiting
                : SessionPhase.Active,
            Door = channel.Profile.Scheme,
            RemoteEndPoint = channel.RemoteEndPoint,
            ChannelId = channel.ChannelId,
            SecurityPolicy = channel.Policy.Name,
            SecurityMode = channel.SecurityMode,
            Certificate = session.ClientThumbprint,
            CertificateSubject = channel.Pass?.Certificate?.Subject,
            User = session.Identity is { IsAnonymous: true } ? "anonymous" : session.Identity?.DisplayName,
            Since = session.CreatedAt,
            LastActivity = _clock.GetUtcNow().UtcDateTime - _clock.GetElapsedTime(session.LastActivity),
            Timeout = session.Timeout,
            Subscriptions = publishing?.SubscriptionCount ?? 0,
            MonitoredItems = publishing?.MonitoredItemCount ?? 0,
            PublishRequests = publishing?.HeldPublishRequests ?? 0,
            RefusedPublishRequests = publishing?.RefusedPublishRequests ?? 0,
            PendingRequests = session.PendingIfAny?.Count ?? 0,
            Requests = session.Counts.Total.TotalCount,
            FailedRequests = session.Counts.Total.ErrorCount,
            UnauthorizedRequests = session.Counts.Unauthorized,
            Totals = publishing?.ReadTotals() ?? default,
            Refusals = account?.Refusals ?? 0,
        };
    }
}
