namespace Gateway.Store;

/// <summary>The thread that a log has for its disk, so that a slow disk delays nobody else.</summary>
internal sealed class DiskThread
{
    private readonly StoreOptions _options;
    private readonly DiskSignal _signal;
    private readonly DiskWorker _worker;
    private readonly DiskHealth _health;
    private readonly TaskCompletionSource _ended = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private volatile bool _isEnding;

    public DiskThread(StoreOptions options, DiskSignal signal, DiskWorker worker, DiskHealth health)
    {
        (_options, _signal, _worker, _health) = (options, signal, worker, health);
        new Thread(Run) { IsBackground = true, Name = "Store " + options.Name }.Start();
    }

    /// <summary>Ends when all is written.</summary>
    public Task EndAsync()
    {
        _isEnding = true;
        _signal.Set(isUrgent: true);
        return _ended.Task;
    }

    private void Run()
    {
        Action turn = _worker.Turn;
        while (!_isEnding)
        {
            Guard(turn);
            _signal.Wait(_worker.Sleep, _options.WriteDelay);
        }

        Guard(_worker.Finish);
        _ended.SetResult();
    }

    private void Guard(Action turn)
    {
        try
        {
            turn();
        }
#pragma warning disable CA1031 // A fault of ours must not end the process; it is reported, and the next turn comes.
        catch (Exception e)
#pragma warning restore CA1031
        {
            _health.Report(e);
        }
    }
}
