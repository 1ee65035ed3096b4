using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Gateway.Transport.Tests.Certificates;

internal sealed class RecordedLogs : ILoggerProvider, ILogger
{
    public ConcurrentQueue<(LogLevel Level, string Text)> Lines { get; } = new();

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception, Func<TState, Exception?,
            string> formatter) =>
        Lines.Enqueue((logLevel, formatter(state, exception)));

    public void Dispose()
    {
    }
}
