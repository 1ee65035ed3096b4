using System.Threading.Tasks.Sources;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Operations.Work;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;
using Gateway.Transport.Timing;

namespace Gateway.Server.Work;

/// <summary>
/// The work of one UA Binary request. The first turn runs on the connection's thread. Later turns run on the workers of
/// <see cref="WorkQueue"/>, behind the other clients' requests. Used by one thread at a time, except Leave: any thread.
/// </summary>
#pragma warning disable CA1001 // the request's end disposes the message, on whichever thread that is
internal sealed class RequestTurn : WorkTurn, IValueTaskSource, IUnfinishedRequest
#pragma warning restore CA1001
{
    private readonly WorkQueue _queue;
    private readonly TaskCompletionSource _done = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly long _arrived;
    private PooledBuffer? _message;
    private Action<object?> _continuation = static _ => { };
    private object? _state;
    private bool _isHeld;
    private volatile bool _goesOn;
    private int _hasEnded;
    private bool _isLost;
    private volatile bool _isLeft;

    public RequestTurn(WorkQueue queue, scoped in ServiceCall call)
        : base(queue.OperationLimits, queue.Clock)
    {
        _queue = queue;
        ReplyTo = call.ReplyTo;
        (Channel, RequestId, Head) = (call.Channel, call.RequestId, call.Head);
        (Session, Identity, Service, Meter) = (call.Session, call.Identity, call.Service, call.Meter);
        Mark = call.Mark;
        _arrived = queue.Clock.GetTimestamp();
        Begin();
    }

    public ChannelState Channel { get; }

    public uint RequestId { get; }

    public RequestHead Head { get; }

    /// <summary>Null for services without one.</summary>
    public Session? Session { get; }

    /// <summary>The user of the request at its arrival (R16).</summary>
    public UserIdentity? Identity { get; }

    public override Caller Caller => SessionCallers.Of(Identity, Channel.Connection, Session);

    public ServiceEntry? Service { get; }

    public RequestMark Mark { get; }

    /// <summary>Meters the decoded memory. A deferred request gets a new one when a worker decodes it.</summary>
    public DecodeMeter? Meter { get; set; }

    public ReplyTo ReplyTo { get; }

    /// <summary>Why the work cannot continue; Good: it can.</summary>
    public StatusCode Fault { get; private set; }

    public int RetryAfterMs { get; private set; }

    /// <summary>The session's notifications are sent behind the response.</summary>
    public bool ServesBehind { get; set; }

    public Task Done => _done.Task;

    /// <summary>Size of the buffer rented for the message, not the message's length.</summary>
    public int HeldBytes { get; private set; }

    /// <summary>The message of a request that a worker decodes.</summary>
    public ReadOnlySpan<byte> Message => _message is null ? default : _message.WrittenSpan;

    public override bool TryHold(long bytes) => Meter is not { } meter ||
        (meter.TryHold(bytes) && meter.UsedBytes <= _queue.Limits.MaxDecodedBytesPerRequest);

    /// <summary><inheritdoc/> After an error <see cref="Fault"/> says why.</summary>
    public override ValueTask NextAsync() => new(this, 0);

    public override void CountRefused() => _queue.CountRefused();

    /// <summary>Ends the work. Throws OperationCanceledException.</summary>
    public void Refuse(StatusCode status, int retryAfterMs = 0)
    {
        (Fault, RetryAfterMs) = (status, retryAfterMs);
        throw new OperationCanceledException();
    }

    /// <summary>Continues work that did not end in its first turn, and answers when it ends. Runs on the thread of that
    /// turn.</summary>
    public void GoOn<T>(ValueTask<T?> work)
        where T : class, IServiceResponse
    {
        _goesOn = true;
        Hold();
        _ = FinishAsync(work);
    }

    /// <summary>Ends a request after an internal error in its turn: waiters for its end must see it (R37). If the work
    /// continues, <see cref="FinishAsync"/> ends it. Never throws.</summary>
    public void Abandon()
    {
        if (_goesOn || Volatile.Read(ref _hasEnded) != 0)
            return;
        try
        {
            Fail(StatusCodes.BadInternalError);
        }
#pragma warning disable CA1031 // The fault could not be sent; the client times out.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _queue.OnFailed(error);
        }

        EndContained();
    }

    /// <summary>Moves the whole request to the workers, with its decoding.</summary>
    public void Defer(ReadOnlySpan<byte> message)
    {
        _message = Channel.Connection.TakeMessage() ?? CopyOf(message);
        HeldBytes = _message.CapacityBytes;
        (_continuation, _state) = (static turn => ((RequestTurn)turn!)._queue.Handler((RequestTurn)turn), this);
        Hold();
        try
        {
            _queue.Enqueue(this);
        }
        catch
        {
            End();
            throw;
        }
    }

    private static PooledBuffer CopyOf(ReadOnlySpan<byte> message)
    {
        var array = ByteArrays.Rent(message.Length);
        message.CopyTo(array);
        return new PooledBuffer(array, message.Length, secret: true);
    }

    public void Leave() => _isLeft = true;

    /// <summary>The work continues, keeps this meter and returns it at its end.</summary>
    public bool Keeps(DecodeMeter meter) => _goesOn && ReferenceEquals(Meter, meter);

    /// <summary>Runs the next turn, on a worker.</summary>
    public void Run()
    {
        Begin();
        var (continuation, state) = (_continuation, _state);
        _state = null;
        continuation(state);
    }

    /// <summary>Called when the handler on a worker has returned: the request was answered, unless its work continues.
    /// </summary>
    public void HandlerReturned()
    {
        if (!_goesOn)
            End();
    }

    /// <summary>Errors: Bad_SecureChannelClosed, Bad_SessionClosed, Bad_Timeout; Bad_UserAccessDenied if the session
    /// has another user by now: neither user may get the other's results (R16).</summary>
    public StatusCode CheckGoesOn()
    {
        if (_isLeft || !Channel.Connection.IsOpen)
            return StatusCodes.BadSecureChannelClosed;
        if (Session is { IsClosed: true })
            return StatusCodes.BadSessionClosed;
        if (Session is not null && !ReferenceEquals(Session.Identity, Identity))
            return StatusCodes.BadUserAccessDenied;
        var waited = _queue.Clock.GetElapsedTime(_arrived);
        var isLate = waited > _queue.Limits.MaxRequestTimeout || waited > ClientPatience.Of(Head.TimeoutHint);
        return isLate ? StatusCodes.BadTimeout : StatusCodes.Good;
    }

    public void Fail(StatusCode status)
    {
        if (Service is { } service)
            Session?.Counts.CountFailure(service.Counted, status);
        ReplyTo.SendFault(status, RetryAfterMs);
    }

    void IValueTaskSource.GetResult(short token)
    {
        Fault = _isLost ? StatusCodes.BadOutOfMemory : CheckGoesOn();
        if (Fault.IsBad)
            throw new OperationCanceledException();
    }

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => ValueTaskSourceStatus.Pending;

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags)
    {
        (_continuation, _state) = (continuation, state);
        try
        {
            _queue.Enqueue(this);
        }
#pragma warning disable CA1031 // The runtime would rethrow it on the pool, which ends the process (R40).
        catch (Exception error)
#pragma warning restore CA1031
        {
            _queue.OnFailed(error);
            _isLost = true;
            continuation(state);
        }
    }

    /// <summary>Runs once, on the connection's thread; the worker may have been quicker.</summary>
    private void Hold()
    {
        if (_isHeld)
            return;
        _isHeld = true;
        _queue.Begun();
        Channel.Connection.WaitFor(this);
    }

    private async Task FinishAsync<T>(ValueTask<T?> work)
        where T : class, IServiceResponse
    {
        try
        {
            var response = await work.ConfigureAwait(false);
            if (response is not null)
                Answer(response);
        }
        catch (OperationCanceledException) when (Fault.IsBad)
        {
            Fail(Fault);
        }
#pragma warning disable CA1031 // internal error: ends this request, never the process (R40)
        catch (Exception exception)
#pragma warning restore CA1031
        {
            Fail(Contained.Answer(exception, _queue.OnFailed));
        }
        finally
        {
            EndContained();
        }
    }

    private void Answer<T>(T response)
        where T : class, IServiceResponse
    {
        var status = CheckGoesOn();
        if (!status.IsBad)
            status = response.ResponseHeader.ServiceResult;
        if (status.IsBad)
            Fail(status);
        else
            ReplyTo.Send(response, Session);
    }

    private void EndContained()
    {
        try
        {
            End();
        }
#pragma warning disable CA1031 // No caller above could handle it; the request has ended.
        catch (Exception error)
#pragma warning restore CA1031
        {
            _queue.OnFailed(error);
        }
    }

    /// <summary>Runs once. Even after a failure the connection continues and gets back the request's memory (R37).
    /// </summary>
    private void End()
    {
        if (Interlocked.Exchange(ref _hasEnded, 1) != 0)
            return;
        try
        {
            if (ServesBehind)
                Session?.Publishing?.Serve();
            if (Channel.Connection.IsOpen)
                Channel.Connection.Flush();
        }
        finally
        {
            _message?.Dispose();
            _message = null;
            if (_goesOn)
                Meter?.Return();
            _queue.Ended();
            _done.TrySetResult();
        }
    }
}
