using System.Buffers;
using System.IO.Pipelines;
using System.Runtime.InteropServices;
using System.Threading.Tasks.Sources;
using Microsoft.AspNetCore.Connections;

namespace Gateway.Transport.Sockets;

/// <summary>
/// The incoming half of a <see cref="SocketLink"/>: reads when it is asked for bytes and the kernel has some, straight
/// into a pooled buffer; bytes that the caller leaves precede the next bytes, in one piece. Owner: the connection's
/// read loop; the event loop's thread takes its part over while a read waits, and the thread that takes the wait away
/// completes it.
/// </summary>
internal sealed unsafe class SocketReader(SocketLink link) : PipeReader, IValueTaskSource<ReadResult>
{
    private const int LeastRoom = 32 * 1024;
    private const int SmallBytes = 4096;

    private ManualResetValueTaskSourceCore<ReadResult> _source;
    private byte[]? _buffer;
    private int _start;
    private int _end;
    private bool _isExamined = true;
    private bool _isEnded;
    private int _waiting;
    private volatile bool _readable;
    private volatile bool _hungUp;
    private volatile bool _cancelled;

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        if (TryRead(out var buffered))
            return new ValueTask<ReadResult>(buffered);
        _source.Reset();
        return TryReceive(out var received)
            ? new ValueTask<ReadResult>(received)
            : new ValueTask<ReadResult>(this, _source.Version);
    }

    /// <summary>Returns buffered bytes; reads none from the socket.</summary>
    public override bool TryRead(out ReadResult result)
    {
        var cancelled = _cancelled;
        result = default;
        if (_isExamined && !_isEnded && !cancelled)
            return false;
        _cancelled = false;
        result = Result(cancelled);
        return true;
    }

    public override void AdvanceTo(SequencePosition consumed) => AdvanceTo(consumed, consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        if (_buffer is null)
            return;
        _start = consumed.GetInteger();
        _isExamined = examined.GetInteger() == _end;
        if (_start < _end)
            return;
        SocketBuffers.Return(_buffer);
        _buffer = null;
        (_start, _end, _isExamined) = (0, 0, true);
    }

    /// <summary>From any thread; a waiting read continues there.</summary>
    public override void CancelPendingRead()
    {
        _cancelled = true;
        if (Interlocked.Exchange(ref _waiting, 0) == 0)
            return;
        _cancelled = false;
        _source.SetResult(Result(isCanceled: true));
    }

    public override void Complete(Exception? exception = null)
    {
    }

    /// <summary>On the event loop's thread.</summary>
    public void OnReadable(bool hungUp)
    {
        if (hungUp)
            _hungUp = true;
        _readable = true;
        if (Interlocked.Exchange(ref _waiting, 0) == 0)
            return;
        // An error comes out of it only while the wait is ours, so that it is ours to complete.
        ReadResult result;
        try
        {
            if (!TryReceive(out result))
                return;
        }
        catch (ConnectionResetException error)
        {
            _source.SetException(error);
            return;
        }
#pragma warning disable CA1031 // No buffer, or our own bug: the connection ends, or its read would wait for ever (R37).
        catch (Exception error)
#pragma warning restore CA1031
        {
            link.OnFault(error);
            _source.SetException(new ConnectionResetException("receiving failed by a fault of ours", error));
            return;
        }

        _source.SetResult(result);
    }

    /// <summary>The connection is over and no read comes any more.</summary>
    public void Release()
    {
        _isEnded = true;
        if (_buffer is not null)
            SocketBuffers.Return(_buffer);
        _buffer = null;
        (_start, _end) = (0, 0);
    }

    ReadResult IValueTaskSource<ReadResult>.GetResult(short token) => _source.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource<ReadResult>.GetStatus(short token) => _source.GetStatus(token);

    void IValueTaskSource<ReadResult>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _source.OnCompleted(continuation, state, token, flags);

    /// <summary>False: a read waits from now on, and the thread that took <see cref="_waiting"/> away completes it. The
    /// flag of the event loop is checked again once the wait is set, so that no event is lost between the
    /// two.</summary>
    private bool TryReceive(out ReadResult result)
    {
        result = default;
        while (true)
        {
            if (_cancelled)
            {
                _cancelled = false;
                result = Result(isCanceled: true);
                return true;
            }

            if (_readable && Receive())
            {
                result = Result(isCanceled: false);
                return true;
            }

            Shrink();
            Interlocked.Exchange(ref _waiting, 1);
            if (!_readable && !_cancelled)
                return false;
            if (Interlocked.Exchange(ref _waiting, 0) == 0)
                return false;
        }
    }

    /// <summary>False when there was nothing. Less than there was room for means that there is no more, until the next
    /// event; after a hang-up there is none, so the end is read at once.</summary>
    private bool Receive()
    {
        _readable = false;
        MakeRoom();
        var room = _buffer!.Length - _end;
        while (true)
        {
            nint count;
            fixed (byte* free = &_buffer[_end])
                count = Libc.Receive(link.Descriptor, free, (nuint)room, Libc.DontWait);
            if (count > 0)
            {
                _end += (int)count;
                _isExamined = false;
                if (count == room || _hungUp)
                    _readable = true;
                return true;
            }

            if (count == 0)
            {
                _isEnded = true;
                return true;
            }

            var error = Marshal.GetLastPInvokeError();
            if (error == Libc.Again)
                return false;
            if (error != Libc.Interrupted)
                throw new ConnectionResetException($"the socket failed with {error}");
        }
    }

    private ReadResult Result(bool isCanceled) => new(
        _buffer is null ? default : new ReadOnlySequence<byte>(_buffer, _start, _end - _start), isCanceled, _isEnded);

    /// <summary>The present buffer where it has room for more; else a larger one, with the remaining bytes in
    /// front.</summary>
    private void MakeRoom()
    {
        if (_buffer is not null && _buffer.Length - _end >= LeastRoom)
            return;
        var left = _end - _start;
        Move(SocketBuffers.Rent(Math.Max(SocketBuffers.ReceiveBytes, 2 * left)), left);
    }

    /// <summary>Bytes that wait for more keep no more memory than they need.</summary>
    private void Shrink()
    {
        var left = _end - _start;
        if (_buffer is not null && _buffer.Length > Math.Max(SmallBytes, 2 * left))
            Move(left == 0 ? null : SocketBuffers.Rent(left), left);
    }

    private void Move(byte[]? target, int left)
    {
        if (_buffer is not null)
        {
            _buffer.AsSpan(_start, left).CopyTo(target);
            SocketBuffers.Return(_buffer);
        }

        _buffer = target;
        (_start, _end) = (0, left);
    }
}
