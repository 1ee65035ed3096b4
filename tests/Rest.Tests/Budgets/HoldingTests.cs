using System.Net;
using Gateway.Rest.Budgets;

namespace Gateway.Rest.Tests.Budgets;

public sealed class HoldingTests
{
    private const int Large = 2 * Holding.FreeCapacityBytes;

    private readonly ByteBudget _budget = new(3 * Large);

    [Fact]
    public void TryChange_BufferThatGrows_CountsItsWholeCapacityOnceItIsLarge()
    {
        using var holding = new Holding(_budget, IPAddress.Loopback);

        Assert.True(holding.TryChange(0, Holding.FreeCapacityBytes));
        Assert.Equal(0, _budget.Held);
        Assert.True(holding.TryChange(Holding.FreeCapacityBytes, Large));
        Assert.Equal(Large, _budget.Held);
        Assert.False(holding.TryChange(Large, 4 * Large));
        Assert.Equal(Large, _budget.Held);
        Assert.True(holding.TryChange(Large, 100));

        Assert.Equal((0, 1), (_budget.Held, _budget.Refused));
    }

    /// <summary>Of a connection that carries several requests.</summary>
    [Fact]
    public void TryChange_WhereAllCounts_CountsFromTheFirstByte()
    {
        using var holding = new Holding(_budget, IPAddress.Loopback, countsAll: true);

        Assert.True(holding.TryChange(0, 1000));
        Assert.Equal(1000, _budget.Held);
        Assert.True(holding.TryChange(1000, Large));
        Assert.Equal(Large, _budget.Held);
    }

    [Fact]
    public void Dispose_All_GoesBackOnce()
    {
        var holding = new Holding(_budget, IPAddress.Loopback);
        Assert.True(holding.TryAdd(100));
        Assert.True(holding.TryAdd(200));
        holding.Remove(50);
        Assert.Equal((250, 250), (holding.Bytes, _budget.Held));

        holding.Dispose();
        holding.Dispose();

        Assert.Equal(0, _budget.Held);
    }

    /// <summary>What can be done without leaves half of the budget for what cannot.</summary>
    [Fact]
    public void TryAddSpare_AboveTheFirstHalf_RefusedUncounted()
    {
        using var holding = new Holding(_budget, IPAddress.Loopback);
        Assert.True(holding.TryAddSpare(Large));

        Assert.False(holding.TryAddSpare(Large));
        Assert.True(holding.TryAdd(Large));

        Assert.Equal((2L * Large, 0), (_budget.Held, _budget.Refused));
    }
}
