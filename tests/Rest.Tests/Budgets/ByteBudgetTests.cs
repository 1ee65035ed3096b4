using System.Net;
using Gateway.Rest.Budgets;

namespace Gateway.Rest.Tests.Budgets;

public sealed class ByteBudgetTests
{
    private static readonly IPAddress One = IPAddress.Parse("192.0.2.1");
    private static readonly IPAddress Other = IPAddress.Parse("192.0.2.2");

    [Fact]
    public void TryTake_LastSixth_NotForAnAddressThatHoldsMore()
    {
        var budget = new ByteBudget(600);
        for (var i = 0; i < 5; i++)
            Assert.True(budget.TryTake(One, 100));

        Assert.False(budget.TryTake(One, 1));
        Assert.True(budget.TryTake(Other, 100));
        Assert.False(budget.TryTake(Other, 1));

        Assert.Equal((600, 2), (budget.Held, budget.Refused));
    }

    [Fact]
    public void Return_All_RoomAsBefore()
    {
        var budget = new ByteBudget(600);
        Assert.True(budget.TryTake(One, 500));
        Assert.False(budget.TryTake(One, 100));

        budget.Return(One, 500);

        Assert.Equal(0, budget.Held);
        Assert.True(budget.TryTake(One, 500));
    }
}
