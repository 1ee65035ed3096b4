using Gateway.Loadtest.Scenarios.Abuse;
using Gateway.Testing;

namespace Gateway.Loadtest.Tests.Scenarios.Abuse;

public sealed class PaceTests
{
    private readonly ManualTimeProvider _time = new();

    [Fact]
    public async Task RunAsync_AsManyAsTheRateGives_AllAreBegun()
    {
        var pace = new Pace(100, most: 50, _time);

        await AdvanceAsync(pace, pace.RunAsync(2, _ => Task.CompletedTask, CancellationToken.None));

        Assert.Equal(200, pace.Begun);
        Assert.Equal(0, pace.Skipped);
    }

    [Fact]
    public async Task RunAsync_NothingEnds_MoreThanTheMostIsSkippedAndNotMadeUpFor()
    {
        var pace = new Pace(100, most: 50, _time);
        var never = new TaskCompletionSource();

        var running = pace.RunAsync(2, _ => never.Task, CancellationToken.None);
        for (var i = 0; i < 100_000 && pace.Begun + pace.Skipped < 200; i++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(10));
            await Task.Yield();
        }

        never.SetResult();
        await AdvanceAsync(pace, running);

        Assert.Equal(50, pace.Begun);
        Assert.Equal(150, pace.Skipped);
    }

    [Fact]
    public async Task RunAsync_Cancelled_Ends()
    {
        var pace = new Pace(100, most: 50, _time);
        using var cancelled = new CancellationTokenSource();
        await cancelled.CancelAsync();

        await pace.RunAsync(2, _ => Task.CompletedTask, cancelled.Token);

        Assert.Equal(0, pace.Begun);
    }

    /// <summary>One step is one that is begun: the clock does not run ahead of a run whose thread is late.</summary>
    private async Task AdvanceAsync(Pace pace, Task running)
    {
        for (var step = 1; !running.IsCompleted; step++)
        {
            _time.Advance(TimeSpan.FromMilliseconds(10));
            for (var i = 0; i < 10_000 && !running.IsCompleted && pace.Begun + pace.Skipped < step; i++)
                await Task.Yield();
        }

        await running;
    }
}
