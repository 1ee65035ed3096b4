using Gateway.Host.Hosting;

namespace Gateway.Tests.Hosting;

public sealed class TrimPolicyTests
{
    private const long MiB = 1024 * 1024;

    private readonly TrimPolicy _policy = new();
    private long _allocated;
    private long _collections;

    [Fact]
    public void Next_AfterAFlood_LooksAndThenCompactsOnce()
    {
        Assert.Equal(TrimStep.None, Next(resident: 100));
        Assert.Equal(TrimStep.None, Next(resident: 600, held: 400));
        Assert.Equal(TrimStep.None, Next(resident: 700, allocated: 300));
        Assert.Equal(TrimStep.Look, Next(resident: 650));
        Assert.Equal(TrimStep.Compact, Next(resident: 640, live: 30, committed: 560));
        _policy.Compacted(new MemoryFacts(105 * MiB, 0, 0, 0, 0, 0, 0));
        Assert.Equal(TrimStep.None, Next(resident: 106));
        Assert.Equal(TrimStep.None, Next(resident: 107));
    }

    [Fact]
    public void Next_MemoryThatIsInUse_IsLookedAtLessAndLessOftenAndNothingStops()
    {
        Next(resident: 100);
        var looks = new List<int>();
        for (var step = 0; step < 64; step++)
        {
            if (Next(resident: 300, live: 200, committed: 225) == TrimStep.Look)
                looks.Add(step);
        }

        // A step in which each look is judged, and 1, 2, 4, 8, 16 of waiting.
        Assert.Equal([0, 2, 5, 10, 19, 36], looks);
        Assert.Equal(TrimStep.Look, Next(resident: 400));
    }

    [Fact]
    public void Next_WhoUsedItLeftWithoutAWord_IsFoundAtALaterLook()
    {
        Next(resident: 100);
        Assert.Equal(TrimStep.Look, Next(resident: 130));
        Assert.Equal(TrimStep.None, Next(resident: 130, live: 32, committed: 37));
        Assert.Equal(TrimStep.Look, Next(resident: 130, live: 32, committed: 37));
        Assert.Equal(TrimStep.Compact, Next(resident: 130, live: 10, committed: 37));
    }

    [Fact]
    public void Next_ClientsLeaveAfterManyLooksInVain_IsLookedAtAtOnce()
    {
        Next(resident: 100);
        for (var step = 0; step < 200; step++)
            Next(resident: 160, live: 80, committed: 82, state: 20);
        Assert.Equal(TrimStep.Look, Next(resident: 160, live: 80, committed: 82));
        Assert.Equal(TrimStep.Compact, Next(resident: 160, live: 20, committed: 82));
    }

    [Theory]
    [InlineData(40)]
    [InlineData(400)]
    public void Next_LongFloodEndsThatShowsInAllocationOnly_IsLookedAtAtOnce(int allocated)
    {
        Next(resident: 100);
        for (var step = 0; step < 40; step++)
            Next(resident: 300, live: 200, committed: 225);
        for (var step = 0; step < 40; step++)
            Next(resident: 300, live: 200, committed: 225, allocated: allocated);

        // The step in which it ended has a part of it yet.
        Next(resident: 300, live: 200, committed: 225, allocated: allocated / 2);
        Assert.Equal(TrimStep.Look, Next(resident: 300, live: 200, committed: 225));
        Assert.Equal(TrimStep.Compact, Next(resident: 300, live: 20, committed: 225));
    }

    [Fact]
    public void Next_AllocationFallsSlowlyOrWasSmall_WaitsAreNotBegunAnew()
    {
        Next(resident: 100);
        var looks = 0;
        for (var step = 0; step < 256; step++)
        {
            var allocated = step < 100 ? 12 * (step % 2) : Math.Max(1, 40 - ((step - 100) / 3));
            if (Next(resident: 300, live: 200, committed: 225, allocated: allocated) == TrimStep.Look)
                looks++;
        }

        Assert.Equal(8, looks);
    }

    [Fact]
    public void Next_CompactionLeavesWhatIsStillInUse_IsFoundWhenThatGoes()
    {
        Next(resident: 100);
        Assert.Equal(TrimStep.Look, Next(resident: 153));
        Assert.Equal(TrimStep.Compact, Next(resident: 153, live: 30, committed: 60));
        _policy.Compacted(new MemoryFacts(121 * MiB, 0, 0, 0, 0, 0, 0));
        Assert.Equal(TrimStep.Look, Next(resident: 121));
        Assert.Equal(TrimStep.Compact, Next(resident: 121, live: 12, committed: 30));
        _policy.Compacted(new MemoryFacts(118 * MiB, 0, 0, 0, 0, 0, 0));
        for (var step = 0; step < 300; step++)
            Assert.Equal(TrimStep.None, Next(resident: 118));
    }

    [Fact]
    public void Next_LoadComesBackBeforeTheCompaction_IsPutOff()
    {
        Next(resident: 100);
        Assert.Equal(TrimStep.Look, Next(resident: 600));
        Assert.Equal(TrimStep.None, Next(resident: 600, held: 100, live: 30, committed: 560));
        Assert.Equal(TrimStep.Look, Next(resident: 600));
        Assert.Equal(TrimStep.Compact, Next(resident: 600, live: 30, committed: 560));
    }

    [Fact]
    public void Next_ResidentFallsByItself_TheLowerFigureIsTheUsualOne()
    {
        Next(resident: 100);
        Next(resident: 80);
        Assert.Equal(TrimStep.Look, Next(resident: 95));
    }

    [Fact]
    public void Next_ClientsThatWereInUseLeave_IsLookedAtAgainAndCompacted()
    {
        Next(resident: 100);
        Assert.Equal(TrimStep.Look, Next(resident: 170, state: 40));
        Assert.Equal(TrimStep.None, Next(resident: 170, live: 90, committed: 95, state: 40));
        Assert.Equal(TrimStep.Look, Next(resident: 165));
        Assert.Equal(TrimStep.Compact, Next(resident: 165, live: 30, committed: 90));
    }

    [Fact]
    public void Next_ClientsLeaveDuringTheLook_LooksAgainBeforeItJudges()
    {
        Next(resident: 100);
        Assert.Equal(TrimStep.Look, Next(resident: 140, state: 20));
        Assert.Equal(TrimStep.Look, Next(resident: 140, live: 40, committed: 46, state: 2));
        Assert.Equal(TrimStep.Compact, Next(resident: 140, live: 15, committed: 46, state: 2));
    }

    [Fact]
    public void Next_ClientsComeThatTakeLessThanEstimated_NothingIsLookedAt()
    {
        Next(resident: 100);
        Assert.Equal(TrimStep.None, Next(resident: 150, state: 60));
        Assert.Equal(TrimStep.None, Next(resident: 200, state: 110));
    }

    [Fact]
    public void Next_CollectionHasNotEnded_IsWaitedFor()
    {
        Next(resident: 100);
        Assert.Equal(TrimStep.Look, Next(resident: 600));
        Assert.Equal(TrimStep.None, Next(resident: 600, live: 500, committed: 560, collected: 0));
        Assert.Equal(TrimStep.Compact, Next(resident: 600, live: 30, committed: 560));
    }

    /// <param name="collected">Collections of all generations since the last call.</param>
    private TrimStep Next(
        long resident, long held = 0, long allocated = 1, long live = 0, long committed = 0, long state = 0,
        int collected = 1) =>
        _policy.Next(new MemoryFacts(
            resident * MiB, _allocated += allocated * MiB, held * MiB, live * MiB, committed * MiB, state * MiB,
            _collections += collected));
}
