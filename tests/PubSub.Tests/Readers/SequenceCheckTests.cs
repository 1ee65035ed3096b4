using Gateway.PubSub.Readers;

namespace Gateway.PubSub.Tests.Readers;

/// <summary>New messages, repeated ones, and publishers that begin anew.</summary>
public sealed class SequenceCheckTests
{
    private static readonly DateTime Start = new(2026, 1, 1, 0, 0, 0, DateTimeKind.Utc);

    private readonly SequenceCheck _check = new();

    /// <summary>A clock without a battery says 1970; a forged message may have said 9999 before.</summary>
    [Fact]
    public void TryTake_OlderNumberAndTimeAfterASilence_IsTakenOnce()
    {
        Assert.True(Take(5000, Start));
        Assert.False(Take(1, DateTime.UnixEpoch));

        _check.Silence();

        Assert.True(Take(1, DateTime.UnixEpoch, isWhole: false));
        Assert.True(Take(2, DateTime.UnixEpoch.AddSeconds(1), isWhole: true));
        Assert.False(Take(1, DateTime.UnixEpoch));
        Assert.Equal(2, _check.Repeats);
    }

    [Fact]
    public void TryTake_TheLastOneAgainAfterASilence_IsARepeat()
    {
        Take(5, Start);
        _check.Silence();

        Assert.False(Take(5, Start));
        Assert.True(Take(6, Start.AddSeconds(1), isWhole: true));
    }

    [Fact]
    public void TryTake_WithoutANumber_NobodyKnowsWhetherOneIsMissing()
    {
        Assert.True(_check.TryTake(null, isNext: false, Start, out var isWhole));

        Assert.False(isWhole);
    }

    private bool Take(uint number, DateTime time, bool? isWhole = null)
    {
        var isTaken = _check.TryTake(number, isNext: false, time, out var whole);
        if (isWhole is { } expected)
            Assert.Equal(expected, whole);
        return isTaken;
    }
}
