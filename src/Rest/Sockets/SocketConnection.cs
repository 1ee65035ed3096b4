using System.Net;
using System.Net.WebSockets;
using System.Runtime.CompilerServices;
using Gateway.Admission.Clients;
using Gateway.Admission.Door;
using Gateway.Operations.Access;
using Gateway.Rest.Answers;
using Gateway.Rest.Bodies;
using Gateway.Rest.Budgets;
using Microsoft.AspNetCore.Http;

namespace Gateway.Rest.Sockets;

/// <summary>
/// One WebSocket that carries messages: a message is put together in a pooled buffer, however many fragments it comes
/// in, and at rest there is none. Messages leave one at a time, in slices at the peer's pace; a peer that makes room
/// for none within WriteDeadline is cut off (R10). So nothing queues up: a sender waits for its turn. Owner: the
/// request. Threads: <see cref="ReceiveAsync"/> of one, all else of any.
/// </summary>
internal sealed class SocketConnection : IDisposable
{
    private const int SmallBytes = 4 * 1024;

    /// <summary>Bytes: so much work is a message that nobody reads any more, however short it is.</summary>
    private const int LeastOfRest = 256;

    private readonly HttpContext _context;
    private readonly WebSocket _socket;
    private readonly SocketParts _parts;
    private readonly RequestBody _body;
    private readonly SemaphoreSlim _turn = new(1);
    private readonly long _since;
    private readonly TaskCompletionSource _farewell = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly Lock _lock = new();
    private readonly Holding _held;
    private readonly HttpPlace? _place;
    private bool _isOver;
    private int _end;
    private int _answers;
    private long _endedAt;
    private long _begunAt;
    private long _heardAt;
    private long _sentAt;

    public SocketConnection(HttpContext context, WebSocket socket, SocketParts parts)
    {
        (_context, _socket, _parts) = (context, socket, parts);
        Address = AddressKey.Of(context.Connection.RemoteIpAddress);
        _body = new RequestBody(Address);
        Gone = context.RequestAborted;
        _held = parts.Answers.Hold(context);
        _place = context.Features.Get<HttpPlace>();
        _since = _heardAt = _sentAt = parts.Time.GetTimestamp();
        if (context.Features.Get<FrameMeter>() is { } meter)
            meter.Ended = EndAsync;
    }

    public IPAddress Address { get; }

    /// <summary>Null before its login.</summary>
    public Caller? Caller { get; set; }

    /// <summary>It watches something.</summary>
    public bool IsWatching { private get; set; }

    /// <summary>It watches something, or its peer waits for an answer.</summary>
    public bool IsAwaited => IsWatching || Volatile.Read(ref _answers) > 0;

    /// <summary>Keeps quiet connections open: sent where nothing else was. Empty: none is sent.</summary>
    public ReadOnlyMemory<byte> Heartbeat { get; init; }

    /// <summary>The peer has gone.</summary>
    public CancellationToken Gone { get; }

    /// <summary>The transport has the same deadline, and may be the first to end it.</summary>
    public bool TookNothing => _place is { TookNothing: true };

    public void CountLate() => _parts.Answers.CountLate(_place);

    public SocketEnd Ending => (SocketEnd)Volatile.Read(ref _end);

    /// <summary>The last message. Valid until <see cref="Forget"/>.</summary>
    public ReadOnlyMemory<byte> Message => _body.WrittenMemory;

    /// <summary>The next message. Errors: WebSocketException, OperationCanceledException: the connection is lost.
    /// </summary>
    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    public async ValueTask<SocketInput> ReceiveAsync()
    {
        // Nothing is rented until there is something to be read.
        var part = await _socket.ReceiveAsync(Memory<byte>.Empty, Gone).ConfigureAwait(false);
        while (part.MessageType != WebSocketMessageType.Close && !part.EndOfMessage)
        {
            if (_body.Buffer.Length == _body.Buffer.CapacityBytes && !TryGrow())
                return End(SocketEnd.NoMemory);
            var receive = _socket.ReceiveAsync(_body.Buffer.FreeMemory, Gone);
            if (!receive.IsCompleted && _begunAt == 0)
                Volatile.Write(ref _begunAt, Math.Max(1, _parts.Time.GetTimestamp()));
            part = await receive.ConfigureAwait(false);
            _body.Buffer.Advance(part.Count);
            if (_body.Buffer.Length > MaxMessageBytes)
                return End(SocketEnd.TooLarge);
        }

        Volatile.Write(ref _begunAt, 0);
        Volatile.Write(ref _heardAt, _parts.Time.GetTimestamp());
        _parts.LogReceived(Address, _body.Buffer.Length, part.MessageType);
        return part.MessageType switch
        {
            WebSocketMessageType.Close => End(SocketEnd.Closed),
            _ when Ending != SocketEnd.None => SocketInput.End,
            WebSocketMessageType.Text => SocketInput.Text,
            _ => SocketInput.Binary,
        };
    }

    /// <summary>The message was served: its memory goes back.</summary>
    public void Forget() => _parts.Bodies.Return(_body);

    /// <summary>The peer waits for an answer from here on, until <see cref="EndAnswer"/>; there may be many.</summary>
    public void BeginAnswer() => Interlocked.Increment(ref _answers);

    /// <summary>It was quiet because it waited: its quiet time begins now.</summary>
    public void EndAnswer()
    {
        Volatile.Write(ref _heardAt, _parts.Time.GetTimestamp());
        Interlocked.Decrement(ref _answers);
    }

    /// <summary>The turn to send, until <see cref="Leave"/>.</summary>
    public Task EnterAsync() => _turn.WaitAsync(Gone);

    public void Leave() => _turn.Release();

    /// <summary>Waits for its turn. Errors: <see cref="AnswerEndedException"/>, OperationCanceledException,
    /// WebSocketException: the connection is at its end.</summary>
    public async ValueTask SendAsync(ReadOnlyMemory<byte> text)
    {
        await EnterAsync().ConfigureAwait(false);
        try
        {
            await SendInTurnAsync(text).ConfigureAwait(false);
        }
        finally
        {
            Leave();
        }
    }

    /// <summary>The sender has the turn. Errors: as <see cref="SendAsync"/>.</summary>
    public ValueTask SendInTurnAsync(ReadOnlyMemory<byte> text)
    {
        if (Ending != SocketEnd.None)
            throw new AnswerEndedException();
        if (text.Length <= AnswerSender.FreeBytes)
            return WriteAsync(text);
        if (_held.TryAdd(text.Length))
            return SendHeldAsync(text);
        _ = EndAsync(SocketEnd.NoMemory);
        throw new AnswerEndedException();
    }

    /// <summary>The first reason counts. The peer is told; <see cref="FinishAsync"/> waits for its answer.</summary>
    public Task EndAsync(SocketEnd end)
    {
        if (Interlocked.CompareExchange(ref _end, (int)end, (int)SocketEnd.None) != (int)SocketEnd.None)
            return _farewell.Task;
        Volatile.Write(ref _endedAt, Math.Max(1, _parts.Time.GetTimestamp()));
        return SayFarewellAsync(end);
    }

    /// <summary>The receiver has stopped. Takes what the peer has still sent, until it has closed too. Behind it the
    /// server may use the context for another request: nothing touches it any more.</summary>
    public async Task FinishAsync()
    {
        try
        {
            Forget();
            if (Ending != SocketEnd.None)
                await _farewell.Task.ConfigureAwait(false);
            var rest = new byte[1024];
            await SocketFarewell.TakeAsync(() => TakeRestAsync(rest), _parts.Time, Gone).ConfigureAwait(false);
            // The server would go on and wait for a peer that does not close.
            if (_socket.State == WebSocketState.CloseSent)
                Abort();
        }
        catch (Exception error) when (error is WebSocketException or OperationCanceledException or IOException)
        {
            Abort();
        }
        finally
        {
            lock (_lock)
                _isOver = true;
        }
    }

    /// <summary>Now and then, by the book's timer. Never blocks.</summary>
    public void Look(long now)
    {
        lock (_lock)
        {
            if (_isOver)
                return;
        }

        if (IsOver(_endedAt, SocketFarewell.Time, now))
            Abort();
        else if (IsOver(_begunAt, _parts.Limits.HttpRequestTimeout, now))
            _ = EndAsync(SocketEnd.TooSlow);
        else if (Caller is null && IsOver(_since, _parts.Limits.HttpWebSocketLoginTime, now))
            _ = EndAsync(SocketEnd.LoginTime);
        else if (Caller?.Identity?.IsOver(_parts.Time) == true)
            _ = EndAsync(SocketEnd.UserExpired);
        else if (Caller?.Identity?.IsRefused == true)
            _ = EndAsync(SocketEnd.UserRefused);
        else if (!IsAwaited && IsOver(_heardAt, _parts.Limits.HttpWebSocketIdleTime, now))
            _ = EndAsync(SocketEnd.Idle);
        else if (Heartbeat.Length > 0 && Caller is not null &&
            IsOver(_sentAt, _parts.Limits.HttpStreamHeartbeat, now) && _turn.Wait(0))
            _ = BeatAsync();
    }

    /// <summary>The semaphore stays: a heartbeat may still leave it, and without a handle it holds nothing.</summary>
    public void Dispose()
    {
        _socket.Dispose();
        _held.Dispose();
    }

    private int MaxMessageBytes => Caller is null
        ? Math.Min(_parts.Limits.MaxHttpWebSocketLoginBytes, _parts.MaxMessageBytes)
        : _parts.MaxMessageBytes;

    private bool IsOver(long since, TimeSpan limit, long now) =>
        since != 0 && _parts.Time.GetElapsedTime(since, now) >= limit;

    /// <summary>The number of WebSockets bounds what small messages take.</summary>
    private bool TryGrow()
    {
        if (_body.Buffer.CapacityBytes > 0)
            return _parts.Bodies.TryGrow(_body);
        _body.Buffer.TryGrow(0, SmallBytes);
        return true;
    }

    private SocketInput End(SocketEnd end)
    {
        _ = EndAsync(end);
        return SocketInput.End;
    }

    /// <summary>0: the peer has closed, too. A short message counts as <see cref="LeastOfRest"/>.</summary>
    private async ValueTask<int> TakeRestAsync(Memory<byte> rest)
    {
        if (_socket.State != WebSocketState.CloseSent)
            return 0;
        var part = await _socket.ReceiveAsync(rest, Gone).ConfigureAwait(false);
        return Math.Max(LeastOfRest, part.Count);
    }

    private async Task BeatAsync()
    {
        try
        {
            await SendInTurnAsync(Heartbeat).ConfigureAwait(false);
        }
        catch (Exception error) when (SocketFaults.IsOfPeer(error))
        {
            // The receiver learns of it, too.
        }
        finally
        {
            Leave();
        }
    }

    private async ValueTask SendHeldAsync(ReadOnlyMemory<byte> text)
    {
        var bytes = text.Length;
        try
        {
            await WriteAsync(text).ConfigureAwait(false);
        }
        finally
        {
            _held.Remove(bytes);
        }
    }

    private async ValueTask WriteAsync(ReadOnlyMemory<byte> text)
    {
        do
        {
            var slice = text[..Math.Min(text.Length, AnswerSender.SliceBytes)];
            text = text[slice.Length..];
            var write = _socket.SendAsync(slice, WebSocketMessageType.Text, text.IsEmpty, Gone);
            if (write.IsCompletedSuccessfully)
                await write.ConfigureAwait(false);
            else
                await WaitAsync(write.AsTask()).ConfigureAwait(false);
        }
        while (text.Length > 0);
        Volatile.Write(ref _sentAt, _parts.Time.GetTimestamp());
    }

    private async Task WaitAsync(Task write)
    {
        if (await _parts.Answers.IsTakenAsync(write, _place).ConfigureAwait(false))
            return;
        if (Interlocked.CompareExchange(ref _end, (int)SocketEnd.Late, (int)SocketEnd.None) == (int)SocketEnd.None)
            _farewell.SetResult();
        Abort();
        await write.ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        throw new AnswerEndedException();
    }

    private async Task SayFarewellAsync(SocketEnd end)
    {
        try
        {
            await EnterAsync().ConfigureAwait(false);
            try
            {
                var (code, words) = SocketEnds.Of(end);
                if (_socket.State is WebSocketState.Open or WebSocketState.CloseReceived)
                    await WaitAsync(_socket.CloseOutputAsync(code, words, Gone)).ConfigureAwait(false);
            }
            finally
            {
                Leave();
            }
        }
        catch (Exception error) when (SocketFaults.IsOfPeer(error) || error is ObjectDisposedException)
        {
            Abort();
        }
        finally
        {
            _farewell.SetResult();
        }
    }

    /// <summary>The framework's Abort only starts the end, so nothing blocks under the lock.</summary>
    private void Abort()
    {
        lock (_lock)
        {
            if (!_isOver)
                _context.Abort();
        }
    }
}
