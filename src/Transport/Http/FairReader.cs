using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Gateway.Transport.Http;

/// <summary>
/// The bytes of one HTTP connection. The sockets' own thread serves what it reads, which costs no change of threads. A
/// peer that sends without a pause would keep that thread for itself, and nobody would be accepted: it is served by the
/// pool, in turns with all others there. Owner: Kestrel, one reader at a time.
/// </summary>
/// <param name="inner">Of the socket.</param>
/// <param name="milliseconds">The clock. A coarse one will do, and has to: where reading the time is dear, four times a
/// request is a tenth of its cost.</param>
internal sealed class FairReader(PipeReader inner, Func<long> milliseconds) : PipeReader
{
    private const long Nothing = -1;

    /// <summary>In such a time a peer shows whether it pauses.</summary>
    private const long WindowMs = 16;

    private long _since = milliseconds();
    private long _askedAt = Nothing;
    private long _waited;
    private bool _isBusy;

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        var now = milliseconds();
        if (now - _since >= WindowMs)
        {
            // Less than half of the time was for its bytes to come: the rest was work for it.
            _isBusy = _waited < (now - _since) / 2;
            (_since, _waited) = (now, 0);
        }

        _askedAt = now;
        var read = inner.ReadAsync(cancellationToken);
        return _isBusy ? InTurnAsync(read) : read;
    }

    public override bool TryRead(out ReadResult result)
    {
        if (!_isBusy)
            return inner.TryRead(out result);
        // It waits for its turn: the caller asks again by ReadAsync.
        result = default;
        return false;
    }

    public override void AdvanceTo(SequencePosition consumed)
    {
        Came();
        inner.AdvanceTo(consumed);
    }

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined)
    {
        Came();
        inner.AdvanceTo(consumed, examined);
    }

    public override void CancelPendingRead() => inner.CancelPendingRead();

    public override void Complete(Exception? exception = null) => inner.Complete(exception);

    public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);

    /// <summary>The bytes that were asked for are there. Kestrel says so as soon as it has looked at them.</summary>
    private void Came()
    {
        if (_askedAt == Nothing)
            return;
        _waited += milliseconds() - _askedAt;
        _askedAt = Nothing;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<ReadResult> InTurnAsync(ValueTask<ReadResult> read)
    {
        var result = await read.ConfigureAwait(false);
        Came();
        await default(PoolTurn);
        return result;
    }

    /// <summary>The end of the pool's common queue. <see cref="Task.Yield"/> would be the next of its own thread.
    /// </summary>
    private readonly struct PoolTurn : ICriticalNotifyCompletion
    {
        public bool IsCompleted => false;

        public PoolTurn GetAwaiter() => this;

        public void GetResult()
        {
            // There is none.
        }

        public void OnCompleted(Action continuation) => UnsafeOnCompleted(continuation);

        public void UnsafeOnCompleted(Action continuation) =>
            ThreadPool.UnsafeQueueUserWorkItem(static action => action(), continuation, preferLocal: false);
    }
}
