using Gateway.Admission.Load;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Load;

public class AdaptiveConcurrencyTests
{
    /// <summary>The stated band: once settled, and whatever the plant leaves, the share stays between a quarter and
    /// twice of it, uses four fifths of it, and the data is late by at most 50 ms in 99 of 100 milliseconds.</summary>
    [Theory]
    [InlineData(0.1, 20)]
    [InlineData(0.2, 20)]
    [InlineData(0.5, 20)]
    [InlineData(0.9, 20)]
    [InlineData(0.2, 100)]
    [InlineData(0.5, 100)]
    [InlineData(0.9, 100)]
    public void Share_StormOnABusyPlant_StaysInItsBand(double capacity, int seenAfterMs)
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(seenAfterMs));
        plant.Run(3, capacity);

        var settled = plant.Run(60, capacity);

        Assert.InRange(settled.LeastShare, capacity / 4, capacity);
        Assert.InRange(settled.MostShare, capacity, capacity * 2);
        Assert.InRange(settled.Used, 0.8, 1);
        Assert.InRange(settled.LateMs(0.99), 0, 50);
    }

    /// <summary>The plant leaves little more than the least share, so what is late drains slowly: 79 ms where the low
    /// stretches of many swings were added up and taken for somebody else's doing.</summary>
    [Fact]
    public void Share_PlantLeavesLittleMoreThanTheLeast_TheirOwnLatenessIsNotTakenForBackground()
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(20));
        plant.Run(3, 0.07);

        Assert.InRange(plant.Run(60, 0.07).LateMs(0.99), 0, 65);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    [InlineData(4)]
    public void Share_OtherNoise_StaysInItsBand(int seed)
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(30), (ulong)seed * 7919);
        plant.Run(3, 0.4);

        var settled = plant.Run(60, 0.4);

        Assert.InRange(settled.LeastShare, 0.1, 0.4);
        Assert.InRange(settled.MostShare, 0.4, 0.8);
        Assert.InRange(settled.Used, 0.8, 1);
        Assert.InRange(settled.LateMs(0.99), 0, 50);
    }

    [Fact]
    public void Share_StormBegins_RetreatsWithinAThirdOfASecond()
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(20));
        plant.Run(5, 0.3, isStorm: false);

        var storm = plant.Run(2, 0.3);

        Assert.Equal(1, storm.MostShare, 0.01);
        Assert.InRange(storm.SecondsUntilBelow(0.3), 0, 0.35);
    }

    [Fact]
    public void Share_PlantLeavesAll_IsUsedWholly()
    {
        var run = new PlantModel(TimeSpan.FromMilliseconds(20)).Run(30, 1);

        Assert.InRange(run.MeanShare, 0.9, 1);
    }

    [Fact]
    public void Share_PlantBecomesQuiet_IsWholeAgainInSeconds()
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(20));
        plant.Run(10, 0.1);

        var after = plant.Run(20, 1);

        Assert.InRange(after.SecondsUntilAbove(0.9), 0, 6);
    }

    /// <summary>A host that takes the processors away makes threads late whatever handshakes take.</summary>
    [Theory]
    [InlineData(0.05, 0.4)]
    [InlineData(0.2, 0.6)]
    [InlineData(0.5, 0.6)]
    public void Share_LateWithoutTheHandshakes_IsNotGivenUpForNothing(double pauseChance, double atLeast)
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(20)) { PauseChance = pauseChance };
        plant.Run(10, 1);

        var run = plant.Run(120, 1);

        Assert.InRange(run.MeanShare, atLeast, 1);
    }

    [Fact]
    public void Share_LateWithAndWithoutTheHandshakes_TheirPartStaysBounded()
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(20)) { PauseChance = 0.2 };
        plant.Run(10, 0.3);

        var run = plant.Run(120, 0.3);

        Assert.InRange(run.Used, 0.6, 1);
        Assert.InRange(run.LateMs(0.99), 0, 100);
    }

    [Fact]
    public void Share_PausesEnd_TheBandIsWhatItWas()
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(20)) { PauseChance = 0.2 };
        plant.Run(60, 0.3);
        plant.PauseChance = 0;
        plant.Run(60, 0.3);

        var settled = plant.Run(60, 0.3);

        Assert.InRange(settled.LateMs(0.99), 0, 50);
    }

    /// <summary>Handshakes must not hold up a lateness that something else began.</summary>
    [Theory]
    [InlineData(0.1)]
    [InlineData(0.3)]
    public void Share_LongPausesEndWhileTheStormGoesOn_TheBandIsWhatItWasInSeconds(double capacity)
    {
        var plant = new PlantModel(TimeSpan.FromMilliseconds(20)) { PauseChance = 1, PauseSeconds = 0.5 };
        plant.Run(15, capacity);
        plant.PauseChance = 0;
        plant.Run(20, capacity);

        var settled = plant.Run(30, capacity);

        Assert.InRange(settled.LateMs(0.99), 0, 50);
        Assert.InRange(settled.Used, 0.8, 1);
    }

    /// <summary>The pauses end in the midst of a look, at one time or another; when they come again, the plant leaves
    /// less: the share of before is not taken up.</summary>
    [Fact]
    public void Share_PausesEndDuringALook_TheShareBeforeItIsForgotten()
    {
        for (var seconds = 15.0; seconds < 23; seconds += 0.5)
        {
            var plant = new PlantModel(TimeSpan.FromMilliseconds(20)) { PauseChance = 1 };
            plant.Run(seconds, 0.9);
            plant.PauseChance = 0;
            plant.Run(20, 0.15);
            plant.PauseChance = 1;

            var again = plant.Run(10, 0.15);

            Assert.InRange(again.MostShare, 0, 0.45);
        }
    }

    [Fact]
    public void Share_NothingObservedAnyMore_GrowsToTheWhole()
    {
        var time = new ManualTimeProvider();
        var law = new AdaptiveConcurrency(time);
        for (var i = 0; i < 100; i++)
        {
            time.Advance(50);
            law.Observe(TimeSpan.FromMilliseconds(100 + (10 * i)));
        }

        Assert.Equal(AdaptiveConcurrency.LeastShare, law.Share, 0.01);
        time.Advance(900);
        Assert.Equal(AdaptiveConcurrency.LeastShare, law.Share, 0.01);
        time.Advance(2100);
        Assert.Equal(1, law.Share, 0.06);
    }

    [Fact]
    public void SustainedShare_ShareFallsForAMoment_BarelyFalls()
    {
        var time = new ManualTimeProvider();
        var law = new AdaptiveConcurrency(time);
        for (var i = 0; i < 4; i++)
        {
            time.Advance(50);
            law.Observe(TimeSpan.FromMilliseconds(100 << i));
        }

        Assert.InRange(law.Share, 0, 0.2);
        Assert.InRange(law.SustainedShare, 0.9, 1);
    }
}
