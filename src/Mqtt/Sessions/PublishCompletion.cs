using System.Threading.Tasks.Sources;
using Gateway.Mqtt.Messages;

namespace Gateway.Mqtt.Sessions;

/// <summary>The end of one publish, pooled. Owner: the publish, from <see cref="CompletionPool.Rent"/> until the caller
/// has read the result; reading gives it back. A caller that never reads it leaves it to the collector. The caller goes
/// on on the thread pool, never on the reading loop.</summary>
internal sealed class PublishCompletion(CompletionPool pool) : IValueTaskSource<MqttPublishResult>, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<MqttPublishResult> _core;
    private CancellationTokenRegistration _cancellation;
    private MqttPublishResult _result;

    public ValueTask<MqttPublishResult> Task => new(this, _core.Version);

    /// <summary>Timestamp.</summary>
    public long StartedAt { get; set; }

    /// <summary>Once for each rent.</summary>
    public void Complete(MqttPublishResult result)
    {
        _result = result;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    /// <summary>Before the caller has the task, and outside of locks: a token that is cancelled already calls at once.
    /// </summary>
    public void WithdrawOn(CancellationToken cancellation) => _cancellation = cancellation.UnsafeRegister(
        static state =>
        {
            var completion = (PublishCompletion)state!;
            completion.Pool.Withdraw(completion);
        },
        this);

    private CompletionPool Pool => pool;

    void IThreadPoolWorkItem.Execute() => _core.SetResult(_result);

    MqttPublishResult IValueTaskSource<MqttPublishResult>.GetResult(short token)
    {
        var result = _core.GetResult(token);

        // It waits for a call that runs: the next publish of this completion must not be withdrawn by it.
        _cancellation.Dispose();
        _cancellation = default;
        _core.Reset();
        pool.Return(this);
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<MqttPublishResult>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<MqttPublishResult>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
