using Gateway.PubSub.Options;
using Gateway.PubSub.Uadp.Security;
using Microsoft.Extensions.Logging;

namespace Gateway.PubSub.KeyServices;

/// <summary>
/// The keys of one SecurityGroup, pulled from the first service that gives them, in their order each time. They are
/// asked for again before the current one ends, and at half of its lifetime at the latest; future keys bridge an outage
/// of all services. Without keys nothing can be sealed or opened: never less than the configured mode. Owner:
/// <see cref="SecurityKeyServices"/>. Threads: any. Source: Part 14 §8.3.2.
/// </summary>
internal sealed partial class ServiceSecurityKeys : ISecurityKeySource, IDisposable
{
    /// <summary>The current one, and two more.</summary>
    public const uint RequestedKeys = 3;

    private static readonly TimeSpan FirstRetry = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LastRetry = TimeSpan.FromMinutes(1);
    private static readonly TimeSpan LongestInterval = TimeSpan.FromHours(1);

    private readonly CancellationTokenSource _end = new();
    private readonly SemaphoreSlim _asked = new(0, 1);
    private readonly long[] _problems = new long[Enum.GetValues<KeyServiceProblem>().Length];
    private readonly Dictionary<string, string> _told = new(StringComparer.Ordinal);
    private readonly IReadOnlyList<KeyServiceOptions> _services;
    private readonly PubSubLimits _limits;
    private readonly ISecurityKeyClient _client;
    private readonly TimeProvider _time;
    private readonly ILogger _logger;
    private volatile HeldKeys? _held;
    private long _fetches;
    private int _isDisposed;

    public ServiceSecurityKeys(
        string securityGroup, IReadOnlyList<KeyServiceOptions> services, PubSubLimits limits, ISecurityKeyClient client,
        TimeProvider time, ILogger logger)
    {
        (SecurityGroup, _services, _limits, _client, _time, _logger) =
            (securityGroup, services, limits, client, time, logger);
        Loop = Task.Run(RunAsync);
    }

    public string SecurityGroup { get; }

    /// <summary>Ends after <see cref="Dispose"/>.</summary>
    public Task Loop { get; }

    public SecurityKeySet? Current => _held?.Current;

    /// <summary>Answers with keys.</summary>
    public long Fetches => Interlocked.Read(ref _fetches);

    public long Of(KeyServiceProblem problem) => Interlocked.Read(ref _problems[(int)problem]);

    public void RequestRefresh()
    {
        try
        {
            // One that waits is enough.
            if (_asked.CurrentCount == 0)
                _asked.Release();
        }
        catch (Exception error) when (error is SemaphoreFullException or ObjectDisposedException)
        {
            // Another thread was first, or this is the end.
        }
    }

    public void Dispose()
    {
        if (Interlocked.Exchange(ref _isDisposed, 1) == 0)
            _end.Cancel();
    }

    private async Task RunAsync()
    {
        var retry = FirstRetry;
        try
        {
            while (true)
            {
                var next = await FetchAsync().ConfigureAwait(false);
                retry = next is null ? Twice(retry) : FirstRetry;
                await RestAsync(next ?? retry).ConfigureAwait(false);
            }
        }
        catch (OperationCanceledException)
        {
            // The end.
        }
        finally
        {
            _end.Dispose();
        }
    }

    internal static TimeSpan Twice(TimeSpan retry) => retry * 2 < LastRetry ? retry * 2 : LastRetry;

    /// <summary>When to ask again: early enough that a try that fails has time for others.</summary>
    internal static TimeSpan NextOf(SecurityKeysAnswer answer)
    {
        var next = answer.Lifetime / 2 < answer.ToNext ? answer.Lifetime / 2 : answer.ToNext * 0.9;
        return next < FirstRetry ? FirstRetry : next < LongestInterval ? next : LongestInterval;
    }

    /// <summary>Until it is time, or somebody asks who may.</summary>
    private async Task RestAsync(TimeSpan time)
    {
        var least = time < _limits.PubSubKeyPullPause ? time : _limits.PubSubKeyPullPause;
        await Task.Delay(least, _time, _end.Token).ConfigureAwait(false);
        if (time == least)
            return;
        using var either = CancellationTokenSource.CreateLinkedTokenSource(_end.Token);
        var rest = Task.Delay(time - least, _time, either.Token);
        await Task.WhenAny(rest, _asked.WaitAsync(either.Token)).ConfigureAwait(false);
        await either.CancelAsync().ConfigureAwait(false);
        _end.Token.ThrowIfCancellationRequested();
    }

    /// <summary>How long they are good for; null: no service gave keys.</summary>
    private async Task<TimeSpan?> FetchAsync()
    {
        foreach (var service in _services)
        {
            try
            {
                var answer = await _client.GetAsync(service, SecurityGroup, RequestedKeys, _end.Token)
                    .ConfigureAwait(false);
                Use(answer, service);
                return NextOf(answer);
            }
            catch (KeyServiceException error)
            {
                Count(error, service);
            }
#pragma warning disable CA1031 // A fault of ours: the next service is asked, and this one again later.
            catch (Exception error) when (error is not OperationCanceledException)
#pragma warning restore CA1031
            {
                LogFault(_logger, SecurityGroup, error);
            }
        }

        return null;
    }

    private void Use(SecurityKeysAnswer answer, KeyServiceOptions service)
    {
        var before = _held;
        // A key of another policy cannot stand beside the new ones.
        var last = before?.Policy == answer.Policy ? before.Before(answer) : null;
        _held = new HeldKeys(answer, last, _time.GetTimestamp(), _time);
        Interlocked.Increment(ref _fetches);
        var isBack = _told.Remove(service.EndpointUrl);
        if (before is null || isBack)
            LogFetched(_logger, SecurityGroup, service.EndpointUrl, answer.Keys.Count);
    }


    /// <summary>Each cause of a service is told once.</summary>
    private void Count(KeyServiceException error, KeyServiceOptions service)
    {
        Interlocked.Increment(ref _problems[(int)error.Problem]);
        if (_told.TryGetValue(service.EndpointUrl, out var told) && told == error.Message)
            return;
        _told[service.EndpointUrl] = error.Message;
        LogFailed(_logger, SecurityGroup, service.EndpointUrl, error.Problem, error.Message);
    }

    [LoggerMessage(6411, LogLevel.Information,
        "PubSub keys of the SecurityGroup {Group} have come from {Service}: {Count}")]
    private static partial void LogFetched(ILogger logger, string group, string service, int count);

    [LoggerMessage(6412, LogLevel.Error,
        "PubSub keys of the SecurityGroup {Group} cannot be had from {Service} ({Problem}): {Words}")]
    private static partial void LogFailed(
        ILogger logger, string group, string service, KeyServiceProblem problem, string words);

    [LoggerMessage(6413, LogLevel.Error, "PubSub: a fault of the gateway while it asked for keys of {Group}")]
    private static partial void LogFault(ILogger logger, string group, Exception error);
}
