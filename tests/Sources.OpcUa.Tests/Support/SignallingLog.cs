using System.Threading.Channels;
using Gateway.Testing;
using Microsoft.Extensions.Logging;

namespace Gateway.Sources.OpcUa.Tests.Support;

/// <summary>Lets a test await what the code under test has logged, event by event.</summary>
internal sealed class SignallingLog : ILoggerFactory, ILogger
{
    private readonly Channel<(int Id, string Text)> _events = Channel.CreateUnbounded<(int, string)>();

    public List<string> Texts { get; } = [];

    /// <summary>The text of the next event with that id; others before it are passed over.</summary>
    public async Task<string> NextAsync(int id)
    {
        using var limit = new CancellationTokenSource(Patience.Limit);
        while (true)
        {
            var (found, text) = await _events.Reader.ReadAsync(limit.Token);
            Texts.Add(text);
            if (found == id)
                return text;
        }
    }

    public ILogger CreateLogger(string categoryName) => this;

    public void AddProvider(ILoggerProvider provider)
    {
    }

    public void Dispose()
    {
    }

    public IDisposable? BeginScope<TState>(TState state)
        where TState : notnull => null;

    public bool IsEnabled(LogLevel logLevel) => true;

    public void Log<TState>(
        LogLevel logLevel,
        EventId eventId,
        TState state,
        Exception? exception,
        Func<TState, Exception?, string> formatter) =>
        _events.Writer.TryWrite((eventId.Id, formatter(state, exception)));
}
