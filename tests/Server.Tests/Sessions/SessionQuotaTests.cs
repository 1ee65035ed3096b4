using Gateway.Server.Sessions;

namespace Gateway.Server.Tests.Sessions;

public sealed class SessionQuotaTests
{
    [Fact]
    public void TryTake_AtTheLimit_IsRefusedUntilReleased()
    {
        var quota = new SessionQuota(2);
        Assert.True(quota.TryTake("a"));
        Assert.True(quota.TryTake("a"));
        Assert.False(quota.TryTake("a"));
        Assert.True(quota.TryTake("b"));
        quota.Release("a");
        Assert.True(quota.TryTake("a"));
    }

    [Fact]
    public void Release_NotTaken_DoesNothing()
    {
        var quota = new SessionQuota(1);
        quota.Release("a");
        Assert.True(quota.TryTake("a"));
        Assert.False(quota.TryTake("a"));
    }
}
