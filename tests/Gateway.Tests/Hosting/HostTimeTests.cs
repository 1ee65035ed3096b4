using Gateway.Host.Hosting;
using Gateway.Testing;

namespace Gateway.Tests.Hosting;

public sealed class HostTimeTests
{
    private static readonly TimeSpan Tick = TimeSpan.FromMilliseconds(1);

    private readonly HostTime _time = new();
    private readonly TaskCompletionSource _seen = new(TaskCreationOptions.RunContinuationsAsynchronously);
    private readonly List<(int Thread, bool IsPool)> _ticks = [];

    [Fact]
    public async Task CreateTimer_ShortPeriod_TicksOnOneThreadOutsideThePool()
    {
        await using (CreateTimer(Tick, Tick))
            await _seen.Task.WaitAsync(Patience.Limit);

        Assert.True(_ticks.Count >= 3);
        Assert.Single(_ticks.Distinct());
        Assert.False(_ticks[0].IsPool);
    }

    [Fact]
    public async Task DisposeAsync_Done_NoTickRunsAnyMoreAndNoneCanBeAskedFor()
    {
        var timer = CreateTimer(Tick, Tick);
        await _seen.Task.WaitAsync(Patience.Limit);
        await timer.DisposeAsync();
        await timer.DisposeAsync();

        Assert.False(timer.Change(TimeSpan.Zero, Tick));
    }

    [Fact]
    public async Task Change_ATimerThatWaitsForEver_TicksThen()
    {
        await using var timer = CreateTimer(Timeout.InfiniteTimeSpan, Tick);
        Assert.Empty(_ticks);

        Assert.True(timer.Change(TimeSpan.Zero, Tick));
        await _seen.Task.WaitAsync(Patience.Limit);
    }

    [Theory]
    [InlineData(0.3)]
    [InlineData(1.4)]
    [InlineData(9.7)]
    public async Task Change_ToPartsOfAMillisecond_NeverTicksBefore(double milliseconds)
    {
        var due = TimeSpan.FromMilliseconds(milliseconds);
        var ticked = new TaskCompletionSource<long>(TaskCreationOptions.RunContinuationsAsynchronously);
        await using var timer = _time.CreateTimer(
            _ => ticked.TrySetResult(_time.GetTimestamp()), null, Timeout.InfiniteTimeSpan, Tick);

        var start = _time.GetTimestamp();
        timer.Change(due, Tick);

        Assert.True(_time.GetElapsedTime(start, await ticked.Task.WaitAsync(Patience.Limit)) >= due);
    }

    [Fact]
    public async Task CreateTimer_NoPeriodOrALongOne_IsTheRuntimes()
    {
        await using var once = CreateTimer(Timeout.InfiniteTimeSpan, Timeout.InfiniteTimeSpan);
        await using var seldom = CreateTimer(Timeout.InfiniteTimeSpan, TimeSpan.FromSeconds(1));
        await using var often = CreateTimer(Timeout.InfiniteTimeSpan, TimeSpan.FromMilliseconds(100));

        Assert.IsNotType<TickThread>(once);
        Assert.IsNotType<TickThread>(seldom);
        Assert.IsType<TickThread>(often);
    }

    private ITimer CreateTimer(TimeSpan dueTime, TimeSpan period) =>
        _time.CreateTimer(static test => ((HostTimeTests)test!).OnTick(), this, dueTime, period);

    private void OnTick()
    {
        _ticks.Add((Environment.CurrentManagedThreadId, Thread.CurrentThread.IsThreadPoolThread));
        if (_ticks.Count == 3)
            _seen.SetResult();
    }
}
