using System.Buffers;
using System.Numerics;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Conversation;

/// <summary>
/// The loop of one connection: read, frame, open, hand over, one flush at the end of the burst; all on the thread that
/// the bytes arrived on. Only an OPN leaves it, for the private-key lane, and the loop waits for that. What differs
/// between server and client is in the two subclasses. State belongs to the loop; ending may be asked for by any
/// thread.
/// </summary>
internal abstract class UaTcpConnection : IDeadlineHolder, IMemoryHolder, ISenderOwner, IChannelLink
{
    private ConnectionEnd? _end;
    private TurnBudget _budget;
    private long _held;
    private long _receiveHeld;
    private ReceiveProgress _progress;
    private long _lastReceived;
    private long _phaseSince;
    private long _closedSince;
    private volatile ConnectionPhase _phase;
    private volatile bool _answered;
    private volatile IUnfinishedRequest? _unfinished;

    protected UaTcpConnection(
        TransportContext context, ConnectionContext transport, IConnectionDoor? door, IChannelHandler handler,
        StatusCode tooLarge)
    {
        Context = context;
        Transport = transport;
        Door = door;
        Handler = handler;
        Sender = ChannelSender.Create(transport.Transport.Output, context, this, tooLarge);
        Receiver = new ChannelReceiver(context);
        _budget = new TurnBudget(context);
        ReceiveBufferSize = context.Limits.ReceiveBufferSizeBytes;
        _phaseSince = _lastReceived = context.Time.GetTimestamp();
    }

    public DeadlineSlot Slot { get; set; }

    public long HeldBytes => Volatile.Read(ref _held);

    public bool IsEnding => _end is not null;

    public bool IsOpen => _phase == ConnectionPhase.Open && _end is null;

    public int MaxResponseSizeBytes => Math.Min(Sender.MaxMessageBytes, Context.Limits.MaxMessageSizeBytes);

    public TransportContext Context { get; }

    public ConnectionContext Transport { get; }

    /// <summary>Null in the client role.</summary>
    public IConnectionDoor? Door { get; }

    protected IChannelHandler Handler { get; }

    protected ChannelSender Sender { get; }

    protected ChannelReceiver Receiver { get; }

    /// <summary>Null until the first OPN is done.</summary>
    protected SecureChannel? Channel { get; set; }

    /// <summary>The largest chunk that the peer may send.</summary>
    protected int ReceiveBufferSize { get; set; }

    protected ConnectionPhase Phase => _phase;

    /// <summary>What is behind waits.</summary>
    private bool IsHeld => PendingOpen is not null || _unfinished is not null;

    /// <summary>An OPN chunk that waits to be worked on; the loop stops behind it.</summary>
    protected byte[]? PendingOpen { get; private set; }

    public async Task RunAsync()
    {
        Context.Counters.ConnectionOpened();
        Context.Deadlines.Add(this);
        try
        {
            await AdmitAsync().ConfigureAwait(false);
            OnStarted();
            Sender.Flush();
            await ReadLoopAsync().ConfigureAwait(false);
        }
        catch (SecureChannelException e)
        {
            End(e.Status, e.CloseReason, e.Message, e.Answer ? e.PublicReason : null, wake: false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException
            or System.Net.Sockets.SocketException)
        {
            SetEnd(StatusCodes.BadConnectionClosed, ChannelCloseReason.ConnectionLost, e.Message);
        }
        catch (Exception e)
        {
            Context.Log.Bug(Transport.RemoteEndPoint, e);
            End(StatusCodes.BadTcpInternalError, ChannelCloseReason.InternalError, e.Message, "Internal error", false);
        }
        finally
        {
            Finish();
        }

        if (_answered)
            await Lingering.DropAsync(Transport.Transport.Input, Context.Limits.MaxLingerBytes).ConfigureAwait(false);
        Release();
    }

    public StatusCode Send(PooledBuffer message, uint requestId) => Sender.Send(message, requestId);

    public StatusCode SendAbort(uint requestId, StatusCode error, string reason) =>
        Sender.SendAbort(requestId, error, reason);

    public void Flush() => Sender.Flush();

    public void WaitFor(IUnfinishedRequest request) => _unfinished = request;

    public PooledBuffer? TakeMessage() => Receiver.Assembler.Take();

    public void Abort(StatusCode reason, string detail) =>
        End(reason, ChannelCloseReason.LocalClosed, detail, "Closed", wake: true);

    public abstract void Close();

    public abstract void SetActiveSession(bool active);

    public void ReleaseForBudget() => EndAbruptly(ChannelCloseReason.MemoryBudget);

    public void OnSendFailed(ChannelCloseReason reason) => EndAbruptly(reason);

    public void AddHeldBytes(long delta)
    {
        var now = Interlocked.Add(ref _held, delta);
        Context.Budget.Change(this, now - delta, now);
    }

    public virtual void CheckDeadlines(long now)
    {
        var time = Context.Time;
        var limits = Context.Limits;
        if (_phase == ConnectionPhase.Closed)
        {
            // The stack drains what was sent last; a peer that does not take it is cut off.
            var closed = time.GetElapsedTime(Volatile.Read(ref _closedSince), now);
            if (closed > limits.WriteDeadline)
                WakeLoop(abort: true);
            else if (_answered && closed > limits.LingerTime)
                WakeLoop(abort: false);
            return;
        }

        var inPhase = time.GetElapsedTime(Volatile.Read(ref _phaseSince), now);
        var stalled = Sender.StalledSince;
        if (stalled != 0 && time.GetElapsedTime(stalled, now) > limits.WriteDeadline)
            EndAbruptly(ChannelCloseReason.WriteDeadline);
        else if (_phase == ConnectionPhase.Hello && inPhase > limits.HelloDeadline)
            EndLate(ChannelCloseReason.HelloDeadline);
        else if (_phase == ConnectionPhase.Opening && inPhase > limits.OpenDeadline)
            EndLate(ChannelCloseReason.OpenDeadline);
        else if (_progress.LateBy(now, Context, CurrentLimits()) is { } late)
            EndLate(late);
        else if (_phase == ConnectionPhase.Open && Receiver.Tokens.IsExpired(now))
            EndLate(ChannelCloseReason.TokenExpired);
        else if (IsInactive(now))
            EndLate(ChannelCloseReason.Inactive);
    }

    /// <summary>From any thread; the first end wins. Answers ERR where there is a text, and lets the loop go.</summary>
    public void End(StatusCode status, ChannelCloseReason reason, string detail, string? answer, bool wake)
    {
        if (!SetEnd(status, reason, detail))
            return;
        using var last = new PooledBuffer();
        Sender.Close(answer is null ? [] : new ErrorMessage(status, answer).Frame(last));
        _answered = answer is not null;
        if (wake)
            WakeLoop(abort: false);
    }

    /// <summary>Before all else. Errors: SecureChannelException.</summary>
    protected virtual ValueTask AdmitAsync() => default;

    /// <summary>Before anything is read.</summary>
    protected virtual void OnStarted()
    {
    }

    /// <summary>Role and state decide what may come. Errors: SecureChannelException.</summary>
    protected abstract void CheckFrame(in FrameHeader header);

    /// <summary>HEL, ACK, ERR and the like: everything but OPN, MSG and CLO.</summary>
    protected abstract void OnTransportMessage(MessageKind kind, ReadOnlySpan<byte> body);

    /// <summary>Works on <see cref="PendingOpen"/>; the loop waits.</summary>
    protected abstract ValueTask OpenAsync(byte[] chunk);

    /// <summary>A CLO that is genuine.</summary>
    protected abstract void OnCloseRequested();

    protected abstract bool IsInactive(long now);

    /// <summary>An end was asked for from outside the loop; the read that waited goes on already.</summary>
    protected virtual void OnWoken() => _unfinished?.Leave();

    /// <returns>Whether somebody of ours gets the end with its detail as an error, and tells it.</returns>
    protected virtual bool OnFinished(ConnectionEnd end) => false;

    /// <summary>The phase's deadline runs from there.</summary>
    protected long PhaseSince
    {
        get => Volatile.Read(ref _phaseSince);
        set => Volatile.Write(ref _phaseSince, value);
    }

    protected void EnterPhase(ConnectionPhase phase)
    {
        Volatile.Write(ref _phaseSince, Context.Time.GetTimestamp());
        _phase = phase;
    }

    protected TimeSpan IdleTime(long now) => Context.Time.GetElapsedTime(Volatile.Read(ref _lastReceived), now);

    protected bool SetEnd(StatusCode status, ChannelCloseReason reason, string detail) =>
        Interlocked.CompareExchange(ref _end, new ConnectionEnd(status, reason, detail), null) is null;

    /// <summary>Not on the loop's thread, which may be anyone's: a read that is cancelled continues inline.</summary>
    protected void WakeLoop(bool abort) => ThreadPool.UnsafeQueueUserWorkItem(
        static state =>
        {
            if (state.abort)
                state.self.Transport.Abort();
            state.self.Transport.Transport.Input.CancelPendingRead();
            state.self.OnWoken();
        },
        (self: this, abort),
        preferLocal: false);

    private async Task ReadLoopAsync()
    {
        var input = Transport.Transport.Input;
        var onLane = false;
        while (true)
        {
            // What is buffered behind an OPN is not the lane's to work on.
            if (onLane && input.TryRead(out var buffered))
            {
                input.AdvanceTo(buffered.Buffer.Start);
                if (_end is not null)
                    return;
                await Task.Yield();
            }

            onLane = false;
            var reading = input.ReadAsync();
            var waits = !reading.IsCompleted;
            var result = await reading.ConfigureAwait(false);
            if (!waits && _budget.IsUsedUp)
            {
                // To the end of the pool's queue: who floods is there, beside the others and behind them.
                Context.Counters.TurnCut();
                await Task.Yield();
            }

            if (waits || _budget.IsUsedUp)
                _budget.Begin();
            var turn = new Turn(result.Buffer.End, result.Buffer.End, false, false);
            try
            {
                if (_end is null)
                    turn = TakeTurn(result.Buffer);
            }
            finally
            {
                input.AdvanceTo(turn.Consumed, turn.Examined);
            }

            Sender.Flush();
            if (_end is not null)
                return;
            if (_unfinished is { } request)
            {
                await new HeldRequest(this, Door, request).AwaitAsync().ConfigureAwait(false);
                _unfinished = null;
                if (_end is not null)
                    return;
            }
            else if (PendingOpen is { } open)
            {
                PendingOpen = null;
                var opening = OpenAsync(open);
                onLane = !opening.IsCompleted;
                await opening.ConfigureAwait(false);
                Sender.Flush();
                if (_end is not null)
                    return;
            }
            else if (!turn.HasMore && result.IsCompleted)
            {
                if (turn.HasPartial || Receiver.Assembler.IsStarted)
                    ConversationFault.Truncated();
                SetEnd(StatusCodes.BadConnectionClosed, ChannelCloseReason.PeerClosed,
                    "the peer closed the connection");
                return;
            }
        }
    }

    /// <summary>Bounded work: as many whole chunks as are there, and as the turn may take.</summary>
    private Turn TakeTurn(ReadOnlySequence<byte> buffer)
    {
        var bytes = buffer.Length;
        var count = 0;
        var more = false;
        while (TryTakeChunk(ref buffer, out var header))
        {
            count++;
            if (_end is not null || IsHeld)
                break;
            _budget.Take();
            if (_budget.IsUsedUp && buffer.Length > 0)
            {
                more = true;
                break;
            }
        }

        var left = buffer.Length;
        NoteProgress(count, left, more);
        Context.Counters.Received(count, bytes - left);
        var examined = more || IsHeld ? buffer.Start : buffer.End;
        return new Turn(buffer.Start, examined, more, left > 0);
    }

    /// <summary>Checks the header before the rest is waited for (R03), and takes the chunk when it is whole.</summary>
    private bool TryTakeChunk(ref ReadOnlySequence<byte> buffer, out FrameHeader header)
    {
        if (!FrameReader.TryReadHeader(buffer, out header))
            return false;
        if (header.SizeBytes < MessageLayout.MessageHeaderSize)
            ConversationFault.Malformed("a chunk smaller than its header");
        if (header.Kind == MessageKind.Unknown)
            ConversationFault.MessageType("a message of no known type");
        if (header.SizeBytes > ReceiveBufferSize)
            ConversationFault.TooLarge("a chunk over the receive buffer");
        CheckFrame(header);
        if (header.Kind is MessageKind.Message)
            Receiver.Assembler.CheckNext(header.SizeBytes, CurrentLimits());
        if (header.SizeBytes > buffer.Length)
            return false;
        var chunk = buffer.Slice(0, header.SizeBytes);
        OnChunk(header, chunk);
        buffer = buffer.Slice(chunk.End);
        return true;
    }

    private void OnChunk(in FrameHeader header, in ReadOnlySequence<byte> sequence)
    {
        var size = (int)header.SizeBytes;
        if (header.Chunk != ChunkType.Intermediate)
            _progress.MessageEnded();
        if (header.Kind == MessageKind.OpenSecureChannel)
        {
            PendingOpen = sequence.ToArray();
            return;
        }

        var scratch = ScratchBuffer.Take(size);
        try
        {
            var chunk = scratch.AsSpan(0, size);
            sequence.CopyTo(chunk);
            if (header.Kind is MessageKind.Message or MessageKind.CloseSecureChannel)
                OnSecuredChunk(header, chunk);
            else
                OnTransportMessage(header.Kind, chunk[MessageLayout.MessageHeaderSize..]);
        }
        finally
        {
            // Decrypted in place: a password may have been in it, and the thread keeps the array (R39).
            scratch.AsSpan(0, size).Clear();
            ScratchBuffer.Return(scratch);
        }
    }

    private void OnSecuredChunk(in FrameHeader header, Span<byte> chunk)
    {
        var body = Receiver.Unseal(chunk, out var requestId, out var ended);
        if (ended is not null)
        {
            ended.Incoming.Dispose();
            Sender.UseToken(Receiver.Tokens.Current!);
        }

        if (header.Kind == MessageKind.CloseSecureChannel)
        {
            OnCloseRequested();
            return;
        }

        var assembler = Receiver.Assembler;
        switch (header.Chunk)
        {
            case ChunkType.Final when !assembler.IsStarted:
                Handler.OnMessage(Channel!, requestId, body);
                break;
            case ChunkType.Final:
                assembler.Add(requestId, body, CurrentLimits().MaxMessageBytes);
                Handler.OnMessage(Channel!, requestId, assembler.Join());
                assembler.Reset();
                break;
            case ChunkType.Intermediate:
                assembler.Add(requestId, body, CurrentLimits().MaxMessageBytes);
                break;
            default:
                assembler.Reset();
                var reader = new UaBinaryReader(body);
                Handler.OnMessageAborted(Channel!, requestId, ErrorMessage.Read(ref reader).Error);
                break;
        }
    }

    private MessageLimits CurrentLimits() => LimitsFor(Channel?.HasActiveSession == true);

    protected abstract MessageLimits LimitsFor(bool hasActiveSession);

    private void NoteProgress(int chunks, long leftBytes, bool more)
    {
        var partial = (leftBytes > 0 && !more && !IsHeld) || Receiver.Assembler.IsStarted;
        var now = chunks > 0 || partial ? Context.Time.GetTimestamp() : 0;
        if (chunks > 0)
            Volatile.Write(ref _lastReceived, now);
        _progress.Note(now, chunks, partial, Receiver.Assembler.Length + leftBytes);
        var held = (partial ? HeldBy(leftBytes) : 0) + Receiver.Assembler.HeldBytes;
        if (held != _receiveHeld)
        {
            AddHeldBytes(held - _receiveHeld);
            _receiveHeld = held;
        }
    }

    /// <summary>What a transport holds for so many bytes that wait for more (R43).</summary>
    private static long HeldBy(long bytes) => bytes == 0 ? 0 : (long)BitOperations.RoundUpToPowerOf2((ulong)bytes);

    private void EndLate(ChannelCloseReason reason) =>
        End(StatusCodes.BadTimeout, reason, "a deadline passed", "Timeout", wake: true);

    private void EndAbruptly(ChannelCloseReason reason)
    {
        if (SetEnd(StatusCodes.BadConnectionClosed, reason, "the peer does not take what is sent"))
            WakeLoop(abort: true);
    }

    private void Finish()
    {
        SetEnd(StatusCodes.BadConnectionClosed, ChannelCloseReason.ConnectionLost, "");
        var end = _end!;
        var wasOpen = Channel is not null;
        Volatile.Write(ref _closedSince, Context.Time.GetTimestamp());
        _phase = ConnectionPhase.Closed;
        Sender.End();
        Receiver.End();
        // What was sent last may wait still; the sender's share is zero once it ended.
        AddHeldBytes(-_receiveHeld);
        _receiveHeld = 0;
        if (wasOpen)
        {
            Context.Counters.ChannelClosed();
            CallClosed(end);
        }

        var isTold = OnFinished(end);
        Context.Counters.ConnectionClosed(end.Reason);
        Context.Log.Closed(
            Transport.RemoteEndPoint, Channel?.EndpointUrl ?? "", Channel?.PeerThumbprint ?? "", end.Reason,
                end.Detail, isTold);
    }

    private void Release()
    {
        if (Transport.ConnectionClosed.CanBeCanceled && !Transport.ConnectionClosed.IsCancellationRequested)
            Transport.ConnectionClosed.UnsafeRegister(
                static self => ((UaTcpConnection)self!).Context.Deadlines.Remove((UaTcpConnection)self), this);
        else
            Context.Deadlines.Remove(this);
    }

    private void CallClosed(ConnectionEnd end)
    {
        try
        {
            Handler.OnClosed(Channel!, end.Status);
        }
        catch (Exception e)
        {
            Context.Log.Bug(Transport.RemoteEndPoint, e);
        }
    }
}
