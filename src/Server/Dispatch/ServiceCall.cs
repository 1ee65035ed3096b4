using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Diagnostics;
using Gateway.Server.Sessions;
using Gateway.Server.Work;

namespace Gateway.Server.Dispatch;

/// <summary>One request on its way through, on the connection's thread, or on a worker where it is large. Valid during
/// the call: what is answered later takes a <see cref="PendingRequest"/> or a <see cref="RequestTurn"/>.</summary>
internal ref struct ServiceCall(ChannelState channel, uint requestId, Responder responder, WorkQueue work)
{
    private readonly Responder _responder = responder;
    private RequestTurn? _turn;

    public readonly ChannelState Channel => channel;

    public readonly uint RequestId => requestId;

    public RequestHead Head { get; set; }

    /// <summary>The authorised session; set for services with <see cref="ServiceAccess.Session"/> only.</summary>
    public Session Session { get; set; } = null!;

    /// <summary>Whom the request arrived for, whoever the session's user is a moment later (R16).</summary>
    public UserIdentity? Identity { get; set; }

    /// <summary>What checks of rights look at.</summary>
    public readonly Caller Caller => SessionCallers.Of(Identity, channel.Connection, Session);

    /// <summary>What a refused client is told; 0: nothing.</summary>
    public int RetryAfterMs { get; private set; }

    /// <summary>When the work began whose failure leaves at its moment (R13); 0: a fault leaves at once.</summary>
    public long HeldSince { get; set; }

    /// <summary>Which counter of the session a failure moves.</summary>
    public CountedService Counted { get; set; }

    public ServiceEntry? Service { get; set; }

    /// <summary>The whole of it, TypeId and structure.</summary>
    public ReadOnlySpan<byte> Message { get; init; }

    /// <summary>It is worked off away from the connection's thread already.</summary>
    public readonly bool IsDeferred => _turn is { HeldBytes: > 0 };

    /// <summary>Its work goes on, and with it what the meter counts.</summary>
    public readonly bool Keeps(DecodeMeter meter) => _turn is { } turn && turn.Keeps(meter);

    /// <summary>For services whose work may not fit into a turn; made where it is asked for.</summary>
    public RequestTurn Turn
    {
        get => _turn ??= new RequestTurn(work, in this);
        init => _turn = value;
    }

    /// <summary>At the RequestHeader, for structures that are decoded whole.</summary>
    public UaBinaryReader Whole;

    /// <summary>Behind the RequestHeader, for requests that are read field by field.</summary>
    public UaBinaryReader Body;

    /// <summary>Where its answer goes; valid once <see cref="Head"/> is.</summary>
    public readonly ReplyTo ReplyTo => new(_responder, channel.Connection, requestId, Head.Handle);

    /// <summary>Of the whole request; null in tests that make a call themselves.</summary>
    public DecodeMeter? Meter { get; init; }

    /// <param name="request">Not to be used where this is false: <see cref="Whole"/> says why.</param>
    /// <param name="maxOperations">An array of more operations is refused with Bad_TooManyOperations before it is
    /// made; 0 for a request without operations.</param>
    public bool TryDecode<T>(out T request, int maxOperations = 0)
        where T : IStructure<T>
    {
        Whole.MaxOperations = maxOperations;
        request = T.Decode(ref Whole);
        return !Whole.Failed;
    }

    /// <summary>For a handler to return.</summary>
    public StatusCode Refuse(in Decision decision)
    {
        RetryAfterMs = decision.RetryAfterMs;
        return decision.Status;
    }

    /// <summary>Answers now. Always Good, so that a handler can return it.</summary>
    public readonly StatusCode Reply<T>(T response)
        where T : class, IServiceResponse
    {
        var result = response.ResponseHeader.ServiceResult;
        if (result.IsBad)
            CountFailure(result);
        ReplyTo.Send(response, Session);
        return StatusCode.Good;
    }

    /// <summary>Answers now with what was written. Always Good.</summary>
    public readonly StatusCode Finish(PooledBuffer buffer, ref UaBinaryWriter writer)
    {
        ReplyTo.Finish(buffer, ref writer, Session);
        return StatusCode.Good;
    }

    /// <summary>Answers with what the work gives, now or when its last turn is over; null where it has seen to that
    /// itself.</summary>
    public StatusCode Run<T>(ValueTask<T?> work)
        where T : class, IServiceResponse
    {
        if (!work.IsCompleted)
        {
            Turn.GoOn(work);
            return StatusCode.Good;
        }

        try
        {
            return work.GetAwaiter().GetResult() is { } response ? Reply(response) : StatusCode.Good;
        }
        catch (OperationCanceledException) when (Turn.Fault.IsBad)
        {
            RetryAfterMs = Turn.RetryAfterMs;
            return Turn.Fault;
        }
    }

    /// <summary>The request begins anew on a worker; nothing of it has been done. Always Good.</summary>
    public StatusCode Defer()
    {
        Turn.Defer(Message);
        return StatusCode.Good;
    }

    /// <summary>The session's, where there is one.</summary>
    public readonly void CountFailure(StatusCode status) => Session?.Counts.CountFailure(Counted, status);
}
