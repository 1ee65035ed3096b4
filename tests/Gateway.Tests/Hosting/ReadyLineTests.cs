using System.Collections.Concurrent;
using Gateway.Tests.Http;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Hosting;

public sealed class ReadyLineTests
{
    /// <summary>In JSON every line is a JSON object, this one too; in text it stands alone, as scripts wait for
    /// it.</summary>
    [Theory]
    [InlineData("json", 1)]
    [InlineData("simple", 0)]
    public async Task Started_LogFormat_ReadyLineInThatFormat(string format, int logged)
    {
        using var log = new RecordingProvider();
        await using var gateway = await RunningGateway.StartAsync(
            application => application.Services.GetRequiredService<ILoggerFactory>().AddProvider(log),
            $"--Log:Format={format}");

        Assert.Equal(logged, log.Lines.Count(line =>
            line.StartsWith("Gateway ready: opc.tcp://127.0.0.1:", StringComparison.Ordinal)));
    }

    private sealed class RecordingProvider : ILoggerProvider, ILogger
    {
        public ConcurrentQueue<string> Lines { get; } = new();

        public ILogger CreateLogger(string categoryName) => this;

        public void Dispose()
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => Lines.Enqueue(formatter(state, exception));
    }
}
