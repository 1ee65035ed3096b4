using System.Diagnostics;
using System.Runtime.ExceptionServices;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Transport.Conversation;
using Gateway.Transport.Timing;
using Gateway.Transport.Tracing;

namespace Gateway.Client.Requests;

/// <summary>One secure channel and the requests on it. State: the table of pending requests and the closing status
/// under one short lock; everything else is set once. Threads: requests from any; answers on the connection's own,
/// where a request made meanwhile is flushed with the burst. No timer and no thread of its own: its deadlines are one
/// entry of the wheel.</summary>
internal sealed class ClientConnection : TimerEntry, IChannelHandler
{
    [ThreadStatic]
    private static ClientConnection? _handling;

    private readonly WheelTimer _wheel;
    private readonly TimeProvider _time;
    private readonly Lock _lock = new();
    private readonly PendingRequestTable _pending = new();
    private readonly TaskCompletionSource<StatusCode> _closed =
        new(TaskCreationOptions.RunContinuationsAsynchronously);
    private SecureChannel? _channel;
    private StatusCode _closeReason;
    private uint _lastRequestId;
    private long _scheduledFor = long.MaxValue;
    private long _lastReceived;
    private long _idleTicks;

    /// <summary>1 while a message is handled.</summary>
    private int _isHandling;
    private bool _hasEnded;

    public ClientConnection(ClientOptions options, WheelTimer wheel)
    {
        Options = options;
        _wheel = wheel;
        _time = options.TimeProvider;
        _lastReceived = _time.GetTimestamp();
    }

    public ClientOptions Options { get; }

    /// <summary>Ends when the channel does, with why, and when no message of it is being handled any more: from then on
    /// its subscriptions may go on elsewhere.</summary>
    public Task<StatusCode> Closed => _closed.Task;

    public bool IsOpen => _channel is { IsOpen: true } && _closeReason.IsGood;

    public SecureChannel Channel => _channel!;

    /// <summary>Null before CreateSession was answered.</summary>
    public NodeId AuthenticationToken { get; set; }

    /// <summary>Null for a channel that only asks for endpoints.</summary>
    public ClientSession? Session { get; set; }

    /// <summary>The channel is known before the connect returns it: its first message may come sooner.</summary>
    public void Attach(SecureChannel channel) => _channel = channel;

    public void OnOpened(SecureChannel channel) => _channel = channel;

    /// <summary>From now on silence of <paramref name="idle"/> makes the session ask.</summary>
    public void WatchIdle(TimeSpan idle)
    {
        _idleTicks = (long)(idle.TotalSeconds * _time.TimestampFrequency);
        WakeAt(_time.GetTimestamp() + _idleTicks);
    }

    /// <param name="request">See <see cref="ClientSession"/>.</param>
    /// <param name="timeout">Until Bad_Timeout.</param>
    /// <param name="cancellation">Ends the waiting.</param>
    /// <param name="onAnswer">Runs on the connection's thread before anything else is read from it.</param>
    public ValueTask<TResponse> InvokeAsync<TRequest, TResponse>(
        TRequest request, TimeSpan timeout, CancellationToken cancellation, Action<TResponse>? onAnswer = null)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        cancellation.ThrowIfCancellationRequested();
        return RequestTracing.Current is { } outer
            ? TraceAsync(request, outer, timeout, onAnswer, cancellation)
            : StartAsync(request, timeout, onAnswer, cancellation);
    }

    /// <summary>A part of the trace that the caller's request belongs to; the server gets to know it.</summary>
    private async ValueTask<TResponse> TraceAsync<TRequest, TResponse>(
        TRequest request, Activity outer, TimeSpan timeout, Action<TResponse>? onAnswer,
        CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        using var span = ClientSpan.Start(outer, request, _channel);
        try
        {
            return await StartAsync(request, timeout, onAnswer, cancellation).ConfigureAwait(false);
        }
        catch (ServiceException error)
        {
            ClientSpan.Fail(span, error.Status);
            throw;
        }
    }

    private ValueTask<TResponse> StartAsync<TRequest, TResponse>(
        TRequest request, TimeSpan timeout, Action<TResponse>? onAnswer, CancellationToken cancellation)
        where TRequest : class, IServiceRequest
        where TResponse : IStructure<TResponse>
    {
        var pending = PendingRequest<TResponse>.Rent(Options, onAnswer);
        var answer = pending.AsValueTask();
        pending.RequestId = NextRequestId();
        // Read before the send: answered, the object may already serve another request.
        var id = pending.RequestId;
        if (cancellation.CanBeCanceled)
            pending.CancelBy(OnCancel(id, cancellation));
        Start(pending, request, timeout);
        // Cancelled before it was in the table: the callback has not found it.
        if (cancellation.IsCancellationRequested)
            Cancel(id);
        return answer;
    }

    /// <summary>Sends a request whose <see cref="PendingRequest.RequestId"/> is set; a failure ends it at
    /// once.</summary>
    public void Start<TRequest>(PendingRequest pending, TRequest request, TimeSpan timeout)
        where TRequest : class, IServiceRequest
    {
        var message = RequestWriter.RentMessage();
        var status = RequestWriter.Write(message, request, Stamp(pending.RequestId, timeout));
        if (status.IsBad)
            pending.Fail(status, "the request is too large");
        else
            SendMessage(pending, message, timeout);
    }

    public RequestStamp Stamp(uint handle, TimeSpan timeout) =>
        new(AuthenticationToken, handle, _time.GetUtcNow().UtcDateTime, ToTimeoutHint(timeout));

    /// <summary>Sends bytes that hold a whole request.</summary>
    public void SendMessage(PendingRequest pending, PooledBuffer message, TimeSpan timeout)
    {
        // Read before the send: answered, the object may already serve another request.
        var id = pending.RequestId;
        var deadline = timeout == Timeout.InfiniteTimeSpan
            ? long.MaxValue
            : _time.GetTimestamp() + (long)(timeout.TotalSeconds * _time.TimestampFrequency);
        pending.Deadline = deadline;
        if (!TryRegister(pending, deadline, out var refusal))
        {
            pending.Fail(refusal, "the connection takes no request");
            return;
        }

        var status = _channel!.Send(message, id);
        if (status.IsBad)
            Take(id)?.Fail(status, "the request could not be sent");
        else if (_handling != this)
            _channel.Flush();
    }

    public uint NextRequestId()
    {
        var id = Interlocked.Increment(ref _lastRequestId);
        return id != 0 ? id : Interlocked.Increment(ref _lastRequestId);
    }

    public void OnMessage(SecureChannel channel, uint requestId, ReadOnlySpan<byte> message)
    {
        Volatile.Write(ref _lastReceived, _time.GetTimestamp());
        // Before the look at the table, which the end of the connection empties.
        Interlocked.Exchange(ref _isHandling, 1);
        var outer = _handling;
        _handling = this;
        try
        {
            Take(requestId)?.Complete(message);
        }
        finally
        {
            _handling = outer;
            Interlocked.Exchange(ref _isHandling, 0);
            if (Volatile.Read(ref _hasEnded))
                _closed.TrySetResult(_closeReason);
        }
    }

    public void OnMessageAborted(SecureChannel channel, uint requestId, StatusCode error) =>
        Take(requestId)?.Fail(error, "the server gave the answer up");

    public void OnClosed(SecureChannel channel, StatusCode reason) => End(reason);

    public void Close()
    {
        _channel?.Close();
        End(StatusCodes.BadConnectionClosed);
    }

    public void Abort(StatusCode reason, string detail)
    {
        _channel?.Abort(reason, detail);
        End(reason);
    }

    /// <summary>Requests and idleness are measured in timestamps of the TimeProvider.</summary>
    public override void OnDue(long now) => OnDueAt(_time.GetTimestamp());

    /// <summary>A fault ends neither the others' deadlines nor the looks at an idle connection.</summary>
    private void OnDueAt(long now)
    {
        try
        {
            var next = Expire(now);
            if (Session is { } session && _idleTicks > 0 && IsOpen)
                next = Math.Min(next, NextIdleCheck(session, now));
            if (next != long.MaxValue)
                WakeAt(next);
        }
        catch
        {
            // The wheel tells of it. The next due time is looked up again a little later.
            lock (_lock)
                _scheduledFor = now;
            WakeAt(now + (_time.TimestampFrequency / 10));
            throw;
        }
    }

    /// <summary>Under the lock, so that the end of the connection, which cancels, comes before or after: behind the end
    /// nothing would take it out of the wheel again.</summary>
    private void WakeAt(long timestamp)
    {
        lock (_lock)
        {
            if (_closeReason.IsGood)
                _wheel.ScheduleEarlier(this, timestamp);
        }
    }

    /// <summary>The next deadline; the largest number for none.</summary>
    private long Expire(long now)
    {
        List<PendingRequest> expired = [];
        long next;
        lock (_lock)
        {
            if (_closeReason.IsBad)
                return long.MaxValue;
            next = _pending.TakeExpired(now, expired);
            _scheduledFor = next;
        }

        FailAll(expired, StatusCodes.BadTimeout, "no answer in time");
        return next;
    }

    /// <summary>Each request is ended, also where one before it threw; then the first fault is thrown.
    /// </summary>
    private static void FailAll(IEnumerable<PendingRequest> requests, StatusCode status, string detail)
    {
        ExceptionDispatchInfo? fault = null;
        foreach (var request in requests)
        {
#pragma warning disable CA1031 // The others must be called after one of them throws.
            try
            {
                request.Fail(status, detail);
            }
            catch (Exception error)
#pragma warning restore CA1031
            {
                fault ??= ExceptionDispatchInfo.Capture(error);
            }
        }

        fault?.Throw();
    }

    private long NextIdleCheck(ClientSession session, long now)
    {
        var idleAt = Volatile.Read(ref _lastReceived) + _idleTicks;
        if (idleAt > now)
            return idleAt;
        session.SendKeepAlive();
        return now + _idleTicks;
    }

    private bool TryRegister(PendingRequest pending, long deadline, out StatusCode refusal)
    {
        lock (_lock)
        {
            refusal = _closeReason.IsBad ? _closeReason : default;
            if (refusal.IsGood && !_pending.TryAdd(pending))
                refusal = StatusCodes.BadTooManyOperations;
            if (refusal.IsGood && deadline < _scheduledFor)
            {
                _scheduledFor = deadline;
                _wheel.ScheduleEarlier(this, deadline);
            }
        }

        return refusal.IsGood;
    }

    private PendingRequest? Take(uint requestId)
    {
        lock (_lock)
            return _pending.Take(requestId);
    }

    private void Cancel(uint requestId) => Take(requestId)?.Cancel();

    private CancellationTokenRegistration OnCancel(uint requestId, CancellationToken cancellation) =>
        cancellation.UnsafeRegister(
            static (state, _) =>
            {
                var (connection, id) = ((ClientConnection, uint))state!;
                connection.Cancel(id);
            },
            (this, requestId));

    private void End(StatusCode reason)
    {
        PendingRequest[] orphans;
        lock (_lock)
        {
            if (_closeReason.IsBad)
                return;
            _closeReason = reason.IsBad ? reason : StatusCodes.BadConnectionClosed;
            orphans = _pending.TakeAll();
        }

        _wheel.Cancel(this);
        try
        {
            FailAll(orphans, _closeReason, "the connection was closed");
        }
        finally
        {
            Session?.OnConnectionClosed(_closeReason);
            // One of the two sides sees that the other is done.
            Volatile.Write(ref _hasEnded, true);
            Interlocked.MemoryBarrier();
            if (Volatile.Read(ref _isHandling) == 0)
                _closed.TrySetResult(_closeReason);
        }
    }

    private static uint ToTimeoutHint(TimeSpan timeout) =>
        timeout == Timeout.InfiniteTimeSpan ? 0 : (uint)Math.Clamp(timeout.TotalMilliseconds, 1, int.MaxValue);
}
