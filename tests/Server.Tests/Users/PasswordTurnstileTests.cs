using System.Net;
using Gateway.Server.Users;
using Gateway.Testing;

namespace Gateway.Server.Tests.Users;

public sealed class PasswordTurnstileTests
{
    private static readonly IPAddress Flooder = IPAddress.Parse("127.0.0.1");
    private static readonly IPAddress Good = IPAddress.Parse("127.0.0.2");
    private static readonly IPAddress Third = IPAddress.Parse("127.0.0.3");

    [Fact]
    public async Task Enter_PlaceFree_InsideAtOnce()
    {
        var turnstile = new PasswordTurnstile(2, 4);
        Assert.True(await turnstile.EnterAsync(Flooder));
        Assert.True(await turnstile.EnterAsync(Flooder));
        var third = turnstile.EnterAsync(Flooder);
        Assert.False(third.IsCompleted);
        turnstile.Leave();
        Assert.True(await third.WaitAsync(Patience.Limit));
    }

    [Fact]
    public async Task Enter_BehindAFlood_NextButOne()
    {
        var turnstile = new PasswordTurnstile(1, 100);
        await turnstile.EnterAsync(Flooder);
        var flood = Enumerable.Range(0, 50).Select(_ => turnstile.EnterAsync(Flooder)).ToArray();
        var good = turnstile.EnterAsync(Good);
        turnstile.Leave();
        Assert.True(await flood[0].WaitAsync(Patience.Limit));
        turnstile.Leave();
        Assert.True(await good.WaitAsync(Patience.Limit));
        turnstile.Leave();
        Assert.True(await flood[1].WaitAsync(Patience.Limit));
        Assert.Equal(48, turnstile.Waiting);
    }

    [Fact]
    public async Task Enter_Full_LatestOfTheLongestLineGivesWay()
    {
        var turnstile = new PasswordTurnstile(1, 4);
        await turnstile.EnterAsync(Flooder);
        var flood = Enumerable.Range(0, 4).Select(_ => turnstile.EnterAsync(Flooder)).ToArray();
        Assert.False(await turnstile.EnterAsync(Flooder));
        var good = turnstile.EnterAsync(Good);
        Assert.False(await flood[3].WaitAsync(Patience.Limit));
        var third = turnstile.EnterAsync(Third);
        Assert.False(await flood[2].WaitAsync(Patience.Limit));
        Assert.False(await turnstile.EnterAsync(Third));
        Assert.Equal(4, turnstile.Waiting);
        for (var i = 0; i < 5; i++)
            turnstile.Leave();
        Assert.All(
            await Task.WhenAll(flood[0], flood[1], good, third).WaitAsync(Patience.Limit), Assert.True);
        Assert.Equal(0, turnstile.Waiting);
    }
}
