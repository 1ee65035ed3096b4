using System.Runtime.InteropServices;
using Gateway.Host.Configuration;
using Gateway.Server.Audit;
using Gateway.Transport.Timing;

namespace Gateway.Host.Reloading;

/// <summary>Has the configuration read again when a file of it changes, and on SIGHUP. It looks at the content, because
/// a cluster changes a mounted file by links. A change counts once two looks have found it the same: an editor may be
/// in the middle of writing. Owner: the host, from the start to the stop.</summary>
internal sealed partial class ConfigurationWatch(
    ConfigurationControl control, ConfigurationLayers start, Func<OperationAudit> audit, TimeProvider time,
    ILogger<ConfigurationWatch> logger)
    : IHostedLifecycleService, IDisposable
{
    private readonly ILogger _logger = logger;
    private readonly Lock _lock = new();
    private PosixSignalRegistration? _signal;
    private ITimer? _timer;
    private byte[] _taken = [];
    private byte[] _seen = [];
    private volatile bool _isRunning;

    /// <summary>The last one that a change of a file has begun.</summary>
    internal Task Reloading { get; private set; } = Task.CompletedTask;

    /// <summary>Between two looks.</summary>
    public static TimeSpan Interval { get; } = TimeSpan.FromSeconds(2);

    public Task StartingAsync(CancellationToken cancellationToken)
    {
        _taken = _seen = start.Source.FirstHash ?? start.Source.HashNow();
        _signal = PosixSignalRegistration.Create(PosixSignal.SIGHUP, signal =>
        {
            // Without this the signal ends the process, also while it starts or stops.
            signal.Cancel = true;
            if (_isRunning)
                _ = ReloadAsync("SIGHUP");
        });
        return Task.CompletedTask;
    }

    public Task StartAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StartedAsync(CancellationToken cancellationToken)
    {
        _timer = Contained.Every(time, Interval, Look, LogLookFailed);
        _isRunning = true;
        return Task.CompletedTask;
    }

    public Task StoppingAsync(CancellationToken cancellationToken)
    {
        _isRunning = false;
        _timer?.Dispose();
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    public Task StoppedAsync(CancellationToken cancellationToken) => Task.CompletedTask;

    /// <summary>One look at the files.</summary>
    public void Look()
    {
        lock (_lock)
        {
            var now = start.Source.HashNow();
            var isStill = now.AsSpan().SequenceEqual(_seen);
            _seen = now;
            if (!isStill || now.AsSpan().SequenceEqual(_taken))
                return;
            _taken = now;
        }

        Reloading = ReloadAsync("the file has changed");
    }

    public void Dispose()
    {
        _timer?.Dispose();
        _signal?.Dispose();
    }

    private async Task ReloadAsync(string by)
    {
        try
        {
            var reload = await control.ReloadAsync(by).ConfigureAwait(false);
            reload.Tell(audit(), caller: null);
        }
#pragma warning disable CA1031 // Nobody waits for it.
        catch (Exception error)
#pragma warning restore CA1031
        {
            Contained.Report(error, LogLookFailed);
        }
    }

    [LoggerMessage(
        EventId = 5509, Level = LogLevel.Error,
        Message = "A fault of ours ended a look at the configuration's files. The next one comes in two seconds")]
    private partial void LogLookFailed(Exception exception);
}
