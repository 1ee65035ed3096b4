using Microsoft.Extensions.Logging;

namespace Gateway.Server.Tests.Support;

/// <summary>Keeps the lines of all loggers, as text.</summary>
internal sealed class LogRecorder : ILoggerFactory, ILogger
{
    public List<string> Lines { get; } = [];

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) => Lines.Add(formatter(state, exception));

    public void Dispose()
    {
    }
}
