using Gateway.Host.Hosting;

namespace Gateway.Tests.Hosting;

public sealed class TrimPolicyTests
{
    private const long MiB = 1024 * 1024;

    private readonly TrimPolicy _policy = new();
    private long _allocated;

    [Fact]
    public void Next_AfterAFlood_LooksAndThenCompactsOnce()
    {
        Assert.Equal(TrimStep.None, Next(resident: 100));
        Assert.Equal(TrimStep.None, Next(resident: 600, held: 400));
        Assert.Equal(TrimStep.None, Next(resident: 700, allocated: 300));
        Assert.Equal(TrimStep.Look, Next(resident: 650));
        Assert.Equal(TrimStep.Compact, Next(resident: 640, live: 30, committed: 560));
        _policy.Compacted(105 * MiB);
        Assert.Equal(TrimStep.None, Next(resident: 106));
        Assert.Equal(TrimStep.None, Next(resident: 107));
    }

    [Fact]
    public void Next_MemoryThatIsInUse_IsLookedAtOnceAndNothingStops()
    {
        Next(resident: 100);
        Assert.Equal(TrimStep.Look, Next(resident: 300));
        Assert.Equal(TrimStep.None, Next(resident: 300, live: 200, committed: 240));
        Assert.Equal(TrimStep.None, Next(resident: 300));
        Assert.Equal(TrimStep.None, Next(resident: 305));
        Assert.Equal(TrimStep.Look, Next(resident: 400));
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

    private TrimStep Next(long resident, long held = 0, long allocated = 1, long live = 0, long committed = 0) =>
        _policy.Next(new MemoryFacts(
            resident * MiB, _allocated += allocated * MiB, held * MiB, live * MiB, committed * MiB));
}
