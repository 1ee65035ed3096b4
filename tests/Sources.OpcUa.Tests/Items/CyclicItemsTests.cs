using Gateway.Sources.OpcUa.Items;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Items;

/// <summary>Intervals are granted within half of the budget, and kept.</summary>
public sealed class CyclicItemsTests
{
    private readonly ManualTimeProvider _time = new();
    private readonly CyclicItems _items;

    public CyclicItemsTests() => _items = new CyclicItems(_time) { MaxReadsPerSecond = 20 };

    [Theory]
    [InlineData(10, 100)]
    [InlineData(100, 100)]
    [InlineData(300, 500)]
    [InlineData(1_000, 1_000)]
    public void Grantable_RoomForIt_TheNextStep(double asked, double granted) =>
        Assert.Equal(granted, _items.Grantable(asked));

    /// <summary>Half of 20 a second: four at 500 ms, then slower ones, and none that was granted grows.</summary>
    [Fact]
    public void TrySet_BudgetFills_LaterOnesAreSlowerAndThenNone()
    {
        _items.MaxReadsPerSecond = 20.035;
        for (var node = 0; node < 6; node++)
            Assert.True(_items.TrySet(node, 500));
        List<double> granted = [];
        for (var node = 0; node < 6; node++)
            granted.Add(_items.TryGetInterval(node, out var interval) ? interval : 0);
        Assert.Equal([500, 500, 500, 500, 500, 60_000], granted);

        Assert.False(_items.TrySet(100, 500));
        Assert.Null(_items.Grantable(1));
        Assert.Equal(6, _items.Count);
    }

    [Fact]
    public void TrySet_OneGoes_ItsPartIsFree()
    {
        for (var node = 0; node < 5; node++)
            _items.TrySet(node, 500);
        Assert.Null(_items.Grantable(500));

        _items.Remove(2);

        Assert.Equal(500, _items.Grantable(500));
    }

    [Theory]
    [InlineData(2_000, 100, 100)]
    [InlineData(100, 1_000, 1_000)]
    [InlineData(500, 500, 500)]
    public void TrySet_AnotherIntervalIsAskedFor_ItsOwnPartCounts(double first, double then, double granted)
    {
        _items.TrySet(1, first);

        Assert.True(_items.TrySet(1, then));

        Assert.Equal((true, granted), (_items.TryGetInterval(1, out var interval), interval));
    }

    [Fact]
    public void TrySet_FasterThanFits_KeepsTheOneItHas()
    {
        for (var node = 0; node < 5; node++)
            _items.TrySet(node, 500);

        Assert.True(_items.TrySet(0, 50));

        Assert.Equal((true, 500), (_items.TryGetInterval(0, out var interval), interval));
    }

    [Fact]
    public void TakeDue_EachAtItsIntervalAndTheFirstTimeAtOnce()
    {
        _items.MaxReadsPerSecond = 1_000;
        _items.TrySet(1, 500);
        _items.TrySet(2, 1_000);
        Assert.Equal(TimeSpan.Zero, _items.UntilDue);
        Assert.Equal([1, 2], _items.TakeDue(100).Order());
        Assert.Equal(TimeSpan.FromMilliseconds(500), _items.UntilDue);
        Assert.Empty(_items.TakeDue(100));

        List<string> seen = [];
        for (var i = 0; i < 4; i++)
        {
            _time.Advance(500);
            seen.Add(string.Join(',', _items.TakeDue(100).Order()));
        }

        Assert.Equal(["1", "1,2", "1", "1,2"], seen);
    }

    /// <summary>Late beats keep the rhythm; missed ones are not made up for.</summary>
    [Fact]
    public void TakeDue_Late_OnTheBeatAndOnceForAllThatWereMissed()
    {
        _items.TrySet(1, 500);
        _items.TakeDue(100);

        _time.Advance(600);
        Assert.Equal([1], _items.TakeDue(100));
        Assert.Equal(TimeSpan.FromMilliseconds(400), _items.UntilDue);
        _time.Advance(5_000);
        Assert.Equal([1], _items.TakeDue(100));
        Assert.Empty(_items.TakeDue(100));

        Assert.Equal(TimeSpan.FromMilliseconds(500), _items.UntilDue);
    }

    /// <summary>A slow group of many nodes is read in between.</summary>
    [Fact]
    public void TakeDue_MoreThanOneRequest_TheOneThatIsDueAgainFirstGoesFirst()
    {
        _items.MaxReadsPerSecond = 1_000;
        _items.TrySet(1, 100);
        for (var node = 10; node < 20; node++)
            _items.TrySet(node, 1_000);
        _items.TakeDue(100);

        _time.Advance(1_000);
        List<string> seen = [];
        for (var i = 0; i < 4; i++)
        {
            seen.Add(string.Join(',', _items.TakeDue(4).Order()));
            _time.Advance(100);
        }

        Assert.Equal(["1,10,11,12", "1,13,14,15", "1,16,17,18", "1,19"], seen);
    }

    /// <summary>A value is as old as the request that brought it, not as young as its interval.</summary>
    [Fact]
    public void AgeMs_AnswerIsLate_SinceItWasAsked()
    {
        _items.TrySet(1, 500);
        Assert.Equal(double.PositiveInfinity, _items.AgeMs(1));
        _items.TakeDue(100);
        Assert.Equal(double.PositiveInfinity, _items.AgeMs(1));
        _time.Advance(200);

        _items.Answered(1);

        Assert.Equal(200, _items.AgeMs(1));
        _time.Advance(500);
        _items.TakeDue(100);
        Assert.Equal(700, _items.AgeMs(1));
    }
}
