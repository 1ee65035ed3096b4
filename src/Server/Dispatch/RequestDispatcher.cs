using System.Diagnostics;
using System.Net;
using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;
using Gateway.Server.Audit;
using Gateway.Server.Sessions;
using Gateway.Server.Work;
using Gateway.Transport.Hosting;
using Gateway.Transport.Timing;
using Gateway.Transport.Tracing;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Dispatch;

/// <summary>
/// Decode → Dispatch → Handle for one message. Finds the service, then the session by its token. Checks that both
/// belong together and to the channel. Answers every error with a typed ServiceFault that reveals nothing else (R17,
/// R18). Runs on the connection's thread; a worker decodes and handles a large message (R44). Source: Part 4 §5.3,
/// §5.7.3.
/// </summary>
internal sealed partial class RequestDispatcher
{
    private readonly ServiceLookup _services;
    private readonly SessionManager _sessions;
    private readonly Responder _responder;
    private readonly ServerCounters _counters;
    private readonly AuditLog _audit;
    private readonly ServiceAdmission _admission;
    private readonly WorkQueue _work;
    private readonly DecodeBudget _budget;
    private readonly FailureAnswers _failures;
    private readonly RequestTracing _tracing;
    private readonly TimeProvider _clock;
    private readonly ILogger _logger;
    private readonly DecodingLimits _decoding;

    public RequestDispatcher(
        ServiceLookup services, SessionManager sessions, Responder responder, ServerCounters counters, AuditLog audit,
        ServiceAdmission admission, WorkQueue work, DecodeBudget decoding, FailureAnswers failures,
        RequestTracing tracing, TimeProvider clock, ILogger<RequestDispatcher> logger)
    {
        (_services, _sessions, _responder, _counters) = (services, sessions, responder, counters);
        (_audit, _admission, _work, _budget, _failures) = (audit, admission, work, decoding, failures);
        (_tracing, _clock, _logger) = (tracing, clock, logger);
        _decoding = new DecodingLimits
        {
            MaxArrayLength = work.Limits.MaxArrayLength,
            MaxStringLengthBytes = work.Limits.MaxStringLengthBytes,
            MaxByteStringLengthBytes = work.Limits.MaxByteStringLengthBytes,
            MaxDecodedBytes = work.Limits.MaxDecodedBytesPerRequest,
        };
    }

    public void Dispatch(ChannelState channel, uint requestId, ReadOnlySpan<byte> message)
    {
        var meter = DecodeMeter.Rent(_budget, channel.Connection.Pass);
        var isKept = false;
        try
        {
            isKept = Dispatch(channel, requestId, message, meter);
        }
        finally
        {
            if (!isKept)
                meter.Return();
        }
    }

    /// <summary>True: the request's work continues and keeps the meter.</summary>
    private bool Dispatch(ChannelState channel, uint requestId, ReadOnlySpan<byte> message, DecodeMeter meter)
    {
        var reader = new UaBinaryReader(message, _decoding, meter);
        var typeId = reader.ReadNodeId();
        var call = new ServiceCall(channel, requestId, _responder, _work)
        {
            Whole = reader,
            Message = message,
            Meter = meter,
        };
        call.Head = RequestHead.Read(ref reader, out var additionalType, out var additional);
        call.Body = reader;
        if (reader.Failed)
            return Refuse(ref call, reader.Status, meter);
        var isTooLarge = message.Length > _work.Limits.MaxRequestMessageSizeBytes;
        if (typeId.NamespaceIndex != 0 || _services.Find(typeId.Numeric) is not { } service)
        {
            if (!isTooLarge)
                _counters.CountUnknownService();
            return Refuse(
                ref call, isTooLarge ? StatusCodes.BadRequestTooLarge : StatusCodes.BadServiceUnsupported, meter);
        }

        // Read before: behind the handler the span may belong to another thread.
        var outer = _tracing.IsOn ? Activity.Current : null;
        var span = _tracing.IsOn ? Trace(channel, service, message, additionalType, additional) : null;
        call.Mark = new RequestMark(service, _clock.GetTimestamp(), span);
        try
        {
            var status = isTooLarge ? StatusCodes.BadRequestTooLarge : Handle(ref call, service);
            if (status.IsBad)
                Refuse(ref call, status);
        }
        finally
        {
            // The thread's next request is not a part of this one.
            if (span is not null)
                Activity.Current = outer;
        }

        return call.Keeps(meter);
    }

    private bool Refuse(ref ServiceCall call, StatusCode status, DecodeMeter meter)
    {
        Refuse(ref call, status);
        return call.Keeps(meter);
    }

    /// <summary>Null for a request that is not traced. A held Publish is not a piece of work: how late its data is
    /// stands in the histogram of lateness.</summary>
    private Activity? Trace(
        ChannelState channel, ServiceEntry service, ReadOnlySpan<byte> message, NodeId additionalType,
        ReadOnlySpan<byte> additional)
    {
        if (service.Stage == AdmissionStage.Publish)
            return null;
        var span = _tracing.Start(
            service.Name, ActivityKind.Server, TraceContextHeader.Read(additionalType, additional, _decoding));
        span?.SetTag(SpanTags.Service, service.Name)
            .SetTag(SpanTags.Transport, channel.Connection.Profile.Scheme)
            .SetTag(SpanTags.SecurityMode, channel.Connection.SecurityMode.ToString())
            .SetTag(SpanTags.ClientAddress, (channel.Connection.RemoteEndPoint as IPEndPoint)?.Address.ToString())
            .SetTag(SpanTags.RequestBytes, message.Length);
        return span;
    }

    /// <summary>Handles a deferred message in its turn. The sender's session and permissions were checked on arrival.
    /// </summary>
    internal void Resume(RequestTurn turn)
    {
        var meter = DecodeMeter.Rent(_budget, turn.Channel.Connection.Pass);
        turn.Meter = meter;
        try
        {
            Resume(turn, meter);
        }
        finally
        {
            if (!turn.Keeps(meter))
                meter.Return();
        }
    }

    private void Resume(RequestTurn turn, DecodeMeter meter)
    {
        var reader = new UaBinaryReader(turn.Message, _decoding, meter);
        reader.ReadNodeId();
        var call = new ServiceCall(turn.Channel, turn.RequestId, _responder, _work)
        {
            Whole = reader,
            Message = turn.Message,
            Service = turn.Service,
            Session = turn.Session!,
            Identity = turn.Identity,
            Counted = turn.Session is null ? default : turn.Service!.Counted,
            Meter = meter,
            Turn = turn,
            Mark = turn.Mark,
        };
        call.Head = RequestHead.Read(ref reader, out _, out _);
        call.Body = reader;
        var outer = turn.Mark.Span is null ? null : Activity.Current;
        turn.Mark.Enter();
        try
        {
            turn.Mark.Note(nameof(Resume));
            var status = turn.CheckGoesOn();
            if (!status.IsBad)
                status = Invoke(ref call, turn.Service!);
            if (status.IsBad)
                Refuse(ref call, status);
        }
        finally
        {
            if (turn.Mark.Span is not null)
                Activity.Current = outer;
        }

        turn.HandlerReturned();
    }

    private void Refuse(ref ServiceCall call, StatusCode status)
    {
        if (call.Meter is { WasRefused: true })
            status = call.Refuse(_admission.Refuse(
                AdmissionStage.Request, RefusalReason.DecodeMemory, call.Channel.Connection));
        call.CountFailure(status);
        if (call.HeldSince == 0)
            call.ReplyTo.SendFault(status, call.RetryAfterMs);
        else
            SendHeld(call.Channel, call.ReplyTo, status, call.RetryAfterMs, call.HeldSince);
    }

    private void SendHeld(ChannelState channel, ReplyTo to, StatusCode status, int retryAfterMs, long since)
    {
        channel.BeginHeldAnswer();
        _failures.Hold(since, () =>
        {
            channel.EndHandshake();
            to.SendFault(status, retryAfterMs);
            to.Channel.Flush();
        });
    }

    private StatusCode Handle(ref ServiceCall call, ServiceEntry service)
    {
        service.Count();
        var status = Authorise(ref call, service);
        if (status.IsBad)
            return status;
        call.Service = service;
        return call.Message.Length > _work.Limits.MaxImmediateRequestBytes
            ? call.Defer()
            : Invoke(ref call, service);
    }

    private StatusCode Invoke(ref ServiceCall call, ServiceEntry service)
    {
        try
        {
            return service.Handler(ref call);
        }
#pragma warning disable CA1031 // internal error: ends this request, never the process or the connection's loop (R40)
        catch (Exception exception)
#pragma warning restore CA1031
        {
            if (exception is not InsufficientMemoryException)
                LogHandlerFailed(exception, service.Name);
            return Contained.StatusOf(exception);
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

        if (access == ServiceAccess.Caller && !call.Head.HasToken && call.Channel.User is { } user)
        {
            Accept(ref call, service, call.Channel.Sessionless ??= _sessions.MakeSessionless(call.Channel, user));
            return StatusCode.Good;
        }

        var session = _sessions.Find(call.Head.Token);
        if (session is null)
            return StatusCodes.BadSessionIdInvalid;
        if (!ReferenceEquals(session.Channel, call.Channel))
        {
            session.Counts.CountForeign();
            _audit.Channel(AuditEvent.ForeignChannel, call.Channel.Connection, StatusCodes.BadSecureChannelIdInvalid);
            return StatusCodes.BadSecureChannelIdInvalid;
        }

        if (!session.IsActivated || session.Publishing is null)
            return RefuseEarly(session);
        session.Touch(_clock.GetTimestamp());
        Accept(ref call, service, session);
        return StatusCode.Good;
    }

    private void Accept(ref ServiceCall call, ServiceEntry service, Session session)
    {
        session.Counts.Count(service.Counted);
        _admission.Stages.Admit(service.Stage);
        call.Session = session;
        call.Identity = session.Identity;
        call.Counted = service.Counted;
    }

    /// <summary>A service before ActivateSession ends the session (R34).</summary>
    private StatusCode RefuseEarly(Session session)
    {
        if (session.IsClosed)
            return StatusCodes.BadSessionClosed;
        if (session.IsActivated)
            return StatusCodes.BadSessionNotActivated;
        if (_sessions.CloseUnactivated(session, StatusCodes.BadSessionNotActivated))
            _audit.Session(AuditEvent.EarlyService, session, StatusCodes.BadSessionNotActivated);
        return StatusCodes.BadSessionNotActivated;
    }
}
