using Polly;
using Polly.Retry;
using Polly.Timeout;

namespace Gateway.Sources.Connections;

/// <summary>How every driver comes to a connection that is not there: it tries for ever, further and further apart, and
/// not before the other side said.</summary>
public static class ConnectPipeline
{
    /// <summary>However long the other side says: it is asked again by then.</summary>
    public static readonly TimeSpan LongestHint = TimeSpan.FromMinutes(5);

    /// <summary>Of one attempt, with all that belongs to a connection: session, namespaces, subscription.</summary>
    private static readonly TimeSpan AttemptTimeout = TimeSpan.FromSeconds(30);

    private static readonly TimeSpan FirstDelay = TimeSpan.FromMilliseconds(500);
    private static readonly TimeSpan LongestDelay = TimeSpan.FromSeconds(10);

    /// <param name="time">Of delays and time-outs.</param>
    /// <param name="hintOf">When the other side wants to be asked again; null where a failure does not say.</param>
    /// <param name="onFailed">Attempt (from 0), the delay before the next, what failed.</param>
    public static ResiliencePipeline Make(
        TimeProvider time, Func<Exception, TimeSpan?> hintOf, Action<int, TimeSpan, Exception> onFailed) =>
        new ResiliencePipelineBuilder { TimeProvider = time }
            .AddRetry(new RetryStrategyOptions
            {
                ShouldHandle = new PredicateBuilder().Handle<Exception>(e => e is not OperationCanceledException),
                MaxRetryAttempts = int.MaxValue,
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = FirstDelay,
                MaxDelay = LongestDelay,
                DelayGenerator = arguments =>
                    new ValueTask<TimeSpan?>(Spread(hintOf(arguments.Outcome.Exception!))),
                OnRetry = arguments =>
                {
                    onFailed(arguments.AttemptNumber, arguments.RetryDelay, arguments.Outcome.Exception!);
                    return default;
                },
            })
            .AddTimeout(new TimeoutStrategyOptions { Timeout = AttemptTimeout })
            .Build();

    /// <summary>A delay for a hint: not before it, and not all clients at the same moment.</summary>
    public static TimeSpan? Spread(TimeSpan? hint)
    {
        if (hint is not { } said)
            return null;
        var bounded = said < LongestHint ? said : LongestHint;
        return bounded + (bounded * 0.2 * Random.Shared.NextDouble());
    }
}
