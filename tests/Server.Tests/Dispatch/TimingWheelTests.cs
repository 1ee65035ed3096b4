using Gateway.Server.Dispatch;
using Gateway.Testing;
using Microsoft.Extensions.Logging;
using Microsoft.Extensions.Logging.Abstractions;

namespace Gateway.Server.Tests.Dispatch;

public sealed class TimingWheelTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly TimingWheel _wheel;

    public TimingWheelTests() => _wheel = new TimingWheel(_time, NullLogger.Instance);

    public void Dispose() => _wheel.Dispose();

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(99)]
    [InlineData(100)]
    [InlineData(102_399)]
    [InlineData(102_400)]
    [InlineData(3_600_000)]
    public void Schedule_Delay_NeverEarlyAndLateByATickAtMost(double delayMs)
    {
        _time.Advance(37);
        var entry = new Entry();
        _wheel.Schedule(entry, TimeSpan.FromMilliseconds(delayMs));
        _time.Advance(Math.Max(0, delayMs - 1));
        Assert.Equal(0, entry.Calls);
        _time.Advance(201);
        Assert.Equal(1, entry.Calls);
        _time.Advance(200_000);
        Assert.Equal(1, entry.Calls);
    }

    [Fact]
    public void Schedule_Again_MovesTheDeadline()
    {
        var entry = new Entry();
        _wheel.Schedule(entry, TimeSpan.FromSeconds(1));
        _wheel.Schedule(entry, TimeSpan.FromSeconds(5));
        _time.Advance(4900);
        Assert.Equal(0, entry.Calls);
        _time.Advance(300);
        Assert.Equal(1, entry.Calls);
    }

    [Fact]
    public void Cancel_Scheduled_IsNotCalled()
    {
        var (first, second) = (new Entry(), new Entry());
        _wheel.Schedule(first, TimeSpan.FromSeconds(1));
        _wheel.Schedule(second, TimeSpan.FromSeconds(1));
        _wheel.Cancel(first);
        _wheel.Cancel(first);
        _time.Advance(2000);
        Assert.Equal(0, first.Calls);
        Assert.Equal(1, second.Calls);
    }

    [Fact]
    public void OnDue_Throws_OthersAreStillCalled()
    {
        var good = new Entry();
        _wheel.Schedule(new Entry { Throws = true }, TimeSpan.FromSeconds(1));
        _wheel.Schedule(good, TimeSpan.FromSeconds(1));
        _wheel.Schedule(new Entry { Throws = true }, TimeSpan.FromSeconds(1));
        _time.Advance(2000);
        Assert.Equal(1, good.Calls);
    }

    /// <summary>A log that fails as well would end the process: the timer's thread is nobody's (R40).</summary>
    [Fact]
    public void OnDue_ThrowsAndSoDoesTheLog_OthersAreStillCalled()
    {
        using var wheel = new TimingWheel(_time, new FailingLog());
        var good = new Entry();
        wheel.Schedule(new Entry { Throws = true }, TimeSpan.FromSeconds(1));
        wheel.Schedule(good, TimeSpan.FromSeconds(1));
        wheel.Schedule(new Entry { Throws = true }, TimeSpan.FromSeconds(1));
        _time.Advance(2000);
        Assert.Equal(1, good.Calls);
    }

    private sealed class FailingLog : ILogger
    {
        public IDisposable? BeginScope<TState>(TState state)
            where TState : notnull => null;

        public bool IsEnabled(LogLevel logLevel) => true;

        public void Log<TState>(
            LogLevel logLevel, EventId eventId, TState state, Exception? exception,
            Func<TState, Exception?, string> formatter) => throw new InsufficientMemoryException();
    }

    private sealed class Entry : WheelEntry
    {
        public int Calls { get; private set; }

        public bool Throws { get; init; }

        internal override void OnDue()
        {
            Calls++;
            if (Throws)
                throw new InvalidOperationException();
        }
    }
}
