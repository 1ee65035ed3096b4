using Gateway.Testing;
using Gateway.Tests.Http;
using Gateway.Tests.Trust;
using Gateway.Transport.Hosting;

namespace Gateway.Tests.Clock;

/// <summary>R28: the wall clock of a whole gateway jumps while all its lifetimes run. One that followed it would end
/// at once, or an hour late, which is longer than a test waits. Each is measured by the monotonic clock from before it
/// began, so that a slow machine makes no difference.</summary>
public sealed class ClockJumpTests
{
    private static readonly TimeSpan Deadline = TimeSpan.FromSeconds(2.5);

    private static readonly string[] Options =
    [
        "--Limits:HelloDeadline=00:00:02.500", "--Limits:HttpHeaderDeadline=00:00:02.500",
        "--Limits:HttpKeepAliveTime=00:00:02.500", "--Limits:HttpStreamResumeTime=00:00:02.500",
        "--Limits:MinSessionTimeout=00:00:02.500", "--Limits:MinSubscriptionLifetimeMs=2500",
        "--Limits:FailedLoginInterval=00:00:02.500",
        "--Users:0:Name=anna", "--Users:0:Password=horse", "--Users:0:Roles:0=Observer",
    ];

    [Theory]
    [InlineData(1)]
    [InlineData(-1)]
    [InlineData(10 * 365 * 24)]
    [InlineData(-10 * 365 * 24)]
    public async Task WallClock_JumpsUnderAWholeGateway_NothingEndsEarlyOrLate(double hours)
    {
        var time = new JumpingTime();
        using var pki = new PlantPki();
        await using var gateway = await RunningGateway.StartAsync(time, static _ => { }, Options);
        using var crowd = new Crowd(gateway.Get<UaTcpOptions>().EndPoint.Port);
        var members = pki.Make(2);
        var stays = (await crowd.OpenAsync([members[0]]))[members[0]];
        var keepAlives = await KeepAlives.SubscribeAsync(stays);
        using var lifetimes = new Lifetimes(gateway, Deadline, crowd.Url);
        Task<TimeSpan>[] ends =
        [
            await lifetimes.OfSessionAsync(), await lifetimes.OfDetachedSubscriptionAsync(),
            await Lifetimes.OfSilentSocketAsync(crowd.Port),
            await Lifetimes.OfSilentSocketAsync(gateway.Client.BaseAddress!.Port), await lifetimes.OfIdleHttpAsync(),
            await lifetimes.OfStreamAsync(), await lifetimes.OfLockoutAsync("anna", "horse"),
        ];

        time.MoveWallClock(TimeSpan.FromHours(hours));
        var elapsed = await Task.WhenAll(ends).WaitAsync(Patience.Limit);

        Assert.All(elapsed, end => Assert.True(end >= Deadline, string.Join(' ', elapsed)));
        await keepAlives.AssertOnTimeAsync(4);
        Assert.True(stays.IsOpen);
        // A newcomer, whose certificate was not looked at before.
        await crowd.OpenAsync([members[1]]);
    }
}
