using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>How a connection ends. Any thread may set an end; the first one wins and is the one counted. The loop's
/// thread then finishes.</summary>
internal sealed class ConnectionEnding(UaTcpConnection connection)
{
    private ConnectionEnd? _first;
    private volatile bool _isAnswered;

    public bool IsSet => Volatile.Read(ref _first) is not null;

    /// <summary>The peer gets an ERR.</summary>
    public bool IsAnswered => _isAnswered;

    /// <summary>Sets the end and does nothing else. False: another end was first.</summary>
    public bool TrySet(StatusCode status, ChannelCloseReason reason, string detail) =>
        Interlocked.CompareExchange(ref _first, new ConnectionEnd(status, reason, detail), null) is null;

    /// <param name="status">For the handler and the peer.</param>
    /// <param name="reason">Counted.</param>
    /// <param name="detail">Logged.</param>
    /// <param name="answer">The reason in the ERR; null: no ERR.</param>
    /// <param name="wake">False on the loop's own thread.</param>
    public void End(StatusCode status, ChannelCloseReason reason, string detail, string? answer, bool wake)
    {
        if (TrySet(status, reason, detail))
            Answer(status, answer, wake);
    }

    /// <summary>By the caller whose end was set: the last bytes, and the loop goes on to finish.</summary>
    public void Answer(StatusCode status, string? answer, bool wake)
    {
        using var last = new PooledBuffer();
        connection.Sender.Close(answer is null ? [] : new ErrorMessage(status, answer).Frame(last));
        _isAnswered = answer is not null;
        if (wake)
            WakeLoop(abort: false);
    }

    public void EndLate(ChannelCloseReason reason) =>
        End(StatusCodes.BadTimeout, reason, "a deadline passed", "Timeout", wake: true);

    /// <summary>Without an answer: the peer takes nothing.</summary>
    public void EndAbruptly(ChannelCloseReason reason)
    {
        if (TrySet(StatusCodes.BadConnectionClosed, reason, "the peer does not take what is sent"))
            WakeLoop(abort: true);
    }

    /// <summary>Not on the caller's thread, which may hold locks: a read that is cancelled continues inline.</summary>
    public void WakeLoop(bool abort) => ThreadPool.UnsafeQueueUserWorkItem(
        static state =>
        {
            var transport = state.connection.Transport;
            if (state.abort)
                transport.Abort();
            transport.Transport.Input.CancelPendingRead();
            state.connection.OnWoken();
        },
        (connection, abort),
        preferLocal: false);

    /// <summary>After a wait of the loop: the stack drains what was sent last. A peer that does not take it is cut off.
    /// </summary>
    public void CheckClosed(TimeSpan closedFor, TransportLimits limits)
    {
        if (closedFor > limits.WriteDeadline)
            WakeLoop(abort: true);
        else if (_isAnswered && closedFor > limits.LingerTime)
            WakeLoop(abort: false);
    }

    /// <summary>The loop is over: frees what the connection holds, tells the handler and the role, counts and logs.
    /// </summary>
    public void Finish(IConnectionRole role)
    {
        TrySet(StatusCodes.BadConnectionClosed, ChannelCloseReason.ConnectionLost, "");
        var end = _first!;
        var context = connection.Context;
        var channel = connection.Channel;
        connection.Deadlines.Enter(ConnectionPhase.Closed);
        connection.Sender.End();
        connection.Intake.End();
        if (channel is not null)
        {
            context.Counters.ChannelClosed();
            CallClosed(channel, end);
        }

        var isTold = role.OnFinished(end);
        context.Counters.ConnectionClosed(end.Reason);
        context.Log.Closed(
            connection.Transport.RemoteEndPoint, channel?.EndpointUrl ?? "", channel?.PeerThumbprint ?? "", end.Reason,
            end.Detail, isTold);
    }

    private void CallClosed(SecureChannel channel, ConnectionEnd end)
    {
        try
        {
            connection.Handler.OnClosed(channel, end.Status);
        }
        catch (Exception e)
        {
            connection.Context.Log.Bug(connection.Transport.RemoteEndPoint, e);
        }
    }
}
