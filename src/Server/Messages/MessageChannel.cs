using System.Collections.Concurrent;
using System.Net;
using Gateway.Codec.Pooling;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;
using Gateway.Server.Dispatch;
using Gateway.Server.Sessions;
using Gateway.Transport.Conversation;
using Gateway.Transport.Profiles;

namespace Gateway.Server.Messages;

/// <summary>
/// A SecureChannel without a connection: each message has a caller that waits for its response. Messages are handed
/// over one at a time, as on a connection; responses leave in any order. A session that is created here has the channel
/// for itself and keeps it. A call without a session has a channel of its own. Nothing holds a thread. Threads: any.
/// </summary>
#pragma warning disable CA1001 // A SemaphoreSlim whose wait handle is never used holds no resource.
public sealed class MessageChannel : IChannelLink
#pragma warning restore CA1001
{
    private readonly RequestDispatcher _dispatcher;
    private readonly SessionManager _sessions;
    private readonly SemaphoreSlim _gate = new(1, 1);
    private readonly ConcurrentDictionary<uint, MessageAnswer> _waiting = new(concurrencyLevel: 1, capacity: 3);
    private int _calls;
    private uint _lastId;
    private uint _handedOver;
    private IUnfinishedRequest? _unfinished;
    private volatile bool _hasEnded;
    private volatile bool _isLeft;

    internal MessageChannel(
        RequestDispatcher dispatcher, SessionManager sessions, Caller user, EndPoint? remote, string url)
    {
        (_dispatcher, _sessions) = (dispatcher, sessions);
        User = user;
        // The policy is None: the transport protects the messages, and the mode says how.
        var channel = new SecureChannel(this)
        {
            Profile = user.IsEncrypted ? TransportProfiles.HttpsJson : TransportProfiles.HttpJson,
            SecurityMode = user.IsEncrypted ? MessageSecurityMode.SignAndEncrypt : MessageSecurityMode.None,
            RemoteEndPoint = remote,
            EndpointUrl = url,
        };
        State = new ChannelState(channel, isOffered: true)
        {
            User = user,
            Link = this,
            IsIdle = () => Volatile.Read(ref _calls) == 0,
        };
        channel.Owner = State;
    }

    /// <summary>The user that the transport has checked.</summary>
    public Caller User { get; }

    /// <summary>False: the only waiting caller has gone.</summary>
    public bool IsOpen => !_isLeft;

    /// <summary>That of the buffers, which is the server's for every message.</summary>
    public int MaxResponseSizeBytes => 0;

    internal ChannelState State { get; }

    /// <summary>The answer, now or when it is there. Errors: OperationCanceledException, then nothing that was waited
    /// for goes on and no notification is lost with a held Publish.</summary>
    /// <param name="message">TypeId and request; to be left alone until this returns.</param>
    /// <param name="cancellationToken">The client no longer waits.</param>
    public Task<MessageAnswer> CallAsync(ReadOnlyMemory<byte> message, CancellationToken cancellationToken) =>
        CallAsync(new MessageCall(message, null, null), cancellationToken);

    /// <summary>The same for a message that is not needed once it was handed over: its buffer is disposed then, maybe
    /// long before the answer.</summary>
    /// <param name="message">TypeId and request.</param>
    /// <param name="hold">Told the bytes that the request still holds, on any thread: those of its buffer first.
    /// </param>
    /// <param name="cancellationToken">The client no longer waits.</param>
    public Task<MessageAnswer> CallAsync(
        PooledBuffer message, Action<long> hold, CancellationToken cancellationToken)
    {
        hold(message.CapacityBytes);
        return CallAsync(new MessageCall(default, message, hold), cancellationToken);
    }

    private async Task<MessageAnswer> CallAsync(MessageCall message, CancellationToken cancellationToken)
    {
        if (Interlocked.Increment(ref _calls) == 1)
            _sessions.OnTraffic(State);
        try
        {
            return await AnswerAsync(message, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (Interlocked.Decrement(ref _calls) == 0)
                _sessions.OnTraffic(State);
        }
    }

    private async Task<MessageAnswer> AnswerAsync(MessageCall message, CancellationToken cancellationToken)
    {
        await _gate.WaitAsync(cancellationToken).ConfigureAwait(false);
        var (id, answer) = (++_lastId, new MessageAnswer());
        var unfinished = HandOver(id, answer, message);
        try
        {
            await answer.Done.WaitAsync(cancellationToken).ConfigureAwait(false);
            return answer;
        }
        catch (OperationCanceledException)
        {
            unfinished?.Leave();
            _isLeft |= State.Sessionless is not null;
            if (!_waiting.TryRemove(id, out _))
                await answer.Done.ConfigureAwait(false);
            State.Forget(id);
            answer.Dispose();
            throw;
        }
    }

    StatusCode IChannelLink.Send(PooledBuffer message, uint requestId)
    {
        if (!_waiting.TryRemove(requestId, out var answer))
            return StatusCode.Good;
        try
        {
            answer.Take(message.WrittenSpan);
        }
#pragma warning disable CA1031 // There is no memory for the copy (R40); the caller would wait for ever (R37).
        catch (Exception)
#pragma warning restore CA1031
        {
            answer.Fail(StatusCodes.BadOutOfMemory);
        }

        return StatusCode.Good;
    }

    StatusCode IChannelLink.SendAbort(uint requestId, StatusCode error, string reason)
    {
        Fail(requestId, error);
        return StatusCode.Good;
    }

    void IChannelLink.Flush()
    {
    }

    void IChannelLink.WaitFor(IUnfinishedRequest request) => _unfinished = request;

    void IChannelLink.Abort(StatusCode reason, string detail) => End();

    void IChannelLink.Close() => End();

    /// <summary>When its session has ended or moved to another channel, requests held here get no response any more.
    /// The request that ends the session still gets one.</summary>
    void IChannelLink.SetActiveSession(bool active)
    {
        if (!active)
            End();
    }

    private void End()
    {
        _hasEnded = true;
        Interlocked.MemoryBarrier();
        var handedOver = Volatile.Read(ref _handedOver);
        foreach (var (id, _) in _waiting)
        {
            if (id != handedOver)
                Fail(id, StatusCodes.BadSessionClosed);
        }
    }

    private void Fail(uint id, StatusCode status)
    {
        if (_waiting.TryRemove(id, out var answer))
            answer.Fail(status);
    }

    /// <summary>With the gate, which is left when the next message may come.</summary>
    private IUnfinishedRequest? HandOver(uint id, MessageAnswer answer, in MessageCall message)
    {
        _waiting[id] = answer;
        Volatile.Write(ref _handedOver, id);
        _unfinished = null;
        try
        {
            _dispatcher.Dispatch(State, id, message.Span);
        }
        catch
        {
            _waiting.TryRemove(id, out _);
            _gate.Release();
            throw;
        }

        var unfinished = _unfinished;
        message.Forget(unfinished?.HeldBytes ?? 0);
        if (unfinished is null)
            HandedOver(id);
        else
            _ = WaitAsync(id, unfinished, message.Hold);
        return unfinished;
    }

    private async Task WaitAsync(uint id, IUnfinishedRequest request, Action<long>? hold)
    {
        await request.Done.ConfigureAwait(false);
        hold?.Invoke(0);
        HandedOver(id);
    }

    /// <summary>The session may have ended during the handover; then no one answers a request that it holds, so it
    /// fails here.</summary>
    private void HandedOver(uint id)
    {
        Volatile.Write(ref _handedOver, 0);
        Interlocked.MemoryBarrier();
        if (_hasEnded)
            Fail(id, StatusCodes.BadSessionClosed);
        _gate.Release();
    }
}
