using Gateway.Loadtest.Machine;

namespace Gateway.Loadtest.Tests.Machine;

public sealed class WindowTests
{
    private static readonly ProcessSample Start = new(0, 1, 100, 5, 1000, null);
    private static readonly ProcessSample End = new(
        2 * TimeProvider.System.TimestampFrequency, 2.5, 300, 6, 3000, null);

    [Fact]
    public void Rates_BothKnown_AreDifferences()
    {
        var window = new Window(Start, End, Start, End);

        Assert.Equal(2, window.Seconds, 6);
        Assert.Equal(1.5, window.ServerCpuSeconds, 6);
        Assert.Equal(0.75, window.ServerCores, 6);
        Assert.Equal(300, window.ServerResidentBytes);
        Assert.Equal(1000, window.ServerSwitchesPerSecond, 6);
    }

    [Fact]
    public void Server_NotKnown_IsNaN()
    {
        var window = new Window(null, null, Start, End);

        Assert.True(double.IsNaN(window.ServerCpuSeconds));
        Assert.True(double.IsNaN(window.ServerResidentBytes));
        Assert.True(double.IsNaN(window.ServerAllocatedMegabytesPerSecond));
        Assert.Equal(0.75, window.DriverCores, 6);
    }

    [Fact]
    public void Allocated_RuntimeTells_IsOverTheTimeOfItsCounters()
    {
        var from = Start with { Runtime = new RuntimeCounters(0, 1_000_000, 1, 1, 1, 0, 0) };
        var to = End with
        {
            Runtime = new RuntimeCounters(TimeSpan.TicksPerSecond, 3_000_000, 5, 2, 1, TimeSpan.TicksPerMillisecond, 0),
        };
        var window = new Window(from, to, Start, End);

        Assert.Equal(2, window.ServerAllocatedMegabytesPerSecond, 6);
        Assert.Equal(4, window.ServerGen0);
        Assert.Equal(0, window.ServerGen2);
        Assert.Equal(1, window.ServerPauseMs, 6);
    }
}
