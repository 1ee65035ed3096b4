using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.CompilerServices;
using Gateway.Codec.Pooling;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>
/// Sealed bytes on their way into the connection's pipe. While a flush is under way the pipe must not be touched: later
/// messages wait in a bounded backlog (R10) and follow when the flush is done. The lock is also the sender's; a flush
/// runs outside it. A peer that takes nothing shows in <see cref="StalledSince"/>.
/// </summary>
internal sealed class OutputQueue
{
    private readonly PipeWriter _pipe;
    private readonly IEagerWriter? _eager;
    private readonly TransportContext _context;
    private readonly ISenderOwner _owner;
    private readonly Action _continueFlush;
    private ValueTaskAwaiter<FlushResult> _pendingFlush;
    private ByteChain? _backlog;
    private long _stalledSince;
    private long _held;
    private int _unflushedBytes;
    private int _flushingBytes;
    private int _messages;
    private bool _flushing;
    private bool _ended;

    public OutputQueue(PipeWriter pipe, TransportContext context, ISenderOwner owner)
    {
        _pipe = pipe;
        _eager = pipe as IEagerWriter;
        _context = context;
        _owner = owner;
        _continueFlush = ContinueFlush;
    }

    /// <summary>The sender takes it, too.</summary>
    public Lock Lock { get; } = new();

    /// <summary>Timestamp since when the peer has left output untaken; 0 when it has not.</summary>
    public long StalledSince => Volatile.Read(ref _stalledSince);

    public void WriteUnderLock(ReadOnlySpan<byte> bytes)
    {
        if (_ended)
            return;
        if (!_flushing)
        {
            _pipe.Write(bytes);
            _unflushedBytes += bytes.Length;
            return;
        }

        _backlog ??= new ByteChain();
        if (_backlog.Length + _flushingBytes + bytes.Length > _context.Limits.MaxSendQueueBytes)
        {
            FailUnderLock(ChannelCloseReason.SendQueueFull);
            return;
        }

        _backlog.Write(bytes);
        if (_stalledSince != 0)
            HoldUnderLock();
    }

    /// <summary>Nothing more leaves.</summary>
    public void FailUnderLock(ChannelCloseReason reason)
    {
        if (_ended)
            return;
        _ended = true;
        _owner.OnSendFailed(reason);
    }

    /// <summary>Room in the pipe to write in place; <see cref="CommitUnderLock"/> commits it. False while a flush is
    /// under way: <see cref="WriteUnderLock"/> then.</summary>
    public bool TryReserveUnderLock(int bytes, out Span<byte> reserved)
    {
        var free = !_flushing && !_ended;
        reserved = free ? _pipe.GetSpan(bytes) : default;
        return free;
    }

    public void CommitUnderLock(int bytes)
    {
        _pipe.Advance(bytes);
        _unflushedBytes += bytes;
    }

    /// <summary>A message of many chunks need not be gathered whole where this is true.</summary>
    public bool IsEager => _eager is not null;

    /// <summary>Between a message's chunks: the peer opens the first while the next is sealed.</summary>
    public void SendSomeUnderLock()
    {
        if (!_flushing && !_ended)
            _eager?.SendSome();
    }

    /// <returns>True when so much waits that a flush should not wait for the burst's end.</returns>
    public bool MessageWrittenUnderLock()
    {
        _messages++;
        return _unflushedBytes >= _context.Limits.SendBatchBytes;
    }

    public void Flush()
    {
        lock (Lock)
        {
            if (!TryBeginFlushUnderLock())
                return;
        }

        RunFlush();
    }

    public void EndUnderLock()
    {
        _ended = true;
        _backlog?.Dispose();
        _backlog = null;
        _stalledSince = 0;
        HoldUnderLock();
    }

    private bool TryBeginFlushUnderLock()
    {
        if (_flushing || _ended || _unflushedBytes == 0)
            return false;
        _flushing = true;
        _flushingBytes = _unflushedBytes;
        _context.Counters.Sent(_messages, _unflushedBytes);
        _unflushedBytes = 0;
        _messages = 0;
        return true;
    }

    private void RunFlush()
    {
        while (true)
        {
            bool done;
            ValueTaskAwaiter<FlushResult> awaiter;
            try
            {
#pragma warning disable CA2012 // Consumed exactly once: by CompleteFlush, now or as the continuation.
                var flush = _pipe.FlushAsync();
                done = flush.IsCompleted;
                awaiter = flush.GetAwaiter();
#pragma warning restore CA2012
            }
            catch (InvalidOperationException)
            {
                // The pipe was completed by the connection's end meanwhile: nothing is under way any more.
                CompleteFlush(isBroken: true);
                return;
            }

            if (!done)
            {
                Stall(awaiter);
                return;
            }

            if (!CompleteFlush(awaiter))
                return;
        }
    }

    private void Stall(ValueTaskAwaiter<FlushResult> awaiter)
    {
        lock (Lock)
        {
            _pendingFlush = awaiter;
            _stalledSince = Math.Max(1, _context.Time.GetTimestamp());
            HoldUnderLock();
        }

        awaiter.UnsafeOnCompleted(_continueFlush);
    }

    private void ContinueFlush()
    {
        if (CompleteFlush(_pendingFlush))
            RunFlush();
    }

    /// <returns>True: more came meanwhile, flush again.</returns>
    private bool CompleteFlush(ValueTaskAwaiter<FlushResult> awaiter)
    {
        bool broken;
        try
        {
            broken = awaiter.GetResult().IsCompleted;
        }
        catch (Exception e) when (e is IOException or OperationCanceledException or InvalidOperationException)
        {
            broken = true;
        }

        return CompleteFlush(broken);
    }

    private bool CompleteFlush(bool isBroken)
    {
        lock (Lock)
        {
            _flushing = false;
            _flushingBytes = 0;
            _stalledSince = 0;
            if (isBroken)
                FailUnderLock(ChannelCloseReason.ConnectionLost);

            if (_ended)
            {
                _backlog?.Dispose();
                _backlog = null;
            }
            else if (_backlog is { Length: > 0 } waiting)
            {
                MoveUnderLock(waiting);
                _backlog = null;
            }

            HoldUnderLock();
            return TryBeginFlushUnderLock();
        }
    }

    private void MoveUnderLock(ByteChain waiting)
    {
        _unflushedBytes += waiting.Length;
        for (; waiting.Length > 0; waiting.DropFirst())
            _pipe.Write(waiting.First);
    }

    /// <summary>Whole arrays count, not only their content (R43).</summary>
    private void HoldUnderLock()
    {
        var held = _stalledSince == 0 ? 0 : (_eager?.HeldBytes ?? _flushingBytes) + (_backlog?.CapacityBytes ?? 0);
        if (held == _held)
            return;
        _owner.AddHeldBytes(held - _held);
        _held = held;
    }
}
