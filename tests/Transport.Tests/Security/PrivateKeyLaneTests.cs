using Gateway.Admission;
using Gateway.Admission.Lanes;
using Gateway.Admission.Stages;
using Gateway.Testing;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Support;
using Gateway.Transport.Timing;

namespace Gateway.Transport.Tests.Security;

public sealed class PrivateKeyLaneTests
{
    private const long Late = 500 * TimeSpan.TicksPerMillisecond;

    private static readonly TransportLimits OneWorker =
        new() { PrivateKeyWorkers = 1, MaxPrivateKeyQueueLength = 3, PrivateKeyDeadline = TimeSpan.FromSeconds(5) };

    [Fact]
    public async Task RunAsync_Work_RunsOffTheThread()
    {
        using var lane = TestTransport.MakeLane(OneWorker, TimeProvider.System);

        var name = await lane.RunAsync(() => Thread.CurrentThread.Name);

        Assert.Equal("private-key 0", name);
    }

    [Fact]
    public async Task TryRun_QueueFull_RefusedAndCounted()
    {
        using var counters = TestTransport.MakeCounters();
        using var lane = TestTransport.MakeLane(OneWorker, TimeProvider.System, counters);
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
        using var lane = TestTransport.MakeLane(OneWorker, TimeProvider.System);
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
        using var counters = TestTransport.MakeCounters();
        using var lane = TestTransport.MakeLane(OneWorker, time, counters);
        using var release = new ManualResetEventSlim();
        var busy = await OccupyAsync(lane, release);
        Assert.True(lane.TryRunAsync(() => 1, out var late));
        time.Advance(TimeSpan.FromSeconds(6));
        release.Set();
        await busy;

        await Assert.ThrowsAsync<PrivateKeyLaneBusyException>(async () => await late);
        Assert.Equal(1, counters.PrivateKeyExpirations);
    }

    [Fact]
    public void Pump_OneOfEachClass_InTheirOrder()
    {
        using var lane = TestTransport.MakeLane(ByHand(10), new ManualTimeProvider());
        List<string> order = [];
        foreach (var name in new[] { LaneClass.Stranger, LaneClass.Known, LaneClass.Begun, LaneClass.Live })
            Assert.True(lane.TryRun(new Work(order, name.ToString()), name));
        while (lane.Pump())
        {
        }

        Assert.Equal(["Live", "Begun", "Known", "Stranger"], order);
    }

    [Fact]
    public void Pump_AdmissionSwitchedOff_FirstInFirstOut()
    {
        var time = new ManualTimeProvider();
        using var lane = TestTransport.MakeLane(
            ByHand(10), time, null, new AdmissionControl(new AdmissionLimits(), time, false, 200));
        List<string> order = [];
        foreach (var name in new[] { LaneClass.Stranger, LaneClass.Known, LaneClass.Begun, LaneClass.Live })
            Assert.True(lane.TryRun(new Work(order, name.ToString()), name, new FairShare(), new FairShare()));
        while (lane.Pump())
        {
        }

        Assert.Equal(["Stranger", "Known", "Begun", "Live"], order);
    }

    [Fact]
    public void Remove_Waiting_NeitherServedNorDropped()
    {
        using var lane = TestTransport.MakeLane(ByHand(10), new ManualTimeProvider());
        List<string> order = [];
        var gone = new Work(order, "gone");
        lane.TryRun(gone);
        lane.TryRun(new Work(order, "there"));

        Assert.True(lane.Remove(gone));
        Assert.False(lane.Remove(gone));
        while (lane.Pump())
        {
        }

        Assert.Equal(["there"], order);
    }

    [Fact]
    public void TryRun_FullOfStrangers_OneGivesWayToAKnownOne()
    {
        using var counters = TestTransport.MakeCounters();
        using var lane = TestTransport.MakeLane(ByHand(2), new ManualTimeProvider(), counters);
        List<string> order = [];
        lane.TryRun(new Work(order, "first"));
        lane.TryRun(new Work(order, "second"));

        Assert.True(lane.TryRun(new Work(order, "known"), LaneClass.Known));
        Assert.Equal(["Displaced second"], order);
        Assert.Equal(1, counters.PrivateKeyRefusals);
        Assert.Equal(2, lane.QueueLength);
    }

    [Fact]
    public void Look_WaitedTooLong_DroppedThoughNoWorkerIsFree()
    {
        var time = new ManualTimeProvider();
        using var counters = TestTransport.MakeCounters();
        using var lane = TestTransport.MakeLane(ByHand(10), time, counters);
        List<string> order = [];
        lane.TryRun(new Work(order, "early"));
        time.Advance(TimeSpan.FromSeconds(3));
        lane.TryRun(new Work(order, "late"));
        time.Advance(TimeSpan.FromSeconds(3));

        Assert.True(lane.Look(TimeSpan.Zero));
        Assert.Equal(["WaitedTooLong early"], order);
        Assert.Equal(1, counters.PrivateKeyExpirations);
    }

    [Fact]
    public void Look_DataIsLate_ShareFallsAndOnlyLiveWorkRuns()
    {
        var time = new ManualTimeProvider();
        var admission = new AdmissionControl(new AdmissionLimits(), time, true, 200);
        var lateness = new PlantLateness();
        using var lane = TestTransport.MakeLane(ByHand(100), time, null, admission, lateness);
        LookFor(lane, time, TimeSpan.FromSeconds(2), () => lateness.Raise(Late));
        Assert.True(admission.Concurrency.Share < 0.5);

        for (var i = 0; i < 20; i++)
            Assert.True(lane.TryRunAsync(() => Use(time), out _, LaneClass.Known));
        var served = 0;
        while (lane.Pump())
            served++;
        Assert.InRange(served, 1, 19);
        Assert.True(lane.TryRunAsync(() => Use(time), out var live, LaneClass.Live));

        Assert.True(lane.Pump());
        Assert.True(live.IsCompletedSuccessfully);
        Assert.False(lane.Pump());
    }

    [Fact]
    public void Look_DataIsInTimeAgain_WatchesUntilAllOfItIsAllowed()
    {
        var time = new ManualTimeProvider();
        var lateness = new PlantLateness();
        using var lane = TestTransport.MakeLane(ByHand(100), time, lateness: lateness);
        LookFor(lane, time, TimeSpan.FromSeconds(1), () => lateness.Raise(Late));

        Assert.True(lane.Look(TimeSpan.Zero));
        LookFor(lane, time, TimeSpan.FromSeconds(60), static () => { });
        Assert.False(lane.Look(TimeSpan.Zero));
    }

    [Fact]
    public void Dispose_Waiting_DroppedAsShuttingDown()
    {
        var lane = TestTransport.MakeLane(ByHand(10), new ManualTimeProvider());
        List<string> order = [];
        lane.TryRun(new Work(order, "one"));
        lane.Dispose();

        Assert.Equal(["ShuttingDown one"], order);
        Assert.False(lane.TryRun(new Work(order, "two")));
    }

    /// <summary>More pieces than workers, from many threads, over and over: none is lost and none is asleep beside
    /// work.</summary>
    [Fact]
    public async Task RunAsync_FromManyThreads_AllAreServed()
    {
        using var lane = TestTransport.MakeLane(
            new TransportLimits { PrivateKeyWorkers = 3, MaxPrivateKeyQueueLength = 100_000 }, TimeProvider.System);
        var results = await Task.WhenAll(Enumerable.Range(0, 8).Select(worker => Task.Run(async () =>
        {
            var sum = 0;
            for (var i = 0; i < 2_000; i++)
                sum += await lane.RunAsync(() => 1, (LaneClass)(i % 4));
            return sum;
        }))).WaitAsync(Patience.Limit);

        Assert.Equal(16_000, results.Sum());
    }

    private static TransportLimits ByHand(int capacity) =>
        new() { PrivateKeyWorkers = 0, MaxPrivateKeyQueueLength = capacity };

    private static bool Use(ManualTimeProvider time)
    {
        time.Advance(TimeSpan.FromMilliseconds(2));
        return true;
    }

    private static void LookFor(PrivateKeyLane lane, ManualTimeProvider time, TimeSpan howLong, Action before)
    {
        for (var end = time.Elapsed + howLong; time.Elapsed < end; time.Advance(LaneWatch.Period))
        {
            before();
            lane.Look(TimeSpan.Zero);
        }
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
