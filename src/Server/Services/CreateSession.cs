using System.Globalization;
using System.Security.Cryptography;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Codec.Structures;
using Gateway.Codec.Text;
using Gateway.Codec.Types;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Discovery;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;
using Gateway.Transport.Certificates;
using Gateway.Transport.Conversation;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;

namespace Gateway.Server.Services;

/// <summary>CreateSession: everything cheap is checked before the private key is used, and a place at the session cap
/// is taken before that too. Source: Part 4 §5.7.2.</summary>
internal sealed class CreateSession(
    ServerOptions options, SessionManager sessions, EndpointCatalog catalog, OwnCertificate own,
    ICertificateValidator certificates, PrivateKeyLane lane, ServerLifetime lifetime,
    ServiceAdmission admission, FailureAnswers failures, AuditLog audit)
{
    private const int NonceLength = 32;
    private const int MaxClientNonceLength = 128;
    private const int MaxNameLength = 256;

    private readonly ClientFactsCache _clients = new();
    private readonly HostCheck _hosts = new();

    /// <summary>Sessions whose client gave no name: the server makes one up. Source: Part 4 §5.7.2.2.</summary>
    private int _unnamed;

    public StatusCode Handle(ref ServiceCall call)
    {
        if (!call.TryDecode<CreateSessionRequest>(out var request))
            return call.Whole.Status;
        var channel = call.Channel;
        if (channel.IsHandshakeFull)
            return call.Refuse(Refuse(RefusalReason.PendingHandshakes, channel.Connection, request));
        call.HeldSince = failures.Begin();
        var status = Check(channel.Connection, request, out var detail, out var verdict);
        if (status.IsBad)
        {
            audit.Channel(
                AuditEvent.SessionRefused, channel.Connection, status, detail,
                facts: FactsOf(request) with { Certificate = verdict });
            return status;
        }

        var place = new SessionPlace(
            ServiceAdmission.AddressOf(channel.Connection), channel.Connection.PeerThumbprint);
        var reason = Admit(channel, place);
        if (reason != RefusalReason.None)
            return call.Refuse(Refuse(reason, channel.Connection, request));

        var session = Make(channel, request, place);
        if (channel.Connection.Policy.IsNone)
            Complete(session, request, default, call.ReplyTo);
        else if (!lane.TryRun(
            new Signing(this, session, request, call.ReplyTo),
            LaneClass.Begun, channel.Connection.Pass?.LaneShare, channel.Connection.Pass?.Address.LaneShare))
            GiveUp(session, RefusalReason.QueueFull, request, call.ReplyTo);
        return StatusCode.Good;
    }

    /// <summary>None: a place at the cap and one of the channel's handshakes are taken.</summary>
    private RefusalReason Admit(ChannelState channel, SessionPlace place)
    {
        if (lifetime.IsShuttingDown)
            return RefusalReason.ShuttingDown;
        if (channel.SessionCount >= options.Limits.MaxSessionsPerSecureChannel)
            return RefusalReason.MaxSessionsPerSecureChannel;
        if (!channel.TryBeginHandshake())
            return RefusalReason.PendingHandshakes;
        var reason = sessions.TryTakePlace(place);
        if (reason != RefusalReason.None)
            channel.EndHandshake();
        return reason;
    }

    private static AuditFacts FactsOf(CreateSessionRequest request) => new()
    {
        EntryId = request.RequestHeader.AuditEntryId,
        Request = request,
    };

    private Decision Refuse(RefusalReason reason, SecureChannel channel, CreateSessionRequest request)
    {
        var decision = admission.Refuse(AdmissionStage.CreateSession, reason, channel);
        // The schedule spreads those who come back; nobody can be served before the return.
        if (reason == RefusalReason.ShuttingDown)
            decision = decision with { RetryAfterMs = decision.RetryAfterMs + lifetime.ReturnAfterMs };
        audit.Channel(
            AuditEvent.SessionRefused, channel, decision.Status, ReasonTable.NameOf(reason), isDecided: true,
            facts: FactsOf(request));
        return decision;
    }

    private void Complete(
        Session session, CreateSessionRequest request, SignatureData signature, in ReplyTo replyTo)
    {
        var status = sessions.Add(session, FactsOf(request));
        if (status.CodeBits == StatusCodes.BadTooManySessions)
        {
            GiveUp(session, RefusalReason.MaxSessionsPerSecureChannel, request, replyTo);
            return;
        }

        if (status.IsBad)
        {
            Fail(session, status, request, replyTo);
            return;
        }

        TellUrlMismatch(session, request);
        admission.Stages.Admit(AdmissionStage.CreateSession);
        session.Channel.EndHandshake();
        var buffer = replyTo.Begin(CreateSessionResponse.BinaryEncodingId, replyTo.Now, out var writer);
        writer.WriteNodeId(session.SessionId);
        writer.WriteNodeId(session.Token.ToNodeId());
        writer.WriteDouble(session.Timeout.TotalMilliseconds);
        writer.WriteByteString(session.ServerNonce);
        var shown = session.OwnCertificate!;
        writer.WriteByteString(shown.ChainBlob);
        writer.WriteRaw(catalog.Encoded(request.EndpointUrl, replyTo.Channel.EndpointUrl, shown: shown));
        writer.WriteInt32(-1);
        writer.WriteStructure(signature);
        writer.WriteUInt32((uint)options.Limits.MaxRequestMessageSizeBytes);
        if (!replyTo.Finish(buffer, ref writer, session))
            sessions.Close(session, true, AuditEvent.SessionClosed, StatusCodes.BadResponseTooLarge);
    }

    /// <summary>Refuses a session that already has its place: releases the place and answers with a retry hint.
    /// </summary>
    private void GiveUp(
        Session session, RefusalReason reason, CreateSessionRequest request, in ReplyTo replyTo)
    {
        Release(session);
        var decision = Refuse(reason, replyTo.Channel, request);
        replyTo.SendFault(decision.Status, decision.RetryAfterMs);
    }

    private void Fail(Session session, StatusCode status, CreateSessionRequest request, in ReplyTo replyTo)
    {
        Release(session);
        audit.Channel(AuditEvent.SessionRefused, replyTo.Channel, status, facts: FactsOf(request));
        replyTo.SendFault(status);
    }

    private void Release(Session session)
    {
        sessions.ReleasePlace(session.Place);
        session.Channel.EndHandshake();
    }

    private Session Make(ChannelState channel, CreateSessionRequest request, SessionPlace place)
    {
        var name = string.IsNullOrEmpty(request.SessionName)
            ? string.Create(CultureInfo.InvariantCulture, $"Session {Interlocked.Increment(ref _unnamed)}")
            : request.SessionName;
        var session = new Session(
            sessions, channel, SessionToken.New(isLong: channel.Connection.PeerThumbprint.Length == 0))
        {
            Name = name.Length > MaxNameLength ? name[..MaxNameLength] : name,
            Client = _clients.Share(ClientFacts.Of(request)),
            Place = place,
            OwnCertificate = channel.Connection.OwnCertificate ?? own.Current,
            Timeout = ReviseTimeout(request.RequestedSessionTimeout),
            MaxResponseMessageSize = request.MaxResponseMessageSize,
        };
        session.Issue(RandomNumberGenerator.GetBytes(NonceLength));
        return session;
    }

    /// <summary>No error: names of hosts are what the network makes of them. Source: Part 4 §5.7.2.1.</summary>
    private void TellUrlMismatch(Session session, CreateSessionRequest request)
    {
        if (!audit.IsWatched || string.IsNullOrEmpty(request.EndpointUrl) || _hosts.IsKnown(
            request.EndpointUrl, session.OwnCertificate!))
            return;
        audit.Session(
            AuditEvent.UrlMismatch, session, StatusCode.Good, PeerText.Escape(request.EndpointUrl), FactsOf(request));
    }

    private StatusCode Check(
        SecureChannel channel, CreateSessionRequest request, out string? detail, out CertificateVerdict? verdict)
    {
        (detail, verdict) = (null, null);
        if (!string.IsNullOrEmpty(request.ServerUri) && request.ServerUri != options.ApplicationUri)
        {
            detail = request.ServerUri;
            return StatusCodes.BadServerUriInvalid;
        }

        if (channel.Policy.IsNone)
            return StatusCode.Good;
        if (request.ClientNonce is not { Length: >= NonceLength and <= MaxClientNonceLength } nonce ||
            nonce.AsSpan().IndexOfAnyExcept((byte)0) < 0)
            return StatusCodes.BadNonceInvalid;
        if (!request.ClientCertificate.AsSpan().StartsWith(channel.PeerCertificate))
        {
            detail = "the certificate is not the channel's";
            return StatusCodes.BadSecurityChecksFailed;
        }

        // The chain of the OPN: issuers that the request adds are ignored.
        verdict = certificates.Validate(
            channel.PeerCertificateChain, channel.Policy, request.ClientDescription.ApplicationUri ?? string.Empty,
            channel.Pass?.Address.Key ?? string.Empty);
        detail = verdict.Detail;
        return verdict.PublicStatus;
    }

    /// <summary>Signs the leaf certificate that the channel has proved, and a nonce of bounded length. A signature over
    /// more bytes of the peer's choice would be an oracle. Source: Part 4 §5.7.2.2.</summary>
    private static SignatureData Sign(Session session, SecureChannel channel, CreateSessionRequest request) =>
        SessionSignatures.Sign(
            session.OwnCertificate!, channel.Policy, channel.PeerCertificate, request.ClientNonce ?? []);

    private TimeSpan ReviseTimeout(double requestedMs)
    {
        var limits = options.Limits.Now;
        if (!(requestedMs > 0))
            return limits.DefaultSessionTimeout;
        return TimeSpan.FromMilliseconds(Math.Clamp(
            requestedMs, limits.MinSessionTimeout.TotalMilliseconds, limits.MaxSessionTimeout.TotalMilliseconds));
    }

    /// <summary>The private-key operation, and the response on the same thread: a handover would cost more than
    /// sending. It goes ahead of unknown clients, so that the work already done for the channel is not wasted.
    /// </summary>
    private sealed class Signing(
        CreateSession owner, Session session, CreateSessionRequest request, ReplyTo replyTo) : PrivateKeyWork
    {
        public override void Execute()
        {
            try
            {
                var signature = Sign(session, replyTo.Channel, request);
                owner.Complete(session, request, signature, replyTo);
            }
            catch (CryptographicException)
            {
                owner.Fail(session, StatusCodes.BadInternalError, request, replyTo);
            }

            replyTo.Channel.Flush();
        }

        public override void Drop(RefusalReason reason)
        {
            owner.GiveUp(session, reason, request, replyTo);
            replyTo.Channel.Flush();
        }
    }
}
