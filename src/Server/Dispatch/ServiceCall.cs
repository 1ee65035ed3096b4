using Gateway.Admission.Stages;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Sessions;
using Gateway.Server.Work;

namespace Gateway.Server.Dispatch;

/// <summary>One request while it is handled: on the connection's thread, or on a worker if it is large. Valid during
/// the call. A request that is answered later takes a <see cref="PendingRequest"/> or a <see cref="RequestTurn"/>.
/// </summary>
internal ref struct ServiceCall(ChannelState channel, uint requestId, Responder responder, WorkQueue work)
{
    private readonly Responder _responder = responder;
    private RequestTurn? _turn;

    public readonly ChannelState Channel => channel;

    public readonly uint RequestId => requestId;

    public RequestHead Head { get; set; }

    /// <summary>The authorised session; set for services with <see cref="ServiceAccess.Session"/> only.</summary>
    public Session Session { get; set; } = null!;

    /// <summary>The user of the request at its arrival, even if the session's user changes a moment later (R16).
    /// </summary>
    public UserIdentity? Identity { get; set; }

    /// <summary>The caller for permission checks.</summary>
    public readonly Caller Caller => SessionCallers.Of(Identity, channel.Connection, Session);

    /// <summary>The retry hint for a refused client; 0: none.</summary>
    public int RetryAfterMs { get; private set; }

    /// <summary>Start of the work if its failure must be answered after a fixed time (R13); 0: a fault is sent
    /// immediately.</summary>
    public long HeldSince { get; set; }

    /// <summary>The counter of the session that a failure increments.</summary>
    public CountedService Counted { get; set; }

    public ServiceEntry? Service { get; set; }

    /// <summary>Set with the service.</summary>
    public RequestMark Mark { get; set; }

    /// <summary>The whole message: TypeId and structure.</summary>
    public ReadOnlySpan<byte> Message { get; init; }

    /// <summary>The request is already running away from the connection's thread.</summary>
    public readonly bool IsDeferred => _turn is { HeldBytes: > 0 };

    /// <summary>The request's work continues and keeps the meter.</summary>
    public readonly bool Keeps(DecodeMeter meter) => _turn is { } turn && turn.Keeps(meter);

    /// <summary>For services whose work may not fit into one turn; created on first use.</summary>
    public RequestTurn Turn
    {
        get => _turn ??= new RequestTurn(work, in this);
        init => _turn = value;
    }

    /// <summary>At the RequestHeader, for structures that are decoded whole.</summary>
    public UaBinaryReader Whole;

    /// <summary>Behind the RequestHeader, for requests that are read field by field.</summary>
    public UaBinaryReader Body;

    /// <summary>The address of the response; valid once <see cref="Head"/> is.</summary>
    public readonly ReplyTo ReplyTo => new(_responder, channel.Connection, requestId, Head.Handle, Mark);

    /// <summary>Meters the memory of the whole request; null in tests that make a call themselves.</summary>
    public DecodeMeter? Meter { get; init; }

    /// <param name="request">Not valid when this is false; <see cref="Whole"/> has the status.</param>
    /// <param name="maxOperations">An array with more operations is refused with Bad_TooManyOperations before it is
    /// allocated; 0 for a request without operations.</param>
    public bool TryDecode<T>(out T request, int maxOperations = 0)
        where T : IStructure<T>
    {
        Whole.MaxOperations = maxOperations;
        request = T.Decode(ref Whole);
        return !Whole.Failed;
    }

    /// <summary>The status for a handler to return; keeps the retry hint.</summary>
    public StatusCode Refuse(in Decision decision)
    {
        RetryAfterMs = decision.RetryAfterMs;
        return decision.Status;
    }

    /// <summary>Answers immediately. Always Good, so that a handler can return it.</summary>
    public readonly StatusCode Reply<T>(T response)
        where T : class, IServiceResponse
    {
        var result = response.ResponseHeader.ServiceResult;
        if (result.IsBad)
            CountFailure(result);
        ReplyTo.Send(response, Session);
        return StatusCode.Good;
    }

    /// <summary>Answers immediately with the written response. Always Good.</summary>
    public readonly StatusCode Finish(PooledBuffer buffer, ref UaBinaryWriter writer)
    {
        ReplyTo.Finish(buffer, ref writer, Session);
        return StatusCode.Good;
    }

    /// <summary>Answers with the result of the work, now or after its last turn; null when the work answers by itself.
    /// </summary>
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

    /// <summary>Starts the request anew on a worker; none of it may have run yet. Always Good.</summary>
    public StatusCode Defer()
    {
        Turn.Defer(Message);
        return StatusCode.Good;
    }

    /// <summary>Increments the session's counter, if there is a session.</summary>
    public readonly void CountFailure(StatusCode status) => Session?.Counts.CountFailure(Counted, status);
}
