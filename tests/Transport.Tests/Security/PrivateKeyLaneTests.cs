using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;

namespace Gateway.Transport.Tests.Security;

public sealed class PrivateKeyLaneTests
{
    private static readonly TransportLimits OneWorker =
        new() { PrivateKeyWorkers = 1, MaxPrivateKeyQueueLength = 3, PrivateKeyDeadline = TimeSpan.FromSeconds(5) };

    [Fact]
    public async Task RunAsync_Work_RunsOffTheThread()
    {
        using var lane = new PrivateKeyLane(OneWorker, TimeProvider.System);

        var name = await lane.RunAsync(() => Thread.CurrentThread.Name);

        Assert.Equal("private-key 0", name);
    }

    [Fact]
    public async Task TryRun_QueueFull_RefusedAndCounted()
    {
        using var counters = new TransportCounters();
        using var lane = new PrivateKeyLane(OneWorker, TimeProvider.System, counters);
        using var release = new ManualResetEventSlim();
        var busy = await OccupyAsync(lane, release);
        for (var i = 0; i < 3; i++)
            Assert.True(lane.TryRun(new Work([], "x")));

        Assert.False(lane.TryRun(new Work([], "x")));
        Assert.Equal(1, counters.PrivateKeyRefusals);
        await Assert.ThrowsAsync<PrivateKeyLaneBusyException>(async () => await lane.RunAsync(() => 1));
        release.Set();
        await busy;
    }

    [Fact]
    public async Task TryRun_RenewalBehindStrangers_GoesFirst()
    {
        using var lane = new PrivateKeyLane(OneWorker, TimeProvider.System);
        using var release = new ManualResetEventSlim();
        var busy = await OccupyAsync(lane, release);
        List<string> order = [];
        lane.TryRun(new Work(order, "stranger"), LaneClass.Stranger);
        lane.TryRun(new Work(order, "known"), LaneClass.Known);
        Assert.True(lane.TryRunAsync(() => order.ToArray(), out var live, LaneClass.Live));
        release.Set();
        await busy;

        Assert.Empty(await live);
        Assert.Equal(["known", "stranger"], await lane.RunAsync(order.ToArray));
    }

    [Fact]
    public async Task TryRun_WaitedPastTheDeadline_DroppedUnserved()
    {
        var time = new ManualTimeProvider();
        using var counters = new TransportCounters();
        using var lane = new PrivateKeyLane(OneWorker, time, counters);
        using var release = new ManualResetEventSlim();
        var busy = await OccupyAsync(lane, release);
        Assert.True(lane.TryRunAsync(() => 1, out var late));
        time.Advance(TimeSpan.FromSeconds(6));
        release.Set();
        await busy;

        await Assert.ThrowsAsync<PrivateKeyLaneBusyException>(async () => await late);
        Assert.Equal(1, counters.PrivateKeyExpirations);
    }

    private static async Task<Task> OccupyAsync(PrivateKeyLane lane, ManualResetEventSlim release)
    {
        var started = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        lane.TryRunAsync(() =>
        {
            started.SetResult();
            release.Wait();
            return 0;
        }, out var result);
        await started.Task;
        return result.AsTask();
    }

    private sealed class Work(List<string> order, string name) : PrivateKeyWork
    {
        public override void Execute() => order.Add(name);

        public override void Drop(RefusalReason reason) => order.Add(reason + " " + name);
    }
}
