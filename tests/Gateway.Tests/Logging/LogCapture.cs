using Gateway.Host.Logging;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Tests.Logging;

/// <summary>Loggers that write through the program's own formatter, into a string.</summary>
internal sealed class LogCapture(LogThrottle throttle, bool asJson) : ILoggerFactory
{
    private readonly GuardedFormatter _formatter = new(ConsoleLog.MakeFormatter(asJson), throttle);

    public StringWriter Text { get; } = new();

    public string[] Lines => Text.ToString().Split('\n', StringSplitOptions.RemoveEmptyEntries);

    public ILogger CreateLogger(string categoryName) => new Logger(this, categoryName);

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public void Dispose() => Text.Dispose();

    private sealed class Logger(LogCapture capture, string category) : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => capture._formatter.Write(
                new LogEntry<TState>(logLevel, category, eventId, state, exception, formatter), null, capture.Text);
    }
}
