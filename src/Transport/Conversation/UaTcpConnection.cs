using System.Buffers;
using System.IO.Pipelines;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Conversation;

/// <summary>
/// The loop of one connection: read, take in, one flush at the end of the burst; all on the thread that the bytes
/// arrived on. Only an OPN leaves that thread, for the private-key lane, and the loop waits for it. Bytes become
/// messages in <see cref="ChunkIntake"/>; <see cref="IConnectionRole"/> decides what differs between server and client.
/// State belongs to the loop; any thread may end the connection.
/// </summary>
internal sealed class UaTcpConnection : IDeadlineHolder, IMemoryHolder, ISenderOwner, IChannelLink
{
    private readonly IConnectionRole _role;
    private long _held;

    /// <param name="context">The parts that all connections share.</param>
    /// <param name="transport">Connected.</param>
    /// <param name="role">Not called before <see cref="RunAsync"/>.</param>
    /// <param name="handler">Of the channel.</param>
    /// <param name="tooLarge">The answer to a message that the peer cannot take.</param>
    public UaTcpConnection(
        TransportContext context, ConnectionContext transport, IConnectionRole role, IChannelHandler handler,
        StatusCode tooLarge)
    {
        (Context, Transport, Handler, _role) = (context, transport, handler, role);
        Sender = ChannelSender.Create(transport.Transport.Output, context, this, tooLarge);
        Receiver = new ChannelReceiver(context);
        Deadlines = new ConnectionDeadlines(context.Limits, context.Time);
        Ending = new ConnectionEnding(this);
        Intake = new ChunkIntake(this, role);
    }

    public DeadlineSlot Slot { get; set; }

    public long HeldBytes => Volatile.Read(ref _held);

    public bool IsEnding => Ending.IsSet;

    public bool IsOpen => Deadlines.Phase == ConnectionPhase.Open && !Ending.IsSet;

    public int MaxResponseSizeBytes => Math.Min(Sender.MaxMessageBytes, Context.Limits.MaxMessageSizeBytes);

    public TransportContext Context { get; }

    public ConnectionContext Transport { get; }

    public IChannelHandler Handler { get; }

    public ChannelSender Sender { get; }

    public ChannelReceiver Receiver { get; }

    public ChunkIntake Intake { get; }

    public ConnectionDeadlines Deadlines { get; }

    public ConnectionEnding Ending { get; }

    /// <summary>Set by the role with the first OPN; null until then.</summary>
    public SecureChannel? Channel { get; set; }

    public async Task RunAsync()
    {
        Context.Counters.ConnectionOpened();
        Context.Deadlines.Add(this);
        try
        {
            await _role.StartAsync().ConfigureAwait(false);
            Sender.Flush();
            await ReadLoopAsync().ConfigureAwait(false);
        }
        catch (SecureChannelException e)
        {
            Ending.End(e.Status, e.CloseReason, e.Message, e.Answer ? e.PublicReason : null, wake: false);
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or ObjectDisposedException
            or System.Net.Sockets.SocketException)
        {
            Ending.TrySet(StatusCodes.BadConnectionClosed, ChannelCloseReason.ConnectionLost, e.Message);
        }
        catch (Exception e)
        {
            Context.Log.Bug(Transport.RemoteEndPoint, e);
            Ending.End(
                StatusCodes.BadTcpInternalError, ChannelCloseReason.InternalError, e.Message, "Internal error", false);
        }
        finally
        {
            Ending.Finish(_role);
        }

        if (Ending.IsAnswered)
            await Lingering.DropAsync(Transport.Transport.Input, Context.Limits.MaxLingerBytes).ConfigureAwait(false);
        RemoveDeadlines();
    }

    public StatusCode Send(PooledBuffer message, uint requestId) => Sender.Send(message, requestId);

    public StatusCode SendAbort(uint requestId, StatusCode error, string reason) =>
        Sender.SendAbort(requestId, error, reason);

    public void Flush() => Sender.Flush();

    public void WaitFor(IUnfinishedRequest request) => Intake.Unfinished = request;

    public PooledBuffer? TakeMessage() => Receiver.Assembler.Take();

    public void Abort(StatusCode reason, string detail) =>
        Ending.End(reason, ChannelCloseReason.LocalClosed, detail, "Closed", wake: true);

    public void Close() => _role.Close();

    public void SetActiveSession(bool active) => _role.SetActiveSession(active);

    public void ReleaseForBudget() => Ending.EndAbruptly(ChannelCloseReason.MemoryBudget);

    public void OnSendFailed(ChannelCloseReason reason) => Ending.EndAbruptly(reason);

    public void AddHeldBytes(long delta)
    {
        var now = Interlocked.Add(ref _held, delta);
        Context.Budget.Change(this, now - delta, now);
    }

    public void CheckDeadlines(long now)
    {
        if (Deadlines.Phase == ConnectionPhase.Closed)
        {
            Ending.CheckClosed(Deadlines.TimeInPhase(now), Context.Limits);
            return;
        }

        var passed = Deadlines.Passed(now, Sender.StalledSince, _role.MessageLimits);
        if (passed is null && Deadlines.Phase == ConnectionPhase.Open && Receiver.Tokens.IsExpired(now))
            passed = ChannelCloseReason.TokenExpired;
        passed ??= _role.CheckDeadlines(now);
        if (passed == ChannelCloseReason.WriteDeadline)
            Ending.EndAbruptly(ChannelCloseReason.WriteDeadline);
        else if (passed is { } late)
            Ending.EndLate(late);
    }

    /// <summary>An end was set from outside the loop; the read that waited goes on already.</summary>
    public void OnWoken()
    {
        Intake.Unfinished?.Leave();
        _role.OnWoken();
    }

    /// <summary>One state machine for the connection's life: a nested one that waits would cost an allocation a read.
    /// </summary>
    private async Task ReadLoopAsync()
    {
        var input = Transport.Transport.Input;
        var onLane = false;
        while (true)
        {
            // The lane does not process the bytes that are buffered behind an OPN.
            if (onLane && input.TryRead(out var buffered))
            {
                input.AdvanceTo(buffered.Buffer.Start);
                if (IsEnding)
                    return;
                await Task.Yield();
            }

            onLane = false;
            var reading = input.ReadAsync();
            var waits = !reading.IsCompleted;
            var result = await reading.ConfigureAwait(false);
            if (!waits && Intake.IsTurnOver)
            {
                // To the end of the pool's queue: a connection that floods waits behind the others.
                Context.Counters.TurnCut();
                await Task.Yield();
            }

            if (waits || Intake.IsTurnOver)
                Intake.BeginTurn();
            var turn = Take(input, result.Buffer);
            Sender.Flush();
            if (IsEnding)
                return;
            if (Intake.Unfinished is { } request)
            {
                await new HeldRequest(this, _role, request).AwaitAsync().ConfigureAwait(false);
                Intake.Unfinished = null;
            }
            else if (Intake.TakeOpen() is { } open)
            {
                var opening = _role.OpenAsync(open);
                onLane = !opening.IsCompleted;
                await opening.ConfigureAwait(false);
                Sender.Flush();
            }
            else if (!turn.HasMore && result.IsCompleted)
            {
                EndClosed(turn);
            }

            if (IsEnding)
                return;
        }
    }

    private Turn Take(PipeReader input, in ReadOnlySequence<byte> buffer)
    {
        var turn = new Turn(buffer.End, buffer.End, HasMore: false, HasPartial: false);
        try
        {
            if (!IsEnding)
                turn = Intake.Take(buffer);
        }
        finally
        {
            input.AdvanceTo(turn.Consumed, turn.Examined);
        }

        return turn;
    }

    /// <summary>The peer sends no more. Errors: SecureChannelException if it stopped inside a message.</summary>
    private void EndClosed(in Turn last)
    {
        if (last.HasPartial || Receiver.Assembler.IsStarted)
            ConversationFault.Truncated();
        Ending.TrySet(
            StatusCodes.BadConnectionClosed, ChannelCloseReason.PeerClosed, "the peer closed the connection");
    }

    /// <summary>The deadline for the last bytes holds until the transport has closed.</summary>
    private void RemoveDeadlines()
    {
        if (Transport.ConnectionClosed.CanBeCanceled && !Transport.ConnectionClosed.IsCancellationRequested)
            Transport.ConnectionClosed.UnsafeRegister(
                static self => ((UaTcpConnection)self!).Context.Deadlines.Remove((UaTcpConnection)self), this);
        else
            Context.Deadlines.Remove(this);
    }
}
