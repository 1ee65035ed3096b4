using Gateway.Admission.Explain;
using Gateway.Transport.Timing;

namespace Gateway.Host.Http;

/// <summary>Keeps the explainer's time, and writes one line a minute in which anything was refused (R24).</summary>
internal sealed partial class AdmissionReporter(
    AdmissionExplainer explainer, TimeProvider time, ILogger<AdmissionReporter> logger) : IHostedService, IDisposable
{
    private static readonly long TicksPerMinute = TimeSpan.TicksPerMinute / AdmissionExplainer.TickInterval.Ticks;

    private ITimer? _timer;
    private long _ticks;

    public Task StartAsync(CancellationToken cancellationToken)
    {
        _timer = Contained.Every(time, AdmissionExplainer.TickInterval, Tick, LogTickFailed);
        return Task.CompletedTask;
    }

    public Task StopAsync(CancellationToken cancellationToken)
    {
        Dispose();
        return Task.CompletedTask;
    }

    public void Dispose() => _timer?.Dispose();

    private void Tick()
    {
        if (Interlocked.Increment(ref _ticks) % TicksPerMinute == 0 && logger.IsEnabled(LogLevel.Warning) &&
            MinuteSummary.Of(explainer.Report()) is { } line)
            LogMinute(line);
        explainer.Tick();
    }

    [LoggerMessage(EventId = 8070, Level = LogLevel.Warning, Message = "Admission: {Summary}")]
    private partial void LogMinute(string summary);

    [LoggerMessage(EventId = 8071, Level = LogLevel.Error, Message = "The summary of what admission refused failed")]
    private partial void LogTickFailed(Exception error);
}
