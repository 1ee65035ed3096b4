using Gateway.Mqtt.Options;
using Polly;
using Polly.Retry;

namespace Gateway.Mqtt.Connections;

/// <summary>When the client tries again: for ever, further and further apart up to <c>LongestReconnectDelay</c>, with
/// jitter, also at the longest delay; after <c>OperatorDelay</c> where only an operator can help.</summary>
internal static class ReconnectPipeline
{
    public static ResiliencePipeline Make(MqttLimits limits, TimeProvider time) =>
        new ResiliencePipelineBuilder { TimeProvider = time }
            .AddRetry(new RetryStrategyOptions
            {
                ShouldHandle = new PredicateBuilder().Handle<MqttConnectException>(),
                MaxRetryAttempts = int.MaxValue,
                Delay = limits.ReconnectDelay,
                MaxDelay = limits.OperatorDelay + limits.LongestReconnectDelay,
                DelayGenerator = arguments => new ValueTask<TimeSpan?>(Spread(
                    arguments.Outcome.Exception is MqttConnectException { NeedsOperator: true }
                        ? limits.OperatorDelay
                        : Doubled(limits, arguments.AttemptNumber))),
            })
            .Build();

    /// <summary>Our own: the pipeline's has no jitter once it has reached the longest delay, so that all clients of a
    /// broker that was away for long would come at the same moment.</summary>
    private static TimeSpan Doubled(MqttLimits limits, int attempt)
    {
        var delay = limits.ReconnectDelay * Math.Pow(2, Math.Min(attempt, 30));
        return delay < limits.LongestReconnectDelay ? delay : limits.LongestReconnectDelay;
    }

    /// <summary>Not all clients of a broker at the same moment: half of the delay, or up to all of it.</summary>
    public static TimeSpan Spread(TimeSpan delay) => delay * (0.5 + (0.5 * Random.Shared.NextDouble()));
}
