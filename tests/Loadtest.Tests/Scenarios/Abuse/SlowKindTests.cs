using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Tests.Scenarios.Abuse;

public sealed class SlowKindTests
{
    [Fact]
    public void CountBeyond_LivesAndOneWithoutEnd_TheLongAndTheEndless()
    {
        var kind = new SlowKind("one byte");
        kind.Add("closed", 4);
        kind.Add("closed", 6);
        kind.Add("closed", 11);
        kind.Add("(still there)", double.NaN);

        Assert.Equal(4, kind.Count);
        Assert.Equal(1, kind.NotEnded);
        Assert.Equal(2, kind.CountBeyond(10));
        Assert.Equal(11, kind.LongestSeconds);
        Assert.Equal(["one byte", "4", "6.00", "11.00", "11.00", "1", "closed: 3; (still there): 1"], kind.Row());
    }

    [Fact]
    public void Row_Nothing_NotKnown()
    {
        Assert.Equal(["x", "0", "n/a", "n/a", "n/a", "0", ""], new SlowKind("x").Row());
    }
}
