using System.Net;
using Gateway.Server.Users;
using Gateway.Testing;

namespace Gateway.Server.Tests.Users;

public sealed class FailedLoginsTests
{
    private static readonly IPEndPoint Here = new(IPAddress.Parse("127.0.0.1"), 1);
    private static readonly IPEndPoint Elsewhere = new(IPAddress.Parse("127.0.0.2"), 1);

    private readonly ManualTimeProvider _time = new();

    [Fact]
    public void MayTry_ThousandGuesses_OneASecondAfterFive()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        var looked = 0;
        for (var guess = 0; guess < 1000; guess++)
        {
            if (logins.MayTry("operator", Here))
            {
                looked++;
                logins.Failed("operator", Here);
            }
            _time.Advance(10);
        }

        // 10 s of guessing: five free ones and one in each second.
        Assert.InRange(looked, 14, 15);
    }

    [Fact]
    public void MayTry_StricterLimits_AreKept()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default with
        {
            MaxFailedLogins = 1,
            FailedLoginInterval = TimeSpan.FromSeconds(10),
            MaxTrackedLogins = 8,
        });
        for (var user = 0; user < 100; user++)
            logins.Failed("user" + user, Here);

        Assert.False(logins.MayTry("user99", Here));
        Assert.InRange(logins.Count, 1, 16);
        _time.Advance(9_000);
        Assert.False(logins.MayTry("user99", Here));
        _time.Advance(1_000);
        Assert.True(logins.MayTry("user99", Here));
    }

    [Fact]
    public void MayTry_SameUserElsewhere_NotDelayed()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        for (var i = 0; i < 50; i++)
            logins.Failed("operator", Here);

        Assert.False(logins.MayTry("operator", Here));
        Assert.True(logins.MayTry("operator", Elsewhere));
        Assert.True(logins.MayTry("watcher", Here));
    }

    [Fact]
    public void MayTry_SporadicFailures_NotDelayed()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        for (var i = 0; i < 100; i++)
        {
            logins.Failed("operator", Here);
            Assert.True(logins.MayTry("operator", Here));
            logins.Succeeded("operator", Here);
        }
    }

    [Fact]
    public void Failed_EndlessNames_TableBounded()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        for (var i = 0; i < 100_000; i++)
            logins.Failed("user" + i, Here);

        Assert.InRange(logins.Count, 1, 2 * ServerLimits.Default.MaxTrackedLogins);
    }
}
