using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Tests.Support;
using Microsoft.Extensions.Logging;

namespace Gateway.Server.Tests.Dispatch;

/// <summary>What a failing source leaves in the log: its failures are a peer's, not ours (R24).</summary>
public sealed class DelayedCallsTests
{
    [Fact]
    public async Task Read_SourceThrows_OneLineWithoutATrace()
    {
        var log = new Recorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = await fixture.ConnectAsync();
        fixture.Source.Fault = new IOException("gone\r\nAudit forged", new TimeoutException("5 s"));
        log.Entries.Clear();

        Assert.Equal(
            StatusCodes.BadInternalError,
            await client.FaultAsync(new ReadRequest
            {
                NodesToRead = [new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value }],
            }));

        var (text, exception) = Assert.Single(log.Entries);
        Assert.Null(exception);
        Assert.EndsWith(
            @"IOException: gone\u000D\u000AAudit forged <- TimeoutException: 5 s", text, StringComparison.Ordinal);
    }

    /// <summary>Memory was short for a moment: no fault of ours, and none of the source (R40).</summary>
    [Fact]
    public async Task Read_SourceHasNoMemory_BadOutOfMemoryAndNothingInTheLog()
    {
        var log = new Recorder();
        using var fixture = new ServerFixture(loggers: log);
        var client = await fixture.ConnectAsync();
        fixture.Source.Fault = new InsufficientMemoryException();
        log.Entries.Clear();

        Assert.Equal(
            StatusCodes.BadOutOfMemory,
            await client.FaultAsync(new ReadRequest
            {
                NodesToRead = [new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value }],
            }));
        Assert.Empty(log.Entries);
    }

    /// <summary>R40.</summary>
    [Theory]
    [InlineData(false, StatusCodes.BadInternalError)]
    [InlineData(true, StatusCodes.BadOutOfMemory)]
    public async Task Read_AnswerCannotBeWritten_TheClientIsTold(bool isMemoryShort, uint status)
    {
        using var fixture = new ServerFixture();
        var client = await fixture.ConnectAsync();
        Exception error = isMemoryShort
            ? new InsufficientMemoryException()
            : new InvalidOperationException("cannot be written");
        fixture.Source.Value = new DataValue(new Variant(new ExtensionObject(new Unwritable(error))));

        Assert.Equal(
            status,
            await client.FaultAsync(new ReadRequest
            {
                NodesToRead = [new ReadValueId { NodeId = TestPlant.Slow, AttributeId = (uint)AttributeId.Value }],
            }));
    }

    /// <summary>Its size can be counted, by writing it once.</summary>
    private sealed class Unwritable(Exception error) : IStructure
    {
        private int _times;

        public uint DataTypeId => 1;

        public uint BinaryEncodingId => 2;

        public void Encode(ref UaBinaryWriter writer)
        {
            if (_times++ > 0)
                throw error;
        }
    }

    private sealed class Recorder : ILoggerFactory, ILogger
    {
        public List<(string Text, Exception? Exception)> Entries { get; } = [];

        public ILogger CreateLogger(string categoryName) => this;

        public void AddProvider(ILoggerProvider provider)
        {
        }

        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => logLevel >= LogLevel.Information;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => Entries.Add((formatter(state, exception), exception));

        public void Dispose()
        {
        }
    }
}
