using Gateway.Admission.Load;
using Gateway.Testing;

namespace Gateway.Admission.Tests.Load;

public class HandshakeRateTests
{
    private readonly ManualTimeProvider _time = new();

    private static void Serve(HandshakeRate rate, ManualTimeProvider time, int count, double everyMs, bool isBusy)
    {
        for (var i = 0; i < count; i++)
        {
            time.Advance(everyMs);
            rate.Completed(isBusy);
        }
    }

    [Theory]
    [InlineData(20)]
    [InlineData(200)]
    [InlineData(5000)]
    public void PerSecond_LaneIsBusy_IsMeasuredWithinSeconds(double guess)
    {
        var rate = new HandshakeRate(_time, guess, new AdaptiveConcurrency(_time));

        Serve(rate, _time, 5 * 640, 1000.0 / 640, isBusy: true);

        Assert.InRange(rate.PerSecond, 640 * 0.9, 640 * 1.2);
    }

    [Fact]
    public void PerSecond_ClientsAreSlow_StaysWhatTheKeysCan()
    {
        var rate = new HandshakeRate(_time, 640, new AdaptiveConcurrency(_time));

        Serve(rate, _time, 300, 100, isBusy: false);

        Assert.Equal(640, rate.PerSecond);
    }

    [Fact]
    public void PerSecond_IdleBetweenBursts_StaysWhatTheKeysCan()
    {
        var rate = new HandshakeRate(_time, 640, new AdaptiveConcurrency(_time));

        for (var burst = 0; burst < 50; burst++)
        {
            Serve(rate, _time, 19, 1000.0 / 640, isBusy: true);
            Serve(rate, _time, 1, 1000.0 / 640, isBusy: false);
            _time.Advance(5000);
        }

        Assert.InRange(rate.PerSecond, 600, 680);
    }

    [Fact]
    public void PerSecond_LawThrottles_FallsWithItAndIsBackAtOnce()
    {
        var law = new AdaptiveConcurrency(_time);
        var rate = new HandshakeRate(_time, 640, law);
        for (var i = 0; i < 40; i++)
        {
            law.Observe(TimeSpan.FromMilliseconds(100 + (10 * i)));
            Serve(rate, _time, 5, 1000 / (640 * law.Share), isBusy: true);
        }

        Assert.InRange(rate.PerSecond, 16, 80);
        Assert.InRange(rate.Full, 450, 900);
        Assert.InRange(rate.Sustained, rate.Full / 2, rate.Full);

        _time.Advance(4000);

        Assert.InRange(rate.PerSecond, 450, 900);
    }

    [Fact]
    public void PerSecond_MoreServedThanGuessedThoughNobodyWaits_Rises()
    {
        var rate = new HandshakeRate(_time, 100, new AdaptiveConcurrency(_time));

        Serve(rate, _time, 1000, 2, isBusy: false);

        Assert.InRange(rate.PerSecond, 450, 550);
    }

    [Fact]
    public void PerSecond_NothingServed_IsNeverZero()
    {
        var rate = new HandshakeRate(_time, 0, new AdaptiveConcurrency(_time));

        Serve(rate, _time, 100, 60_000, isBusy: true);

        Assert.InRange(rate.PerSecond, 1, 10);
    }

    [Fact]
    public void Guess_OneTimedOperation_FourOfThemAHandshake() =>
        Assert.Equal(500, HandshakeRate.Guess(TimeSpan.FromMilliseconds(1), 2), 1.0);
}
