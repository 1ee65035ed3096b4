using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Gateway.Transport.Http;

/// <summary>
/// The bytes of one HTTP connection. The sockets' own thread serves what it reads, which costs no change of threads. A
/// peer that sends without a pause would keep that thread for itself, and nobody would be accepted: it is served by the
/// pool, in turns with all others there. Owner: Kestrel, one reader at a time.
/// </summary>
/// <param name="inner">Of the socket.</param>
/// <param name="time">The clock.</param>
internal sealed class FairReader(PipeReader inner, TimeProvider time) : PipeReader
{
    /// <summary>So many reads within <see cref="Pause"/> are without a pause. A peer that waits for each answer has a
    /// way to go between two.</summary>
    private const int MostReads = 64;

    private static readonly TimeSpan Pause = TimeSpan.FromMilliseconds(3);

    private long _since = time.GetTimestamp();
    private int _reads;
    private bool _isBusy;

    public override ValueTask<ReadResult> ReadAsync(CancellationToken cancellationToken = default)
    {
        if (++_reads >= MostReads)
            Look();
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

    public override void AdvanceTo(SequencePosition consumed) => inner.AdvanceTo(consumed);

    public override void AdvanceTo(SequencePosition consumed, SequencePosition examined) =>
        inner.AdvanceTo(consumed, examined);

    public override void CancelPendingRead() => inner.CancelPendingRead();

    public override void Complete(Exception? exception = null) => inner.Complete(exception);

    public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);

    private void Look()
    {
        var now = time.GetTimestamp();
        _isBusy = time.GetElapsedTime(_since, now) < Pause;
        (_reads, _since) = (0, now);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private static async ValueTask<ReadResult> InTurnAsync(ValueTask<ReadResult> read)
    {
        var result = await read.ConfigureAwait(false);
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
