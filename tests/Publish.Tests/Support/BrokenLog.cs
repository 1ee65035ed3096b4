using Microsoft.Extensions.Logging;

namespace Gateway.Publish.Tests.Support;

/// <summary>A log that has no memory for its lines.</summary>
internal sealed class BrokenLog : ILogger<PublishEngine>
{
    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel, EventId eventId, TState state, Exception? exception,
        Func<TState, Exception?, string> formatter) => throw new InsufficientMemoryException();
}
