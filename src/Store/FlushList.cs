namespace Gateway.Store;

/// <summary>Callers that wait until their records are kept, in the order of the records. Threads: under the log's lock.
/// </summary>
internal sealed class FlushList
{
    private readonly Queue<(long Last, TaskCompletionSource Ended)> _flushes = new();

    public Task Add(long last)
    {
        var ended = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        _flushes.Enqueue((last, ended));
        return ended.Task;
    }

    /// <param name="kept">Records up to this one.</param>
    public void End(long kept)
    {
        while (_flushes.TryPeek(out var flush) && flush.Last <= kept)
            _flushes.Dequeue().Ended.SetResult();
    }

    /// <summary>The disk will take nothing more.</summary>
    public void Fail()
    {
        while (_flushes.TryDequeue(out var flush))
            flush.Ended.SetException(new ObjectDisposedException(nameof(StoreLog)));
    }
}
