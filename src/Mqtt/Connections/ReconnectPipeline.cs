using Gateway.Mqtt.Options;
using Polly;
using Polly.Retry;

namespace Gateway.Mqtt.Connections;

/// <summary>When the client tries again: for ever, further and further apart up to <c>LongestReconnectDelay</c>, with
/// jitter; at once at the longest delay where only an operator can help.</summary>
internal static class ReconnectPipeline
{
    public static ResiliencePipeline Make(MqttLimits limits, TimeProvider time) =>
        new ResiliencePipelineBuilder { TimeProvider = time }
            .AddRetry(new RetryStrategyOptions
            {
                ShouldHandle = new PredicateBuilder().Handle<MqttConnectException>(),
                MaxRetryAttempts = int.MaxValue,
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = limits.ReconnectDelay,
                MaxDelay = limits.LongestReconnectDelay,
                DelayGenerator = arguments => new ValueTask<TimeSpan?>(
                    arguments.Outcome.Exception is MqttConnectException { NeedsOperator: true }
                        ? Spread(limits.LongestReconnectDelay)
                        : null),
            })
            .Build();

    /// <summary>Not all clients of a broker at the same moment: half of the delay, or up to all of it.</summary>
    public static TimeSpan Spread(TimeSpan delay) => delay * (0.5 + (0.5 * Random.Shared.NextDouble()));
}
