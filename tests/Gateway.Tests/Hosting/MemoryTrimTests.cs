using Gateway.Host.Hosting;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Microsoft.Extensions.Logging;

namespace Gateway.Tests.Hosting;

public sealed class MemoryTrimTests
{
    /// <summary>It is a work item of the pool: an error that left it would end the process (R40).</summary>
    [Fact]
    public async Task Turn_Fails_IsLoggedAndTheNextOneComes()
    {
        var time = new ManualTimeProvider();
        var log = new ErrorLog();
        using var trim = new MemoryTrim(
            new MemoryBudget(1), static () => throw new InvalidOperationException("no memory"), time, log);
        trim.Start();
        for (var turn = 1; turn <= 2; turn++)
        {
            time.Advance(4_000);
            Assert.IsType<InvalidOperationException>(await log.NextAsync());
        }
    }

    private sealed class ErrorLog : ILogger<MemoryTrim>
    {
        private readonly System.Threading.Channels.Channel<Exception?> _errors =
            System.Threading.Channels.Channel.CreateUnbounded<Exception?>();

        public Task<Exception?> NextAsync() =>
            _errors.Reader.ReadAsync().AsTask().WaitAsync(Patience.Limit);

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => _errors.Writer.TryWrite(exception);
    }
}
