using Gateway.Client.Requests;
using Gateway.Testing;

namespace Gateway.Client.Tests.Requests;

public sealed class DeadlineWheelTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly DeadlineWheel _wheel;

    public DeadlineWheelTests() => _wheel = new DeadlineWheel(_time);

    public void Dispose() => _wheel.Dispose();

    [Theory]
    [InlineData(0.25)]
    [InlineData(51.2)]
    [InlineData(200)]
    public void Schedule_TimePasses_CalledOnceNotBeforeAndSoonAfter(double seconds)
    {
        var entry = new Entry();
        _wheel.Schedule(entry, In(seconds));
        Advance(seconds - 0.05);
        Assert.Equal(0, entry.Calls);
        Advance(0.25);
        Assert.Equal(1, entry.Calls);
        Advance(120);
        Assert.Equal(1, entry.Calls);
    }

    [Fact]
    public void Schedule_EarlierTime_MovesTheEntry()
    {
        var entry = new Entry();
        _wheel.Schedule(entry, In(20));
        _wheel.Schedule(entry, In(2));
        _wheel.Schedule(entry, In(10));
        Advance(2.2);
        Assert.Equal(1, entry.Calls);
        Advance(30);
        Assert.Equal(1, entry.Calls);
    }

    [Fact]
    public void Remove_OneOfASlot_OthersStillCalled()
    {
        Entry[] entries = [new(), new(), new()];
        foreach (var entry in entries)
            _wheel.Schedule(entry, In(1));
        _wheel.Remove(entries[1]);
        _wheel.Remove(entries[1]);
        Advance(1.2);
        Assert.Equal([1, 0, 1], entries.Select(entry => entry.Calls));
    }

    [Fact]
    public void Turn_ManyTicksMissed_AllDueCalled()
    {
        var entries = Enumerable.Range(0, 100).Select(_ => new Entry()).ToArray();
        for (var i = 0; i < entries.Length; i++)
            _wheel.Schedule(entries[i], In(i));
        _time.Advance(TimeSpan.FromSeconds(500));
        Advance(0.2);
        Assert.All(entries, entry => Assert.Equal(1, entry.Calls));
    }

    private long In(double seconds) => _time.GetTimestamp() + (long)(seconds * _time.TimestampFrequency);

    private void Advance(double seconds) => _time.Advance(TimeSpan.FromSeconds(seconds));

    private sealed class Entry : WheelEntry
    {
        public int Calls { get; private set; }

        internal override void OnDue(long now) => Calls++;
    }
}
