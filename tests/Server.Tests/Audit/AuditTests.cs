using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Tests.Audit;

public sealed class AuditTests
{
    [Fact]
    public async Task Session_CreatedAndActivated_IsLogged()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = fixture.Connect();
        await client.CreateSessionAsync(new CreateSessionRequest { SessionName = "bad\nname\u2028\u007f" });
        await client.ActivateAsync("operator");
        Assert.Contains(log.Lines, line => line.Contains("SessionCreated", StringComparison.Ordinal));
        var activated = Assert.Single(log.Lines, line => line.Contains("SessionActivated", StringComparison.Ordinal));
        Assert.Contains("'operator'", activated, StringComparison.Ordinal);
        Assert.All(log.Lines, line => Assert.DoesNotContain('\n', line));
        Assert.Contains("bad\\u000Aname\\u2028\\u007F", activated, StringComparison.Ordinal);
    }

    [Fact]
    public async Task Refusals_Flood_AreCountedAndCut()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = fixture.Connect();
        for (var i = 0; i < 100; i++)
            Assert.Equal(
                StatusCodes.BadServerUriInvalid, await client.FaultAsync(new CreateSessionRequest { ServerUri = "x" }));
        var limit = fixture.Options.Limits.MaxAuditLinesPerSecond;
        Assert.Equal(limit, log.Lines.Count);
        Assert.Equal(100, fixture.Server.Counters.SessionsRefused);
        fixture.Time.Advance(1000);
        await client.FaultAsync(new CreateSessionRequest { ServerUri = "x" });
        Assert.Contains($"({100 - limit} lines of this kind dropped before)", log.Lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public async Task Write_RefusedByRole_IsLoggedWithItsNode()
    {
        var log = new LogRecorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = await fixture.ConnectAsync("observer");
        await client.CallAsync<WriteResponse>(new WriteRequest
        {
            NodesToWrite =
            [
                new WriteValue { NodeId = TestPlant.Int32, AttributeId = 13, Value = new DataValue(new Variant(1)) },
            ],
        });
        var line = Assert.Single(log.Lines, text => text.Contains("WriteRefused", StringComparison.Ordinal));
        Assert.Contains("Int32", line, StringComparison.Ordinal);
        Assert.Contains("BadUserAccessDenied", line, StringComparison.Ordinal);
    }

    private sealed class LogRecorder : ILoggerFactory, ILogger
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
}
