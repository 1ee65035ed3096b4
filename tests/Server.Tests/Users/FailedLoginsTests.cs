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
            if (MayTry(logins, "operator", Here))
            {
                looked++;
                logins.Failed(new("operator", Here));
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
            logins.Failed(new("user" + user, Here));

        Assert.False(MayTry(logins, "user99", Here));
        Assert.InRange(logins.Count, 1, 16);
        _time.Advance(9_000);
        Assert.False(MayTry(logins, "user99", Here));
        _time.Advance(1_000);
        Assert.True(MayTry(logins, "user99", Here));
    }

    [Fact]
    public void MayTry_SameUserElsewhere_NotDelayed()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        for (var i = 0; i < 50; i++)
            logins.Failed(new("operator", Here));

        Assert.False(MayTry(logins, "operator", Here));
        Assert.True(MayTry(logins, "operator", Elsewhere));
        Assert.True(MayTry(logins, "watcher", Here));
    }

    [Fact]
    public void MayTry_SporadicFailures_NotDelayed()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        for (var i = 0; i < 100; i++)
        {
            logins.Failed(new("operator", Here));
            Assert.True(MayTry(logins, "operator", Here));
            logins.Succeeded(new("operator", Here));
        }
    }

    [Fact]
    public void Failed_EndlessNames_TableBounded()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        for (var i = 0; i < 100_000; i++)
            logins.Failed(new("user" + i, Here));

        Assert.InRange(logins.Count, 1, 2 * ServerLimits.Default.MaxTrackedLogins);
    }

    [Fact]
    public void MayTry_ManyUsersFromOneAddress_AddressIsSlowed()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        var looked = 0;
        for (var guess = 0; guess < 1000; guess++)
        {
            if (MayTry(logins, "user" + guess, Here))
            {
                looked++;
                logins.Failed(new("user" + guess, Here));
            }

            _time.Advance(10);
        }

        // 10 s of guessing: four users' worth free, and one in each second.
        Assert.InRange(looked, 25, 31);
        Assert.True(MayTry(logins, "operator", Elsewhere));
    }

    [Fact]
    public void MayTry_ManyRightUsersBehindTheAddress_SlowedLater()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        for (var i = 0; i < 9; i++)
            logins.Succeeded(new("right" + i, Here, "certificate" + i));
        var free = 0;
        while (MayTry(logins, "guess" + free, Here))
            logins.Failed(new("guess" + free++, Here));
        Assert.Equal(200, free);
    }

    [Fact]
    public void MayTry_RightBeforeWithItsCertificate_NotDelayedByAGuesserBehindTheSameAddress()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        logins.Succeeded(new("operator", Here, "own"));
        for (var i = 0; i < 1000; i++)
        {
            logins.Failed(new("operator", Here, "guesser"));
            logins.Failed(new("user" + i, Here, "guesser"));
            Assert.Equal(LoginTurn.Free, logins.MayTry(new("operator", Here, "own")));
            logins.Succeeded(new("operator", Here, "own"));
        }

        Assert.Equal(LoginTurn.Refused, logins.MayTry(new("operator", Here, "guesser")));
        Assert.Equal(LoginTurn.Refused, logins.MayTry(new("operator", Here, "other")));
    }

    [Fact]
    public void MayTry_RightBeforeThenGuessing_SlowedAsAnyone()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        logins.Succeeded(new("operator", Here, "own"));
        for (var i = 0; i < 5; i++)
            logins.Failed(new("operator", Here, "own"));
        Assert.Equal(LoginTurn.Refused, logins.MayTry(new("operator", Here, "own")));
        _time.Advance(1_000);
        Assert.Equal(LoginTurn.Taken, logins.MayTry(new("operator", Here, "own")));
        Assert.Equal(LoginTurn.Refused, logins.MayTry(new("operator", Here, "own")));
    }

    [Fact]
    public void MayLook_OthersFailedMeanwhile_OneASecond()
    {
        var logins = new FailedLogins(_time, ServerLimits.Default);
        var turns = Enumerable.Range(0, 100).Select(_ => logins.MayTry(new("operator", Here))).ToArray();
        Assert.All(turns, turn => Assert.Equal(LoginTurn.Free, turn));
        var looked = 0;
        foreach (var turn in turns)
        {
            if (!logins.MayLook(turn, new("operator", Here)))
                continue;
            looked++;
            logins.Failed(new("operator", Here));
        }

        Assert.Equal(5, looked);
        Assert.True(logins.MayLook(LoginTurn.Taken, new("operator", Here)));
    }

    private static bool MayTry(FailedLogins logins, string user, IPEndPoint address) =>
        logins.MayTry(new(user, address)) != LoginTurn.Refused;
}
