using System.IO.Pipelines;
using System.Runtime.CompilerServices;

namespace Gateway.Transport.Http;

/// <summary>
/// The answers of one HTTP connection; knows since when its peer makes room for none. Kestrel bounds an answer by its
/// bytes: a peer that sent many requests and takes nothing has minutes for the 64 KiB that wait for it (R10). Owner:
/// Kestrel, one writer at a time; <see cref="StalledFor"/> from any thread.
/// </summary>
/// <param name="inner">Of the socket.</param>
/// <param name="time">The clock. It is read only where the peer keeps the gateway waiting.</param>
internal sealed class WatchedWriter(PipeWriter inner, TimeProvider time) : PipeWriter
{
    private long _stalledSince;
    private long _endedAt;

    /// <summary>How long bytes have waited for room, by now or when the connection ended. Zero: none do.</summary>
    public TimeSpan StalledFor(long now)
    {
        // The end first, as the next wait clears it last: an old beginning never counts up to now.
        var ended = Volatile.Read(ref _endedAt);
        var since = Volatile.Read(ref _stalledSince);
        return since == 0 ? TimeSpan.Zero : time.GetElapsedTime(since, ended == 0 ? now : ended);
    }

    public override bool CanGetUnflushedBytes => inner.CanGetUnflushedBytes;

    public override long UnflushedBytes => inner.UnflushedBytes;

    public override ValueTask<FlushResult> FlushAsync(CancellationToken cancellationToken = default)
    {
        var flush = inner.FlushAsync(cancellationToken);
        return flush.IsCompleted ? flush : WaitAsync(flush);
    }

    public override void Advance(int bytes) => inner.Advance(bytes);

    public override Memory<byte> GetMemory(int sizeHint = 0) => inner.GetMemory(sizeHint);

    public override Span<byte> GetSpan(int sizeHint = 0) => inner.GetSpan(sizeHint);

    public override void CancelPendingFlush() => inner.CancelPendingFlush();

    public override void Complete(Exception? exception = null) => inner.Complete(exception);

    public override ValueTask CompleteAsync(Exception? exception = null) => inner.CompleteAsync(exception);

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    private async ValueTask<FlushResult> WaitAsync(ValueTask<FlushResult> flush)
    {
        // A flush that was cancelled may have been the last, or not.
        Volatile.Write(ref _stalledSince, 0);
        Volatile.Write(ref _endedAt, 0);
        Volatile.Write(ref _stalledSince, Math.Max(1, time.GetTimestamp()));
        var isOver = true;
        try
        {
            var result = await flush.ConfigureAwait(false);
            isOver = result.IsCompleted;
            return result;
        }
        finally
        {
            if (isOver)
                Volatile.Write(ref _endedAt, time.GetTimestamp());
            else
                Volatile.Write(ref _stalledSince, 0);
        }
    }
}
