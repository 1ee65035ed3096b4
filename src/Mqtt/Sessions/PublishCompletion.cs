using System.Threading.Tasks.Sources;
using Gateway.Mqtt.Messages;

namespace Gateway.Mqtt.Sessions;

/// <summary>The end of one publish, pooled. Owner: the publish, from <see cref="CompletionPool.Rent"/> until the caller
/// has read the result; reading gives it back. A caller that never reads it leaves it to the collector. The caller goes
/// on on the thread pool, never on the reading loop.</summary>
internal sealed class PublishCompletion(CompletionPool pool) : IValueTaskSource<MqttPublishResult>, IThreadPoolWorkItem
{
    private ManualResetValueTaskSourceCore<MqttPublishResult> _core;
    private MqttPublishResult _result;

    public ValueTask<MqttPublishResult> Task => new(this, _core.Version);

    /// <summary>Once for each rent.</summary>
    public void Complete(MqttPublishResult result)
    {
        _result = result;
        ThreadPool.UnsafeQueueUserWorkItem(this, preferLocal: false);
    }

    void IThreadPoolWorkItem.Execute() => _core.SetResult(_result);

    MqttPublishResult IValueTaskSource<MqttPublishResult>.GetResult(short token)
    {
        var result = _core.GetResult(token);
        _core.Reset();
        pool.Return(this);
        return result;
    }

    ValueTaskSourceStatus IValueTaskSource<MqttPublishResult>.GetStatus(short token) => _core.GetStatus(token);

    void IValueTaskSource<MqttPublishResult>.OnCompleted(
        Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
        _core.OnCompleted(continuation, state, token, flags);
}
