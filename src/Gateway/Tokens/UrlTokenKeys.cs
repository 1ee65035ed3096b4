using Gateway.Transport.Timing;
using Polly;
using Polly.Retry;
using Polly.Timeout;

namespace Gateway.Host.Tokens;

/// <summary>
/// Keys of <c>Jwt:KeysUrl</c>: fetched at the start, at an interval, and for a token whose key is not there, but then
/// no more often than <see cref="TokenLimits.TokenKeysMinInterval"/> says, however many such tokens come (R42). One
/// fetch is under way at a time. An answer that is of no use changes nothing. Threads: any; its lock is a leaf.
/// </summary>
internal sealed partial class UrlTokenKeys : ITokenKeys, IDisposable
{
    private static readonly TimeSpan FirstDelay = TimeSpan.FromMilliseconds(200);
    private const int MaxRetries = 2;

    private readonly Lock _lock = new();
    private readonly Uri _url;
    private readonly TokenLimits _limits;
    private readonly TokenCounters _counters;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private readonly HttpClient _http;
    private readonly ResiliencePipeline _pipeline;
    private readonly CancellationTokenSource _end = new();
    private TokenKeySet _current = TokenKeySet.Empty;
    private Task? _fetch;
    private long _endedAt;
    private string _lastProblem = string.Empty;
    private string _lastUnusable = string.Empty;
    private ITimer? _timer;

    public UrlTokenKeys(
        JwtOptions options, TokenLimits limits, TokenCounters counters, TimeProvider time, ILogger<UrlTokenKeys> logger)
    {
        (_url, _limits, _counters, _time, _logger) = (options.KeysUrl!, limits, counters, time, logger);
        // A redirect could lead anywhere, also out of TLS.
        _http = new HttpClient(new SocketsHttpHandler
        {
            AllowAutoRedirect = false,
            UseCookies = false,
            PooledConnectionLifetime = limits.TokenKeysInterval,
        })
        {
            // The pipeline's is the time-out.
            Timeout = Timeout.InfiniteTimeSpan,
        };
        _pipeline = new ResiliencePipelineBuilder { TimeProvider = time }
            .AddTimeout(new TimeoutStrategyOptions { Timeout = limits.TokenKeysDeadline })
            .AddRetry(new RetryStrategyOptions
            {
                ShouldHandle = new PredicateBuilder().Handle<HttpRequestException>().Handle<IOException>(),
                MaxRetryAttempts = MaxRetries,
                BackoffType = DelayBackoffType.Exponential,
                UseJitter = true,
                Delay = FirstDelay,
            })
            .Build();
    }

    public TokenKeySet Current => Volatile.Read(ref _current);

    public void Start()
    {
        _timer = Contained.Every(_time, _limits.TokenKeysInterval, () => _ = FetchIfDue(TimeSpan.Zero), LogLookFailed);
        _ = FetchIfDue(TimeSpan.Zero);
    }

    public async ValueTask<TokenKeySet> LookAgainAsync(CancellationToken cancellationToken)
    {
        if (FetchIfDue(_limits.TokenKeysMinInterval) is { } fetch)
            await fetch.WaitAsync(cancellationToken).ConfigureAwait(false);
        return Current;
    }

    public void Dispose()
    {
        _timer?.Dispose();
        _end.Cancel();
        _http.Dispose();
    }

    /// <summary>The fetch that is under way or begins now; null: it is too early for another.</summary>
    private Task? FetchIfDue(TimeSpan minInterval)
    {
        lock (_lock)
        {
            if (_fetch is { IsCompleted: false })
                return _fetch;
            if (_end.IsCancellationRequested ||
                (_endedAt != 0 && _time.GetElapsedTime(_endedAt) < minInterval))
                return null;
            return _fetch = Task.Run(FetchAsync);
        }
    }

    /// <summary>Never throws.</summary>
    private async Task FetchAsync()
    {
        try
        {
            var content = await _pipeline.ExecuteAsync(GetAsync, _end.Token).ConfigureAwait(false);
            var keys = TokenKeyReader.Read(content, _limits.MaxTokenKeys, takesSecrets: false);
            Volatile.Write(ref _current, keys);
            _counters.KeysLoaded(keys);
            if (_lastProblem.Length > 0)
                LogAgain(_url, keys.Count);
            _lastProblem = string.Empty;
            // The same one stays there for months.
            var unusable = keys.Unusable is [var first, ..] ? first : string.Empty;
            if (unusable.Length > 0 && unusable != _lastUnusable)
                LogUnusable(keys.Unusable.Count, _url, unusable);
            _lastUnusable = unusable;
        }
        catch (OperationCanceledException) when (_end.IsCancellationRequested)
        {
            // The gateway stops.
        }
#pragma warning disable CA1031 // It is of the other side: the keys stay and the next look follows (R42).
        catch (Exception error)
#pragma warning restore CA1031
        {
            _counters.KeysFailed();
            if (error.Message != _lastProblem)
                LogFailed(_url, error.Message, Current.Count);
            _lastProblem = error.Message;
        }
        finally
        {
            Volatile.Write(ref _endedAt, Math.Max(1, _time.GetTimestamp()));
        }
    }

    private async ValueTask<byte[]> GetAsync(CancellationToken cancellationToken)
    {
        _counters.KeysAsked();
        using var answer = await _http.GetAsync(_url, HttpCompletionOption.ResponseHeadersRead, cancellationToken)
            .ConfigureAwait(false);
        if (!answer.IsSuccessStatusCode)
            throw new HttpRequestException($"the answer is {(int)answer.StatusCode}");
        using var content = new MemoryStream();
        var body = await answer.Content.ReadAsStreamAsync(cancellationToken).ConfigureAwait(false);
        var part = new byte[8 * 1024];
        for (int read; (read = await body.ReadAsync(part, cancellationToken).ConfigureAwait(false)) > 0;)
        {
            if (content.Length + read > _limits.MaxTokenKeysBytes)
                throw new FormatException("the answer is larger than Limits:MaxTokenKeysBytes");
            content.Write(part, 0, read);
        }

        return content.ToArray();
    }

    [LoggerMessage(
        EventId = 5203, Level = LogLevel.Error,
        Message = "The token keys of {Url} cannot be had, the {Count} keys of before stay: {Problem}")]
    private partial void LogFailed(Uri url, string problem, int count);

    [LoggerMessage(
        EventId = 5207, Level = LogLevel.Warning,
        Message = "{Count} token keys of {Url} are left out, the others are used: {Problem}")]
    private partial void LogUnusable(int count, Uri url, string problem);

    [LoggerMessage(
        EventId = 5204, Level = LogLevel.Information, Message = "Token keys of {Url} are there again: {Count}")]
    private partial void LogAgain(Uri url, int count);

    [LoggerMessage(EventId = 5205, Level = LogLevel.Error, Message = "Looking for token keys failed")]
    private partial void LogLookFailed(Exception error);
}
