using System.Net;
using Gateway.Server.Users;
using Gateway.Testing;

namespace Gateway.Server.Tests.Users;

/// <summary>R30: guessing from many places at once is as slow as from one, and delays nobody who was right before.
/// </summary>
public sealed class DistributedGuessingTests
{
    private const int Guesses = 1_000;

    private static readonly IPEndPoint Home = new(IPAddress.Parse("198.51.100.9"), 1);

    private readonly ManualTimeProvider _time = new();
    private readonly FailedLogins _logins;

    public DistributedGuessingTests() => _logins = new FailedLogins(_time, ServerLimits.Default);

    public static TheoryData<string, Func<int, string>> Places => new()
    {
        { "one address", _ => "192.0.2.1" },
        { "32 addresses", i => $"192.0.2.{i % 32}" },
        { "1,000 networks", i => $"10.{i / 256}.{i % 256}.1" },
        { "one /64", i => $"2001:db8::{i:x}" },
        { "1,000 of /64", i => $"2001:db8:0:{i:x}::1" },
        { "1,000 of /48", i => $"2001:db8:{i:x}::1" },
        { "IPv4 in two forms", i => i % 2 == 0 ? "192.0.2.1" : "::ffff:192.0.2.1" },
    };

    [Theory]
    [MemberData(nameof(Places))]
    public void MayTry_ThousandGuessesOnOneUser_OneASecondAfterFive(string name, Func<int, string> place)
    {
        var looked = Guess(place, everyMs: 100);

        // 100 s: five free ones, one by which a second place is seen, and one a second.
        Assert.True(looked <= 5 + 1 + 100, $"{looked} guesses looked at from {name}");
        Assert.True(looked >= 50, $"{looked} guesses looked at from {name}");
    }

    [Theory]
    [InlineData("")]
    [InlineData("AA11")]
    public void MayTry_RightBefore_NeverDelayed(string client)
    {
        _logins.Succeeded(new("operator", Home, client));

        Guess(i => $"10.{i / 256}.{i % 256}.1", everyMs: 10, between: () =>
        {
            Assert.Equal(LoginTurn.Free, _logins.MayTry(new("operator", Home, client)));
            _logins.Succeeded(new("operator", Home, client));
        });
    }

    [Fact]
    public void MayTry_RightBeforeWithItsCertificate_NotDelayedAtANewAddress()
    {
        _logins.Succeeded(new("operator", Home, "AA11"));

        Guess(i => $"10.{i / 256}.{i % 256}.1", everyMs: 10, between: () => Assert.Equal(
            LoginTurn.Free, _logins.MayTry(new("operator", new IPEndPoint(IPAddress.Parse("10.0.0.1"), 2), "AA11"))));
    }

    [Fact]
    public void MayTry_RightBeforeFromThere_NotDelayedWithANewCertificate()
    {
        _logins.Succeeded(new("operator", Home, "AA11"));

        Guess(i => $"10.{i / 256}.{i % 256}.1", everyMs: 10, between: () =>
            Assert.Equal(LoginTurn.Free, _logins.MayTry(new("operator", Home, "BB22"))));
    }

    /// <summary>After a restart of the gateway nobody was right before; certificates of before are known.</summary>
    [Fact]
    public void MayTry_KnownCertificate_NotDelayedByStrangers() =>
        Guess(i => $"10.{i / 256}.{i % 256}.1", everyMs: 10, between: () => Assert.Equal(
            LoginTurn.Free, _logins.MayTry(new("operator", Home, "AA11", isKnownClient: true))));

    [Fact]
    public void MayTry_KnownCertificatesThatGuess_OneASecondAfterFive()
    {
        var looked = 0;
        for (var i = 0; i < Guesses; i++, _time.Advance(100))
            looked += Try(new("operator", Home, "CERT" + (i % 32), isKnownClient: true));

        Assert.InRange(looked, 50, 106);
    }

    /// <summary>Its place is new and its certificate unknown: it waits for a turn among those that guess.</summary>
    [Fact]
    public void MayTry_NewcomerBeside32Guessers_WithinASecond()
    {
        Guess(i => $"192.0.2.{i % 32}", everyMs: 1_000);

        var waited = 0;
        while (_logins.MayTry(new("operator", Home)) == LoginTurn.Refused)
        {
            waited += 10;
            for (var i = 0; i < 32; i++)
                Try(new("operator", new IPEndPoint(IPAddress.Parse($"192.0.2.{i}"), 1)));
            _time.Advance(10);
        }

        Assert.InRange(waited, 0, 1_000);
    }

    [Fact]
    public void MayTry_ManyUsersFromOneSlash64_SlowedAsOneAddress()
    {
        var looked = 0;
        for (var i = 0; i < Guesses; i++, _time.Advance(10))
            looked += Try(new("user" + i, new IPEndPoint(IPAddress.Parse($"2001:db8::{i:x}"), 1)));

        Assert.InRange(looked, 25, 31);
    }

    [Theory]
    [InlineData("192.0.2.{0}")]
    [InlineData("2001:db8:1:{0:x}::5")]
    public void MayTry_ManyUsersFromOneNetwork_FourASecondAfterEighty(string form)
    {
        var looked = 0;
        for (var i = 0; i < Guesses; i++, _time.Advance(10))
        {
            var address = string.Format(System.Globalization.CultureInfo.InvariantCulture, form, i % 256);
            looked += Try(new("user" + i, new IPEndPoint(IPAddress.Parse(address), 1)));
        }

        Assert.InRange(looked, 100, 121);
    }

    [Fact]
    public void Failed_EndlessUsersAndAddresses_TablesBounded()
    {
        for (var i = 0; i < 100_000; i++)
            _logins.Failed(new("user" + i, new IPEndPoint(new IPAddress(i * 256L), 1), "CERT" + i, i % 2 == 0));

        Assert.InRange(_logins.Count, 1, 2 * ServerLimits.Default.MaxTrackedLogins);
    }

    private int Guess(Func<int, string> place, int everyMs, Action? between = null)
    {
        var looked = 0;
        for (var i = 0; i < Guesses; i++)
        {
            looked += Try(new("operator", new IPEndPoint(IPAddress.Parse(place(i)), 1)));
            between?.Invoke();
            _time.Advance(everyMs);
        }

        return looked;
    }

    private int Try(in LoginAttempt attempt)
    {
        if (_logins.MayTry(attempt) == LoginTurn.Refused)
            return 0;
        _logins.Failed(attempt);
        return 1;
    }
}
