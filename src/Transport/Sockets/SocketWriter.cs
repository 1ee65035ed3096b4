using System.Diagnostics.CodeAnalysis;
using System.IO.Pipelines;
using System.Net;
using System.Runtime.InteropServices;
using System.Threading.Tasks.Sources;
using Gateway.Transport.Conversation;

namespace Gateway.Transport.Sockets;

/// <summary>
/// The outgoing half of a <see cref="SocketLink"/>: a flush is one send on the thread that asks for it. Bytes that the
/// kernel does not take wait here, and the flush with them, until the event loop's thread has sent them. Owner: the
/// connection's sender, one write or flush at a time. The lock is around each system call, so that the descriptor
/// cannot be closed, and given to another connection, under a send.
/// </summary>
internal sealed unsafe class SocketWriter(SocketLink link, Func<int, byte[]> rent)
    : PipeWriter, IEagerWriter, IValueTaskSource<FlushResult>
{
    private const int FirstBytes = 2048;

    private const int EagerBytes = 32 * 1024;

    /// <summary>As much is copied to be sent in one call; more stays where it is, and the next bytes go behind it.
    /// </summary>
    private const int MostCopiedBytes = 32 * 1024;

    private readonly Lock _lock = new();
    private ManualResetValueTaskSourceCore<FlushResult> _source;
    private byte[]? _buffer;
    private Queue<ArraySegment<byte>>? _full;
    private int _sent;
    private int _end;
    private int _sentOfFull;
    private long _heldBytes;
    private volatile bool _isPending;
    private bool _isBroken;
    private TaskCompletionSource? _drained;

    public long HeldBytes => Volatile.Read(ref _heldBytes);

    public override void Advance(int bytes) => _end += bytes;

    public override Memory<byte> GetMemory(int sizeHint = 0)
    {
        Ensure(Math.Max(1, sizeHint));
        return _buffer.AsMemory(_end);
    }

    public override Span<byte> GetSpan(int sizeHint = 0)
    {
        Ensure(Math.Max(1, sizeHint));
        return _buffer.AsSpan(_end);
    }

    /// <summary>Complete when the kernel has everything; IsCompleted when the connection is broken.</summary>
    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        lock (_lock)
        {
            if (!TrySendUnderLock())
            {
                _source.Reset();
                _isPending = true;
                Interlocked.MemoryBarrier();
                // Room that came before the flag was set woke no writer.
                if (!TrySendUnderLock())
                    return new ValueTask<FlushResult>(this, _source.Version);
                _isPending = false;
            }

            return new ValueTask<FlushResult>(new FlushResult(isCanceled: false, _isBroken));
        }
    }

    public void SendSome()
    {
        if (_end - _sent < EagerBytes && _full is not { Count: > 0 })
            return;
        lock (_lock)
            TrySendUnderLock();
    }

    public override void CancelPendingFlush()
    {
    }

    public override void Complete(Exception? exception = null)
    {
    }

    /// <summary>On the event loop's thread: there may be room, or the connection is gone.</summary>
    public void OnWritable()
    {
        if (!_isPending)
            return;
        FlushResult result;
        lock (_lock)
        {
            if (!_isPending || !TrySendUnderLock())
                return;
            _isPending = false;
            _drained?.TrySetResult();
            result = new FlushResult(isCanceled: false, _isBroken);
        }

        _source.SetResult(result);
    }

    /// <summary>Nothing is sent any more. A flush that waits ends with the event that this causes.</summary>
    public void Break()
    {
        lock (_lock)
        {
            _isBroken = true;
            link.ShutDownUnderLock();
        }
    }

    /// <summary>When nothing waits any more.</summary>
    public Task DrainAsync()
    {
        lock (_lock)
        {
            if (!_isPending)
                return Task.CompletedTask;
            _drained = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
            return _drained.Task;
        }
    }

    /// <summary>Ends the descriptor, and with it every way to use it.</summary>
    public void CloseDescriptor()
    {
        lock (_lock)
        {
            _isBroken = true;
            link.CloseUnderLock();
            ReleaseUnderLock();
        }
    }

    /// <summary>Null once the descriptor is closed.</summary>
    public EndPoint? LocalEndPoint()
    {
        lock (_lock)
            return link.LocalUnderLock();
    }

    FlushResult IValueTaskSource<FlushResult>.GetResult(short token) => _source.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<FlushResult>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<FlushResult>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    /// <summary>False: the kernel is full.</summary>
    private bool TrySendUnderLock()
    {
        while (_full is not null && _full.TryPeek(out var oldest))
        {
            if (!TrySendUnderLock(oldest.Array!, ref _sentOfFull, oldest.Offset + oldest.Count))
                return false;
            _full.Dequeue();
            GiveBack(oldest.Array!);
            _sentOfFull = _full.TryPeek(out var next) ? next.Offset : 0;
        }

        if (_buffer is not null && !TrySendUnderLock(_buffer, ref _sent, _end))
            return false;
        ReleaseUnderLock();
        return true;
    }

    /// <summary>False: the kernel is full. True also where the connection is broken.</summary>
    private bool TrySendUnderLock(byte[] buffer, ref int sent, int end)
    {
        while (!_isBroken && sent < end)
        {
            nint count;
            fixed (byte* bytes = &buffer[sent])
                count = Libc.Send(link.Descriptor, bytes, (nuint)(end - sent), Libc.NoSignal | Libc.DontWait);
            if (count >= 0)
            {
                sent += (int)count;
                continue;
            }

            var error = Marshal.GetLastPInvokeError();
            if (error == Libc.Again)
                return false;
            if (error != Libc.Interrupted)
                _isBroken = true;
        }

        return true;
    }

    private void ReleaseUnderLock()
    {
        while (_full is not null && _full.TryDequeue(out var oldest))
            GiveBack(oldest.Array!);
        if (_buffer is not null)
            GiveBack(_buffer);
        _buffer = null;
        (_sent, _end, _sentOfFull) = (0, 0, 0);
    }

    [MemberNotNull(nameof(_buffer))]
    private void Ensure(int bytes)
    {
        if (_buffer is null)
        {
            _buffer = Take(Math.Max(FirstBytes, bytes));
            return;
        }

        if (_buffer.Length - _end >= bytes)
            return;
        var left = _end - _sent;
        if (left > MostCopiedBytes)
        {
            SetAside();
            _buffer = Take(Math.Max(EagerBytes, bytes));
            return;
        }

        var grown = Take(Math.Max(2 * left, left + bytes));
        _buffer.AsSpan(_sent, left).CopyTo(grown);
        GiveBack(_buffer);
        _buffer = grown;
        (_sent, _end) = (0, left);
    }

    /// <summary>The buffer is full. It is no longer ours to write to: the next one may be refused (R40).</summary>
    private void SetAside()
    {
        _full ??= new Queue<ArraySegment<byte>>();
        if (_full.Count == 0)
            _sentOfFull = _sent;
        _full.Enqueue(new ArraySegment<byte>(_buffer!, _sent, _end - _sent));
        _buffer = null;
        (_sent, _end) = (0, 0);
    }

    private byte[] Take(int bytes)
    {
        var buffer = rent(bytes);
        _heldBytes += buffer.Length;
        return buffer;
    }

    private void GiveBack(byte[] buffer)
    {
        _heldBytes -= buffer.Length;
        SocketBuffers.Return(buffer);
    }
}
