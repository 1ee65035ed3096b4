using Gateway.Admission.Stages;
using Gateway.Testing;
using Gateway.Transport.Certificates;
using Gateway.Transport.Hosting;
using Gateway.Transport.Security;
using Gateway.Transport.Tests.Certificates;
using Gateway.Transport.Tests.Support;

namespace Gateway.Transport.Tests.Hosting;

/// <summary>A failed allocation on a worker or a timer ends one job, not the process (R40).</summary>
public sealed class ContainedFaultTests
{
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public void PrivateKeyLane_AllocationFails_TheNextWorkIsServed(bool isDropped)
    {
        var time = new ManualTimeProvider();
        using var counters = TestTransport.MakeCounters();
        var limits = new TransportLimits { PrivateKeyWorkers = 0 };
        using var lane = TestTransport.MakeLane(limits, time, counters);
        var next = new Work();
        Assert.True(lane.TryRun(new Work { Fails = true }));
        if (isDropped)
            time.Advance(limits.PrivateKeyDeadline + TimeSpan.FromSeconds(1));
        Assert.True(lane.TryRun(next));

        while (lane.Pump())
        {
        }

        Assert.Equal(1, next.Executions);
        Assert.Equal(1, counters.FaultsContained);
    }

    [Fact]
    public async Task PrivateKeyLane_FunctionCannotAllocate_ItsCallerIsTold()
    {
        using var lane = TestTransport.MakeLane(
            new TransportLimits { PrivateKeyWorkers = 0 }, new ManualTimeProvider());
        Assert.True(lane.TryRunAsync<int>(static () => throw new InsufficientMemoryException(), out var result));

        Assert.True(lane.Pump());

        await Assert.ThrowsAsync<InsufficientMemoryException>(async () => await result);
    }

    [Fact]
    public void FailureAnswers_AllocationFails_TheNextAnswerLeaves()
    {
        var time = new ManualTimeProvider();
        using var counters = TestTransport.MakeCounters();
        using var failures = new FailureAnswers(time, new TransportLimits(), counters);
        var answered = 0;
        var since = failures.Begin();
        failures.Hold(since, static () => throw new InsufficientMemoryException());
        failures.Hold(since, () => answered++);

        time.Advance(100);

        Assert.Equal(1, answered);
        Assert.Equal(0, failures.Held);
        Assert.Equal(1, counters.FaultsContained);
    }

    [Fact]
    public void DeadlineLoop_OneCheckFails_TheOthersAreChecked()
    {
        var time = new ManualTimeProvider();
        using var context = TestTransport.Make(time: time);
        var holders = Enumerable.Range(0, 32).Select(i => new Holder { Fails = i < 8 }).ToList();
        holders.ForEach(context.Deadlines.Add);

        time.Advance(context.Deadlines.TickInterval * 16);

        Assert.All(holders, holder => Assert.True(holder.Checks >= 2));
        Assert.True(context.Counters.FaultsContained >= 16);
    }

    [Fact]
    public async Task PkiStore_ListenerFails_TheNextChangeIsToldAgain()
    {
        await using var pki = new TestPki();
        var told = 0;
        pki.Store.TrustListChanged += () =>
        {
            if (++told == 1)
                throw new InsufficientMemoryException();
        };
        pki.Put("trusted/certs", Certificates.TestCertificates.SelfSigned(new TestRecipe()));

        pki.Time.Advance(PkiStore.PollInterval * 3);

        Assert.Equal(2, told);
    }

    private sealed class Work : PrivateKeyWork
    {
        public bool Fails { get; init; }

        public int Executions { get; private set; }

        public override void Execute() => Count();

        public override void Drop(RefusalReason reason) => Count();

        private void Count()
        {
            Executions++;
            if (Fails)
                throw new InsufficientMemoryException();
        }
    }

    private sealed class Holder : IDeadlineHolder
    {
        public DeadlineSlot Slot { get; set; }

        public bool Fails { get; init; }

        public int Checks { get; private set; }

        public void CheckDeadlines(long now)
        {
            Checks++;
            if (Fails)
                throw new InsufficientMemoryException();
        }
    }
}
