using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;
using Gateway.Server.Audit;
using Gateway.Server.Sessions;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

/// <summary>
/// Decode → Dispatch → Handle for one message: finds the service, then the session by its token, checks that both
/// belong together and to the channel, and answers whatever goes wrong with a typed ServiceFault that tells nothing
/// else (R17, R18). On the connection's thread. Source: Part 4 §5.3, §5.7.3.
/// </summary>
internal sealed partial class RequestDispatcher(
    ServiceTable services, SessionManager sessions, Responder responder, ServerCounters counters, AuditLog audit,
    StageBook stages, ServerLimits limits, TimeProvider clock, ILogger<RequestDispatcher> logger)
{
    private readonly DecodingLimits _decoding = new()
    {
        MaxArrayLength = limits.MaxArrayLength,
        MaxStringLengthBytes = limits.MaxStringLengthBytes,
        MaxByteStringLengthBytes = limits.MaxByteStringLengthBytes,
    };

    public void Dispatch(ChannelState channel, uint requestId, ReadOnlySpan<byte> message)
    {
        var reader = new UaBinaryReader(message, _decoding);
        var typeId = reader.ReadNodeId();
        var call = new ServiceCall(channel, requestId, responder) { Whole = reader };
        call.Head = RequestHead.Read(ref reader);
        call.Body = reader;
        var status = reader.Failed ? reader.Status : Handle(ref call, typeId);
        if (!status.IsBad)
            return;
        call.CountFailure(status);
        responder.SendFault(channel.Connection, requestId, call.Head.Handle, status, call.RetryAfterMs);
    }

    private StatusCode Handle(ref ServiceCall call, NodeId typeId)
    {
        var service = typeId.NamespaceIndex == 0 ? services.Find(typeId.Numeric) : null;
        if (service is null)
        {
            counters.CountUnknownService();
            return StatusCodes.BadServiceUnsupported;
        }

        service.Count();
        var status = Authorise(ref call, service);
        if (status.IsBad)
            return status;
        try
        {
            return service.Handler(ref call);
        }
#pragma warning disable CA1031 // our own fault ends this request, never the process or the connection's loop (R40)
        catch (Exception exception)
#pragma warning restore CA1031
        {
            LogHandlerFailed(exception, service.Name);
            return StatusCodes.BadInternalError;
        }
    }

    private StatusCode Authorise(ref ServiceCall call, ServiceEntry service)
    {
        var access = service.Access;
        if (access == ServiceAccess.Discovery)
            return StatusCode.Good;
        if (!call.Channel.IsOffered)
            return StatusCodes.BadSecurityPolicyRejected;
        if (access == ServiceAccess.Channel)
            return StatusCode.Good;

        var session = sessions.Find(call.Head.Token);
        if (session is null)
            return StatusCodes.BadSessionIdInvalid;
        if (!ReferenceEquals(session.Channel, call.Channel))
        {
            session.Counts.CountForeign();
            audit.Channel(AuditEvent.ForeignChannel, call.Channel.Connection, StatusCodes.BadSecureChannelIdInvalid);
            return StatusCodes.BadSecureChannelIdInvalid;
        }

        if (!session.IsActivated || session.Publishing is null)
            return RefuseEarly(session);
        session.Touch(clock.GetTimestamp());
        session.Counts.Count(service.Counted);
        stages.Admit(service.Stage);
        call.Session = session;
        call.Identity = session.Identity;
        call.Counted = service.Counted;
        return StatusCode.Good;
    }

    /// <summary>A service before ActivateSession ends the session (R34).</summary>
    private StatusCode RefuseEarly(Session session)
    {
        if (session.IsClosed)
            return StatusCodes.BadSessionClosed;
        if (session.IsActivated)
            return StatusCodes.BadSessionNotActivated;
        audit.Session(AuditEvent.EarlyService, session, StatusCodes.BadSessionNotActivated);
        sessions.Close(session, true, AuditEvent.SessionClosed, StatusCodes.BadSessionNotActivated);
        return StatusCodes.BadSessionNotActivated;
    }
}
