using Gateway.Testing;
using Gateway.Transport.Timing;

namespace Gateway.Transport.Tests.Timing;

public sealed class ContainedTests
{
    /// <summary>R40.</summary>
    [Fact]
    public void A_turn_that_fails_is_reported_and_the_next_one_comes()
    {
        var time = new ManualTimeProvider();
        var turns = 0;
        var faults = new List<Exception>();
        var fault = new InvalidOperationException("of this turn");
        using var timer = Contained.Every(
            time, TimeSpan.FromSeconds(1),
            () =>
            {
                turns++;
                throw fault;
            },
            faults.Add);

        time.Advance(TimeSpan.FromSeconds(1));
        Assert.Equal([fault], faults);

        time.Advance(TimeSpan.FromSeconds(2));
        Assert.Equal(3, turns);
    }

    [Fact]
    public void A_log_that_fails_ends_nothing()
    {
        var time = new ManualTimeProvider();
        var turns = 0;
        using var timer = Contained.Every(
            time, TimeSpan.FromSeconds(1), () => throw new InvalidOperationException($"{++turns}"),
            static _ => throw new InvalidOperationException("the log"));

        time.Advance(TimeSpan.FromSeconds(2));

        Assert.Equal(2, turns);
    }
}
