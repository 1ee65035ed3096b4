using System.Net;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Door;

public sealed class RetryScheduleTests
{
    private static readonly TimeSpan Longest = TimeSpan.FromSeconds(2);

    private readonly AdmissionControl _control = new(
        new AdmissionLimits { MaxRetryAfter = Longest }, new ManualTimeProvider(), isEnabled: true, 200);

    /// <summary>Behind 100,000 that wait, the moment that it would get lies minutes away.</summary>
    [Fact]
    public void Next_BehindVeryMany_BetweenHalfOfMaxRetryAfterAndAllOfIt()
    {
        var address = _control.Clients.Address(IPAddress.Loopback);

        for (var client = 0; client < 100; client++)
        {
            Assert.InRange(
                _control.Retry.Next(100_000, address, TimeSpan.Zero), Longest.TotalMilliseconds / 2,
                Longest.TotalMilliseconds);
        }
    }

    [Fact]
    public void Spread_OverALongerTime_AtMostMaxRetryAfter()
    {
        for (var client = 0; client < 100; client++)
        {
            var delay = _control.Retry.Spread(TimeSpan.FromSeconds(1), TimeSpan.FromMinutes(1));
            Assert.InRange(delay, 1_000, Longest.TotalMilliseconds);
        }
    }
}
