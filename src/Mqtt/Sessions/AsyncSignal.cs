using System.Threading.Tasks.Sources;

namespace Gateway.Mqtt.Sessions;

/// <summary>Wakes one waiting loop, on the thread pool, without allocating. A signal without a waiter is kept; two are
/// one. Threads: any sets it, one loop waits.</summary>
internal sealed class AsyncSignal : IValueTaskSource, IThreadPoolWorkItem
{
    private readonly Lock _lock = new();
    private ManualResetValueTaskSourceCore<bool> _core;
    private bool _isSet;
    private bool _isAwaited;

    public ValueTask WaitAsync()
    {
        lock (_lock)
        {
            if (_isSet)
            {
                _isSet = false;
                return default;
            }

            _core.Reset();
            _isAwaited = true;
            return new ValueTask(this, _core.Version);
        }
    }

    public void Set()
    {
        lock (_lock)
        {
            if (!_isAwaited)
            {
                _isSet = true;
                return;
            }

            _isAwaited = false;
        }

        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    void IThreadPoolWorkItem.Execute() => _core.SetResult(true);

    void IValueTaskSource.GetResult(short token) => _core.GetResult(token);

    ValueTaskSourceStatus IValueTaskSource.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
