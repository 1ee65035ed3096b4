using Xunit.Abstractions;

namespace Gateway.Admission.Tests.Storm;

/// <summary>Ten thousand clients within a tenth of a second, served 640 a second: every one active in the time that the
/// work takes, and the lane never idle. Figures: run with <c>--logger "console;verbosity=detailed"</c>.</summary>
public class StormTests(ITestOutputHelper output)
{
    private const double Ideal = 10_000 / 640.0;

    private StormModel Run(StormOptions options, out double? seconds)
    {
        var model = new StormModel(options);
        seconds = model.Run(120);
        output.WriteLine($"{options}");
        output.WriteLine(
            $"all active {seconds:F1} s (ideal {Ideal:F1}), refusals {model.Refusals}, wasted {model.Wasted}, " +
            $"longest hint {model.Hints.DefaultIfEmpty().Max()} ms");
        output.WriteLine("served a second " + string.Join(' ', model.ServedPerSecond));
        output.WriteLine("arrivals a second " + string.Join(' ', model.ArrivalsPerSecond));
        return model;
    }

    [Theory]
    [InlineData(1, 0, false)]
    [InlineData(0, 0, false)]
    [InlineData(0.5, 0, false)]
    [InlineData(1, 0, true)]
    [InlineData(0, 0, true)]
    [InlineData(1, 0.2, false)]
    [InlineData(0, 0.2, false)]
    public void Storm_ObeyingOrNot_GoodputIsFullFromFirstToLast(double obeying, double vanishing, bool isBalanced)
    {
        var model = Run(
            new StormOptions { Obeying = obeying, Vanishing = vanishing, IsBalanced = isBalanced }, out var seconds);

        Assert.NotNull(seconds);
        Assert.InRange(seconds.Value, Ideal, Ideal * 1.1);
        Assert.All(model.ServedPerSecond[1..^1], served => Assert.InRange(served, 640 * 0.9, 640 * 1.05));
        Assert.InRange(model.Wasted, 0, 500);
    }

    [Fact]
    public void Storm_AllObey_ComeBackAsEvenlyAsTheyAreServed()
    {
        var model = Run(new StormOptions { PatienceMs = [60_000] }, out _);

        // The first second is the storm's, then all wait for the door's patience; the last one may be shorter.
        var back = model.ArrivalsPerSecond[5..^2];
        Assert.Equal(0, model.ArrivalsPerSecond[1]);
        Assert.All(back, arrivals => Assert.InRange(arrivals, 640 * 0.9, 640 * 1.1));
        Assert.True(back.Count >= 8);
    }

    [Fact]
    public void Storm_NobodyObeys_HintsDoNotGrow()
    {
        var model = Run(new StormOptions { Obeying = 0 }, out _);

        Assert.InRange(model.Hints.Max(), 500, 12_000);
        Assert.InRange(model.Hints[^100..].Max(), 500, 5000);
    }

    [Fact]
    public void Storm_SilentSocketsBesides_GoodputStaysHigh()
    {
        var model = Run(new StormOptions { Silent = 2000 }, out var seconds);

        Assert.NotNull(seconds);
        Assert.InRange(seconds.Value, Ideal, Ideal * 1.25);
        Assert.InRange(model.Wasted, 0, 0);
    }

    [Theory]
    [InlineData(100)]
    [InlineData(3000)]
    public void Storm_FirstGuessIsWrong_LearnedOnTheWay(double guess)
    {
        Run(new StormOptions { Guess = guess }, out var seconds);

        Assert.NotNull(seconds);
        Assert.InRange(seconds.Value, Ideal, Ideal * 1.2);
    }
}
