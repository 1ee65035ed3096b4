using Gateway.Admission;
using Gateway.Admission.Explain;
using Gateway.Admission.Stages;
using Gateway.Host.Http;
using Gateway.Testing;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Http;

public sealed class AdmissionReporterTests : ILogger<AdmissionReporter>
{
    private readonly ManualTimeProvider _time = new();
    private readonly List<string> _lines = [];

    [Fact]
    public async Task Minute_NothingRefused_Silent()
    {
        using var reporter = Reporter(out _);
        await reporter.StartAsync(default);

        _time.Advance(TimeSpan.FromMinutes(10));

        Assert.Empty(_lines);
    }

    [Fact]
    public async Task Minute_ManyRefused_OneLine()
    {
        using var reporter = Reporter(out var control);
        await reporter.StartAsync(default);
        for (var i = 0; i < 5_000; i++)
            control.Stages.Shed(AdmissionStage.Connection, RefusalReason.WaitedTooLong);

        _time.Advance(TimeSpan.FromMinutes(3));

        Assert.StartsWith(
            "Admission: 5,000 refused in the last minute (connection waited_too_long 5,000)", Assert.Single(_lines));
    }

    [Fact]
    public async Task Minute_AfterStop_Silent()
    {
        using var reporter = Reporter(out var control);
        await reporter.StartAsync(default);
        await reporter.StopAsync(default);
        control.Stages.Shed(AdmissionStage.Connection, RefusalReason.WaitedTooLong);

        _time.Advance(TimeSpan.FromMinutes(2));

        Assert.Empty(_lines);
    }

    IDisposable? ILogger.BeginScope<TState>(TState state) => null;

    bool ILogger.IsEnabled(LogLevel logLevel) => true;

    void ILogger.Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) => _lines.Add(formatter(state, exception));

    private AdmissionReporter Reporter(out AdmissionControl control)
    {
        control = new AdmissionControl(new AdmissionLimits(), _time, true, 200);
        return new AdmissionReporter(
            new AdmissionExplainer(control, new Dictionary<string, object>()), _time, this);
    }
}
