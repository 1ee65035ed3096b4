using System.Net;
using System.Security.Authentication;
using Gateway.Host.Tls;
using Gateway.Testing;
using Gateway.Transport.Http;

namespace Gateway.Tests.Tls;

/// <summary>Handshakes of HTTPS wait for their turn (R44).</summary>
public sealed class TlsPaceTests : IDisposable
{
    private readonly ManualTimeProvider _time = new();
    private readonly TlsCounters _counters = new();

    public TlsPaceTests() => _time.Advance(TimeSpan.FromMinutes(1));

    public void Dispose() => _counters.Dispose();

    [Fact]
    public void Wait_BelowTheRates_AtOnce()
    {
        var pace = Pace(all: 10, address: 5);

        Assert.All(Enumerable.Range(0, 5), _ => Assert.True(Begin(pace, "10.0.0.1").IsCompletedSuccessfully));
        Assert.Equal((0, 0), (_counters.HandshakesDelayed, _counters.HandshakesRefused));
    }

    /// <summary>MaxHttpTlsHandshakesPerSecondPerAddress: the others go on as before.</summary>
    [Fact]
    public async Task Wait_AddressAboveItsRate_ItAloneWaits()
    {
        var pace = Pace(all: 100, address: 2);
        var all = Enumerable.Range(0, 8).Select(_ => Begin(pace, "10.0.0.1")).ToList();

        Assert.True(Begin(pace, "10.0.0.2").IsCompletedSuccessfully);
        await AssertReadyAsync(all, 3);
        _time.Advance(TimeSpan.FromSeconds(1));
        await AssertReadyAsync(all, 5);
        Assert.Equal(5, _counters.HandshakesDelayed);
    }

    /// <summary>MaxHttpTlsHandshakesPerSecond.</summary>
    [Fact]
    public async Task Wait_ManyAddresses_AllTogetherAtTheRateOfAll()
    {
        var pace = Pace(all: 4, address: 2);
        var all = Enumerable.Range(0, 12).Select(number => Begin(pace, $"10.0.0.{number}")).ToList();

        await AssertReadyAsync(all, 5);
        _time.Advance(TimeSpan.FromSeconds(1));
        await AssertReadyAsync(all, 9);
    }

    /// <summary>Those that would wait longer than a handshake may take are refused, and take no turn.</summary>
    [Fact]
    public async Task Wait_LongerThanTheDeadline_Refused()
    {
        var pace = Pace(all: 100, address: 1);
        var all = Enumerable.Range(0, 50).Select(_ => Begin(pace, "10.0.0.1")).ToList();

        Assert.Equal(44, _counters.HandshakesRefused);
        await Assert.ThrowsAsync<AuthenticationException>(() => all[^1]);
        _time.Advance(TimeSpan.FromSeconds(10));
        await AssertReadyAsync(all.Where(static one => !one.IsFaulted).ToList(), 6);
        Assert.True(Begin(pace, "10.0.0.1").IsCompletedSuccessfully);
    }

    private TlsPace Pace(int all, int address) => new(
        new HttpLimits
        {
            MaxHttpTlsHandshakesPerSecond = all,
            MaxHttpTlsHandshakesPerSecondPerAddress = address,
        },
        _counters, _time);

    private static Task Begin(TlsPace pace, string address) =>
        pace.WaitAsync(new IPEndPoint(IPAddress.Parse(address), 1), CancellationToken.None).AsTask();

    /// <summary>The first so many, and no more.</summary>
    private static async Task AssertReadyAsync(List<Task> all, int count)
    {
        await Task.WhenAll(all.Take(count)).WaitAsync(Patience.Limit);
        Assert.DoesNotContain(all.Skip(count), static one => one.IsCompleted);
    }
}
