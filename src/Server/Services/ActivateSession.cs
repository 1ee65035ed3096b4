using System.Security.Cryptography;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Discovery;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;
using Gateway.Server.Users;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Services;

/// <summary>
/// ActivateSession: the first one on the channel of CreateSession, later ones for another user, locale or channel. A
/// session moves only to a channel of the same client certificate, policy and mode, and only with the user that it has
/// (R15). Source: Part 4 §5.7.3.
/// </summary>
internal sealed partial class ActivateSession(
    ServerOptions options, SessionManager sessions, EndpointCatalog catalog, IUserValidator users,
    ServiceAdmission admission, FailureAnswers failures, AuditLog audit, SessionRevival revival,
    ILogger<ActivateSession> logger)
{
    private const int NonceLength = 32;

    public StatusCode Handle(ref ServiceCall call)
    {
        if (!call.TryDecode<ActivateSessionRequest>(out var request))
            return call.Whole.Status;
        if (call.Channel.IsHandshakeFull)
            return call.Refuse(admission.Refuse(
                AdmissionStage.ActivateSession, RefusalReason.PendingHandshakes, call.Channel.Connection));
        call.HeldSince = failures.Begin();
        var session = sessions.Find(call.Head.Token);
        if (session is null || SessionRevival.IsElsewhere(session, call.Channel))
        {
            session = revival.TryBegin(call.Head.Token, session, call.Channel, FactsOf(request), out var reason);
            if (reason != RefusalReason.None)
                return call.Refuse(admission.Refuse(AdmissionStage.ActivateSession, reason, call.Channel.Connection));
        }

        if (session is null)
        {
            audit.Channel(
                AuditEvent.ActivationRefused, call.Channel.Connection, StatusCodes.BadSessionIdInvalid,
                facts: FactsOf(request));
            return StatusCodes.BadSessionIdInvalid;
        }

        var nonce = session.ServerNonce;
        var status = CheckChannel(session, call.Channel);
        if (!status.IsBad)
            status = CheckClientSignature(session, call.Channel.Connection, nonce, request);
        UserTokenContext? context = null;
        var known = request.UserIdentityToken.IsNull ? call.Channel.User?.Identity : null;
        if (!status.IsBad && known is null)
            status = MakeContext(session, call.Channel.Connection, nonce, request, out context);
        if (status.IsBad)
            return Refuse(session, call.Channel, request, status, null);
        if (!call.Channel.TryBeginHandshake())
            return call.Refuse(Refuse(session, call.Channel, request, RefusalReason.PendingHandshakes, null));

        // HTTP has checked its user already; a request without a user token means that user.
        var verdict = known is null
            ? users.ValidateAsync(context!, CancellationToken.None)
            : new ValueTask<UserVerdict>(new UserVerdict(StatusCodes.Good, known));
        if (!verdict.IsCompletedSuccessfully)
        {
            _ = FinishAsync(verdict, session, call.Channel, nonce, request, call.ReplyTo, call.HeldSince);
            return StatusCode.Good;
        }

        call.Channel.EndHandshake();
#pragma warning disable CA1849, VSTHRD103 // completed
        var decision = Apply(session, call.Channel, nonce, request, verdict.GetAwaiter().GetResult(), out var response);
#pragma warning restore CA1849, VSTHRD103
        return response is null ? call.Refuse(decision) : call.Reply(response);
    }

    private async Task FinishAsync(
        ValueTask<UserVerdict> pending, Session session, ChannelState channel, byte[] nonce,
        ActivateSessionRequest request, ReplyTo replyTo, long since)
    {
        Decision decision;
        ActivateSessionResponse? response = null;
        try
        {
            var verdict = await pending.ConfigureAwait(false);
            decision = Apply(session, channel, nonce, request, verdict, out response);
        }
        catch (PrivateKeyLaneBusyException)
        {
            decision = Refuse(session, channel, request, RefusalReason.WaitedTooLong, null);
        }
#pragma warning disable CA1031 // a validator's fault refuses this activation only
        catch (Exception exception)
#pragma warning restore CA1031
        {
            LogValidatorFailed(exception);
            audit.Channel(
                AuditEvent.ActivationRefused, channel.Connection, StatusCodes.BadInternalError, null,
                session: session, facts: FactsOf(request));
            decision = Told(StatusCodes.BadInternalError);
        }

        // Until it is answered it counts as under way.
        if (response is null)
            await failures.WaitAsync(since).ConfigureAwait(false);
        channel.EndHandshake();
        if (response is null)
            replyTo.SendFault(decision.Status, decision.RetryAfterMs);
        else
            replyTo.Send(response, session);
        replyTo.Channel.Flush();
    }

    /// <summary>No response: the client gets the decision's status.</summary>
    private Decision Apply(
        Session session, ChannelState channel, byte[] usedNonce, ActivateSessionRequest request, UserVerdict verdict,
        out ActivateSessionResponse? response)
    {
        response = null;
        if (verdict.Reason != RefusalReason.None)
            return Refuse(session, channel, request, verdict.Reason, verdict.DetailWithUser);
        if (verdict.Status.IsBad || verdict.Identity is null)
            return Told(Refuse(session, channel, request,
                verdict.Status.IsBad ? verdict.Status : StatusCodes.BadInternalError, verdict.DetailWithUser,
                certificate: verdict.Certificate));
        var moved = session.IsActivated && !ReferenceEquals(session.Channel, channel);
        var isOther = moved
            ? !verdict.Identity.IsSameUser(session.Identity)
            : !SessionRevival.IsOfUser(session, SessionManager.OwnerOf(session, channel, verdict.Identity));
        if (isOther)
            return Told(Refuse(
                session, channel, request, StatusCodes.BadIdentityChangeNotSupported, "another user and channel"));

        var before = session.Identity;
        var nextNonce = RandomNumberGenerator.GetBytes(NonceLength);
        var locales = LocaleList.Of(request.LocaleIds ?? []);
        var status = sessions.Activate(
            session, channel, verdict.Identity, usedNonce, nextNonce, locales, out var reason);
        if (reason != RefusalReason.None)
            return Refuse(session, channel, request, reason, null);
        if (status.IsBad)
            return Told(Refuse(session, channel, request, status, null));
        if (verdict.Identity.IsRefused)
        {
            // The trust list has changed meanwhile, and the sessions were looked at before this one had its user.
            sessions.Close(
                session, deleteSubscriptions: true, AuditEvent.SessionEnded, StatusCodes.BadIdentityTokenRejected,
                keepsDurable: true);
            return Told(StatusCodes.BadIdentityTokenRejected);
        }

        admission.Stages.Admit(AdmissionStage.ActivateSession);
        revival.Complete(session);
        if (before is null)
            channel.Connection.Pass?.Activated();
        var kind = before is null ? AuditEvent.SessionActivated
            : moved ? AuditEvent.SessionTransferred
            : AuditEvent.UserChanged;
        audit.Session(kind, session, StatusCode.Good, facts: FactsOf(request));
        response = new ActivateSessionResponse { ServerNonce = nextNonce };
        return Decision.Admit;
    }

    private static AuditFacts FactsOf(ActivateSessionRequest request) => new()
    {
        EntryId = request.RequestHeader.AuditEntryId,
        Request = request,
    };

    private static Decision Told(StatusCode status) => new(RefusalReason.None, status, 0);

    private static StatusCode CheckChannel(Session session, ChannelState channel)
    {
        if (session.IsClosed)
            return StatusCodes.BadSessionClosed;
        if (ReferenceEquals(session.Channel, channel))
            return StatusCode.Good;
        if (!session.IsActivated)
            return StatusCodes.BadSecureChannelIdInvalid;
        var (now, before) = (channel.Connection, session.Channel.Connection);
        var isSameClient = now.PeerThumbprint == session.ClientThumbprint && now.Policy.Uri == before.Policy.Uri &&
            now.SecurityMode == before.SecurityMode &&
            (session.Identity is { IsAnonymous: false } || IsSameUser(channel.User, session.Channel.User));
        return isSameClient ? StatusCode.Good : StatusCodes.BadSecurityChecksFailed;
    }

    /// <summary>An anonymous identity proves nothing, so without a client certificate only the transport's user tells
    /// one client from another (R15).</summary>
    private static bool IsSameUser(Caller? now, Caller? before) =>
        now?.Identity is { } user ? user.IsSameUser(before?.Identity) : before is null;

    /// <summary>A client that comes back on a new channel signs the certificate of that one, or the one that its
    /// session has shown it.</summary>
    private static StatusCode CheckClientSignature(
        Session session, SecureChannel channel, byte[] nonce, ActivateSessionRequest request)
    {
        if (channel.Policy.IsNone)
            return StatusCode.Good;
        var (first, second) = (channel.OwnCertificate ?? session.OwnCertificate!, session.OwnCertificate!);
        return IsOver(first) || (!ReferenceEquals(first, second) && IsOver(second))
            ? StatusCode.Good
            : StatusCodes.BadApplicationSignatureInvalid;

        bool IsOver(ApplicationCertificate own) => SessionSignatures.Verify(
            own, channel.Policy, channel.PeerCertificate, nonce, request.ClientSignature);
    }

    /// <summary>Errors: Bad_IdentityTokenInvalid for a token that this endpoint does not offer.</summary>
    private StatusCode MakeContext(
        Session session, SecureChannel channel, byte[] nonce, ActivateSessionRequest request,
        out UserTokenContext? context)
    {
        context = null;
        var token = request.UserIdentityToken.IsNull
            ? new AnonymousIdentityToken()
            : request.UserIdentityToken.Body as UserIdentityToken;
        UserTokenType? type = token switch
        {
            AnonymousIdentityToken => UserTokenType.Anonymous,
            UserNameIdentityToken => UserTokenType.UserName,
            X509IdentityToken => UserTokenType.Certificate,
            IssuedIdentityToken => UserTokenType.IssuedToken,
            _ => null,
        };
        if (type is null)
            return StatusCodes.BadIdentityTokenInvalid;
        var policy = catalog.FindTokenPolicy(channel.Policy, token!.PolicyId, type.Value);
        if (policy is null)
            return StatusCodes.BadIdentityTokenInvalid;
        context = new UserTokenContext
        {
            Token = token,
            Policy = policy,
            SecurityPolicy = policy.SecurityPolicyUri is { } uri && SecurityPolicies.TryGet(uri, out var named)
                ? named
                : channel.Policy,
            Signature = request.UserTokenSignature,
            ServerNonce = nonce,
            ServerCertificates = [channel.OwnCertificate, session.OwnCertificate],
            ClientCertificate = channel.PeerCertificate,
            ClientThumbprint = channel.PeerThumbprint,
            RemoteEndPoint = channel.RemoteEndPoint,
            IsSessionActivated = session.IsActivated,
            Pass = channel.Pass,
        };
        return StatusCode.Good;
    }

    /// <summary>For reasons of admission: none of the session's tries is used up.</summary>
    private Decision Refuse(
        Session session, ChannelState channel, ActivateSessionRequest request, RefusalReason reason, string? detail)
    {
        var decision = admission.Refuse(AdmissionStage.ActivateSession, reason, channel.Connection, detail);
        if (reason == RefusalReason.LockedOut)
            Refuse(session, channel, request, decision.Status, detail, isDecided: true);
        else
            audit.Channel(
                AuditEvent.ActivationRefused, channel.Connection, decision.Status,
                detail ?? ReasonTable.NameOf(reason), isDecided: true, session, FactsOf(request));
        return decision;
    }

    /// <summary>Only the session's own client can use up its tries.</summary>
    private StatusCode Refuse(
        Session session, ChannelState channel, ActivateSessionRequest request, StatusCode status, string? detail,
        bool isDecided = false, CertificateVerdict? certificate = null)
    {
        audit.Channel(
            AuditEvent.ActivationRefused, channel.Connection, status, detail, isDecided, session,
            FactsOf(request) with { Certificate = certificate });
        if (ReferenceEquals(session.Channel, channel) &&
            session.CountFailedActivation(options.Limits.MaxFailedActivations))
            sessions.CloseUnactivated(session, status);
        return status;
    }
}
