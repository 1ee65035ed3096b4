using System.Collections.Concurrent;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Logging;

/// <summary>Keeps what a running gateway logs, as text.</summary>
internal sealed class LogLines : ILoggerProvider, ILogger
{
    public ConcurrentQueue<string> Lines { get; } = new();

    public ILogger CreateLogger(string categoryName) => this;

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) => Lines.Enqueue(formatter(state, exception));

    public void Dispose()
    {
    }
}
