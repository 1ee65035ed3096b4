using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Audit;
using Gateway.Server.Audit.Trail;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;

namespace Gateway.Server.Services;

/// <summary>The Session service set. Source: Part 4 §5.7.</summary>
internal sealed class SessionService(
    SessionManager sessions, CreateSession createSession, ActivateSession activateSession, AuditLog audit)
{
    public StatusCode CreateSession(ref ServiceCall call) => createSession.Handle(ref call);

    public StatusCode ActivateSession(ref ServiceCall call) => activateSession.Handle(ref call);

    /// <summary>Also of a session that was never activated, on the channel that it was created on.</summary>
    public StatusCode CloseSession(ref ServiceCall call)
    {
        if (!call.TryDecode<CloseSessionRequest>(out var request))
            return call.Whole.Status;
        var session = sessions.Find(call.Head.Token);
        if (session is null || session.IsClosed)
            return StatusCodes.BadSessionIdInvalid;
        if (!ReferenceEquals(session.Channel, call.Channel))
            return StatusCodes.BadSecureChannelIdInvalid;
        sessions.Close(
            session, request.DeleteSubscriptions, AuditEvent.SessionClosed, StatusCode.Good,
            entryId: request.RequestHeader.AuditEntryId);
        return call.Reply(new CloseSessionResponse());
    }

    public StatusCode Cancel(ref ServiceCall call)
    {
        if (!call.TryDecode<CancelRequest>(out var request))
            return call.Whole.Status;
        var count = call.Session.PendingIfAny?.Cancel(request.RequestHandle) ?? 0;
        count += (uint)(call.Session.Publishing?.Cancel(request.RequestHandle) ?? 0);
        audit.Session(AuditEvent.RequestsCancelled, call.Session, StatusCode.Good, facts: new AuditFacts
        {
            EntryId = request.RequestHeader.AuditEntryId,
            RequestHandle = request.RequestHandle,
        });
        return call.Reply(new CancelResponse { CancelCount = count });
    }
}
