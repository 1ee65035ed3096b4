using System.Threading.Tasks.Sources;

namespace Gateway.Store;

/// <summary>Wakes one waiting consumer. A signal that comes before the wait is kept. The consumer goes on on another
/// thread than the one that signals. Threads: any; one waits at a time.</summary>
internal sealed class AsyncSignal : IValueTaskSource<bool>
{
    private readonly Lock _lock = new();
    private ManualResetValueTaskSourceCore<bool> _core = new() { RunContinuationsAsynchronously = true };
    private CancellationTokenRegistration _registration;
    private bool _isSet;
    private bool _isWaiting;
    private bool _isClosed;

    public void Set()
    {
        lock (_lock)
        {
            _isSet = true;
            WakeUnderLock();
        }
    }

    public void Close()
    {
        lock (_lock)
        {
            _isClosed = true;
            WakeUnderLock();
        }
    }

    /// <summary>False: it was closed.</summary>
    /// <exception cref="OperationCanceledException">It was cancelled.</exception>
    public ValueTask<bool> WaitAsync(CancellationToken cancellation)
    {
        cancellation.ThrowIfCancellationRequested();
        lock (_lock)
        {
            if (_isWaiting)
                throw new InvalidOperationException("Another consumer waits.");
            if (_isSet || _isClosed)
            {
                _isSet = false;
                return ValueTask.FromResult(!_isClosed);
            }

            _core.Reset();
            _isWaiting = true;
        }

        var registration = cancellation.UnsafeRegister(
            static (signal, token) => ((AsyncSignal)signal!).Cancel(token), this);
        lock (_lock)
            _registration = registration;
        return new ValueTask<bool>(this, _core.Version);
    }

    bool IValueTaskSource<bool>.GetResult(short token)
    {
        _registration.Dispose();
        return _core.GetResult(token);
    }

    ValueTaskSourceStatus IValueTaskSource<bool>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<bool>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);

    private void Cancel(CancellationToken token)
    {
        lock (_lock)
        {
            if (!_isWaiting)
                return;
            _isWaiting = false;
            _core.SetException(new OperationCanceledException(token));
        }
    }

    private void WakeUnderLock()
    {
        if (!_isWaiting)
            return;
        (_isWaiting, _isSet) = (false, false);
        _core.SetResult(!_isClosed);
    }
}
