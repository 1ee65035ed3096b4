using Gateway.Client;
using Gateway.Codec.Types;
using Polly;
using Polly.CircuitBreaker;
using Polly.Retry;
using Polly.Timeout;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>What happens when an upstream does not answer, in one place. Connecting is tried for ever, further and
/// further apart; requests stop going out for a while when most of them fail.</summary>
internal static class UpstreamPipelines
{
    /// <summary>Per attempt: connect, namespaces and subscription.</summary>
    private static readonly TimeSpan ConnectTimeout = TimeSpan.FromSeconds(30);

    /// <summary>However long a server says: it is asked again by then.</summary>
    private static readonly TimeSpan LongestHint = TimeSpan.FromMinutes(5);

    /// <summary>A request that the server wants later than this is given up: who asked waits for it.</summary>
    private static readonly TimeSpan RequestPatience = TimeSpan.FromSeconds(1);

    /// <param name="time">Of delays and time-outs.</param>
    /// <param name="onRetry">Attempt (from 0), the delay before the next, what failed.</param>
    public static ResiliencePipeline Connect(TimeProvider time, Action<int, TimeSpan, Exception> onRetry) =>
        new ResiliencePipelineBuilder { TimeProvider = time }
            .AddRetry(new RetryStrategyOptions
            {
                ShouldHandle = new PredicateBuilder().Handle<Exception>(e => e is not OperationCanceledException),
                MaxRetryAttempts = int.MaxValue,
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = TimeSpan.FromMilliseconds(500),
                MaxDelay = TimeSpan.FromSeconds(10),
                DelayGenerator = static arguments => new ValueTask<TimeSpan?>(HintOf(arguments.Outcome.Exception)),
                OnRetry = arguments =>
                {
                    onRetry(arguments.AttemptNumber, arguments.RetryDelay, arguments.Outcome.Exception!);
                    return default;
                },
            })
            .AddTimeout(new TimeoutStrategyOptions { Timeout = ConnectTimeout })
            .Build();

    /// <param name="time">Of the breaker.</param>
    /// <param name="onBreak">For how long nothing is sent.</param>
    public static ResiliencePipeline Requests(TimeProvider time, Action<TimeSpan> onBreak) =>
        new ResiliencePipelineBuilder { TimeProvider = time }
            .AddRetry(new RetryStrategyOptions
            {
                ShouldHandle = new PredicateBuilder().Handle<ServiceException>(
                    e => IsBusy(e.Status) && !(e.RetryAfter > RequestPatience)),
                MaxRetryAttempts = 2,
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = TimeSpan.FromMilliseconds(50),
                DelayGenerator = static arguments => new ValueTask<TimeSpan?>(HintOf(arguments.Outcome.Exception)),
            })
            .AddCircuitBreaker(new CircuitBreakerStrategyOptions
            {
                ShouldHandle = new PredicateBuilder().Handle<ServiceException>(e => IsSilent(e.Status)),
                FailureRatio = 0.5,
                MinimumThroughput = 10,
                SamplingDuration = TimeSpan.FromSeconds(30),
                BreakDuration = TimeSpan.FromSeconds(5),
                OnOpened = arguments =>
                {
                    onBreak(arguments.BreakDuration);
                    return default;
                },
            })
            .Build();

    /// <summary>Not before the server said, and not all at the same moment; null: the pipeline's own delay.</summary>
    internal static TimeSpan? HintOf(Exception? exception)
    {
        if (exception is not ServiceException { RetryAfter: { } hint })
            return null;
        hint = hint < LongestHint ? hint : LongestHint;
        return hint + (hint * 0.2 * Random.Shared.NextDouble());
    }

    /// <summary>Refused before anything was done: safe to send again.</summary>
    private static bool IsBusy(StatusCode status) =>
        status.CodeBits is StatusCodes.BadServerTooBusy or StatusCodes.BadTcpServerTooBusy;

    private static bool IsSilent(StatusCode status) =>
        status.CodeBits is StatusCodes.BadTimeout or StatusCodes.BadRequestTimeout;
}
