using Gateway.Mqtt.Messages;

namespace Gateway.PubSub.Outputs;

/// <summary>The newest message of each retained topic. All of them go out again on each connection, one after the
/// other, so that they never fill the client. Owner: the output. Threads: any.</summary>
/// <param name="publish">To the broker.</param>
/// <param name="onRefused">The broker does not take one.</param>
internal sealed class RetainedMessages(
    Func<RetainedMessage, ValueTask<MqttPublishResult>> publish,
    Action<RetainedMessage, MqttPublishOutcome> onRefused)
{
    private readonly Lock _lock = new();
    private readonly Dictionary<string, RetainedMessage> _all = new(StringComparer.Ordinal);
    private readonly Queue<string> _due = [];
    private readonly HashSet<string> _isDue = new(StringComparer.Ordinal);
    private bool _isSending;

    /// <summary>The broker has it already.</summary>
    public void Keep(RetainedMessage message)
    {
        lock (_lock)
            _all[message.Topic] = message;
    }

    /// <summary>It is no longer sent.</summary>
    public void Forget(string topic)
    {
        lock (_lock)
            _all.Remove(topic);
    }

    /// <summary>At once where there is a connection, else with all others on the next.</summary>
    public void Send(RetainedMessage message)
    {
        lock (_lock)
        {
            _all[message.Topic] = message;
            Add(message.Topic);
        }

        Begin();
    }

    /// <summary>A connection has begun, or they would expire.</summary>
    public void SendAll()
    {
        lock (_lock)
        {
            foreach (var topic in _all.Keys)
                Add(topic);
        }

        Begin();
    }

    private void Add(string topic)
    {
        if (_isDue.Add(topic))
            _due.Enqueue(topic);
    }

    private void Begin()
    {
        lock (_lock)
        {
            if (_isSending)
                return;
            _isSending = true;
        }

        _ = RunAsync();
    }

    private async Task RunAsync()
    {
        while (TryTake(out var message))
        {
            var result = await publish(message).ConfigureAwait(false);
            if (result.Outcome is MqttPublishOutcome.Closed or MqttPublishOutcome.NotConnected)
            {
                lock (_lock)
                    _isSending = false;
                return;
            }

            if (!result.IsSuccess)
                onRefused(message, result.Outcome);
        }
    }

    private bool TryTake(out RetainedMessage message)
    {
        lock (_lock)
        {
            while (_due.TryDequeue(out var topic))
            {
                _isDue.Remove(topic);
                if (_all.TryGetValue(topic, out message!))
                    return true;
            }

            (_isSending, message) = (false, null!);
            return false;
        }
    }
}
