using Gateway.Client;
using Gateway.Codec.Types;
using Gateway.Sources.Connections;
using Polly;
using Polly.CircuitBreaker;
using Polly.Retry;

namespace Gateway.Sources.OpcUa.Sessions;

/// <summary>Behaviour when an upstream does not answer. Connecting: as every driver does it
/// (<see cref="ConnectPipeline"/>). Requests stop going out for a while when most of them fail.</summary>
internal static class UpstreamPipelines
{
    /// <summary>A request that the server wants later than this is given up: a client waits for it.</summary>
    private static readonly TimeSpan RequestPatience = TimeSpan.FromSeconds(1);

    /// <param name="time">Of delays and time-outs.</param>
    /// <param name="delayOf">The time to wait after a failure; null: the usual one.</param>
    /// <param name="onFailed">Attempt (from 0), the delay before the next, what failed.</param>
    public static ResiliencePipeline Connect(
        TimeProvider time, Func<Exception, TimeSpan?> delayOf, Action<int, TimeSpan, Exception> onFailed) =>
        ConnectPipeline.Make(time, delayOf, onFailed);

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
                DelayGenerator = static arguments => new ValueTask<TimeSpan?>(
                    ConnectPipeline.Spread((arguments.Outcome.Exception as ServiceException)?.RetryAfter)),
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

    /// <summary>Refused before anything was done: safe to send again.</summary>
    private static bool IsBusy(StatusCode status) =>
        status.CodeBits is StatusCodes.BadServerTooBusy or StatusCodes.BadTcpServerTooBusy;

    private static bool IsSilent(StatusCode status) =>
        status.CodeBits is StatusCodes.BadTimeout or StatusCodes.BadRequestTimeout;
}
