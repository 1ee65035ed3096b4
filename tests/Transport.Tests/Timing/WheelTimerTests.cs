using Gateway.Testing;
using Gateway.Transport.Timing;

namespace Gateway.Transport.Tests.Timing;

public sealed class WheelTimerTests : IDisposable
{
    private static readonly TimeSpan Resolution = TimeSpan.FromMilliseconds(100);

    private readonly ManualTimeProvider _time = new();
    private readonly List<Exception> _faults = [];
    private readonly WheelTimer _wheel;

    public WheelTimerTests() => _wheel = new WheelTimer(_time, Resolution, 1024, _faults.Add);

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
    public void Schedule_ForEver_IsNotCalled()
    {
        var entry = new Entry();
        _wheel.Schedule(entry, TimeSpan.MaxValue);
        _time.Advance(TimeSpan.FromHours(1));
        Assert.Equal(0, entry.Calls);
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
        using var wheel = new WheelTimer(
            _time, Resolution, 1024, static _ => throw new InsufficientMemoryException());
        var good = new Entry();
        wheel.Schedule(new Entry { Throws = true }, TimeSpan.FromSeconds(1));
        wheel.Schedule(good, TimeSpan.FromSeconds(1));
        wheel.Schedule(new Entry { Throws = true }, TimeSpan.FromSeconds(1));
        _time.Advance(2000);
        Assert.Equal(1, good.Calls);
    }

    [Fact]
    public void ScheduleEarlier_LaterTime_StaysWhereItIs()
    {
        var entry = new Entry();
        _wheel.ScheduleEarlier(entry, In(20));
        _wheel.ScheduleEarlier(entry, In(2));
        _wheel.ScheduleEarlier(entry, In(10));
        _time.Advance(1_900);
        Assert.Equal(0, entry.Calls);
        _time.Advance(300);
        Assert.Equal(1, entry.Calls);
        _time.Advance(30_000);
        Assert.Equal(1, entry.Calls);
    }

    [Fact]
    public void Turn_ManyTicksMissed_AllDueCalled()
    {
        var entries = Enumerable.Range(0, 100).Select(_ => new Entry()).ToArray();
        for (var i = 0; i < entries.Length; i++)
            _wheel.Schedule(entries[i], TimeSpan.FromSeconds(i));
        _time.Advance(500_000);
        Assert.All(entries, entry => Assert.Equal(1, entry.Calls));
    }

    private long In(double seconds) => _time.GetTimestamp() + (long)(seconds * _time.TimestampFrequency);

    private sealed class Entry : TimerEntry
    {
        public int Calls { get; private set; }

        public bool Throws { get; init; }

        public override void OnDue(long now)
        {
            Calls++;
            if (Throws)
                throw new InvalidOperationException();
        }
    }
}
