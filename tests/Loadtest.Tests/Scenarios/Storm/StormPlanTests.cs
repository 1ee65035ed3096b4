using Gateway.Loadtest.Observers;
using Gateway.Loadtest.Scenarios.Storm;

namespace Gateway.Loadtest.Tests.Scenarios.Storm;

public sealed class StormPlanTests
{
    private static readonly StormPlan Plan = new()
    {
        Clients = 1000,
        Behaviour = StormBehaviour.Mixed,
        Certificates = 50,
        KnownShare = 0.8,
        Addresses = 10,
        Patience = TimeSpan.FromSeconds(10),
        Backoff = TimeSpan.FromSeconds(1),
        Subscribes = false,
        BaselineClients = 20,
        Silent = 0,
        Limit = TimeSpan.FromSeconds(60),
        Hold = TimeSpan.Zero,
        Within = TimeSpan.Zero,
        Live = new LiveSettings(),
    };

    [Theory]
    [InlineData(0)]
    [InlineData(0.25)]
    [InlineData(0.8)]
    [InlineData(1)]
    public void CertificateOf_KnownShare_StrangersNeverHoldACertificateOfTheBaseline(double share)
    {
        var plan = Plan with { KnownShare = share };
        var all = Enumerable.Range(0, plan.Clients).ToArray();
        var before = Enumerable.Range(0, plan.Baseline).Select(plan.BaselineCertificateOf).ToHashSet();

        Assert.Equal(share * plan.Clients, all.Count(plan.IsKnown));
        Assert.All(all, client => Assert.Equal(plan.IsKnown(client), before.Contains(plan.CertificateOf(client))));
        Assert.Equal(50, all.Select(plan.CertificateOf).Distinct().Count());
        Assert.All(before, number => Assert.InRange(number, 0, plan.AllCertificates - 1));
    }

    [Theory]
    [InlineData("Obey", 10)]
    [InlineData("Mixed", 5)]
    [InlineData("Ignore", 0)]
    public void Obeys_Behaviour_AllHalfOrNone(string behaviour, int expected)
    {
        var plan = Plan with { Behaviour = Enum.Parse<StormBehaviour>(behaviour) };

        Assert.Equal(expected, Enumerable.Range(0, 10).Count(plan.Obeys));
    }

    [Fact]
    public void DelayOf_Told_ObedientWaitAsTold()
    {
        var hint = TimeSpan.FromMilliseconds(1234);

        Assert.Equal(hint, Plan.DelayOf(obeys: true, hint, random: 0.9));
        Assert.Equal(TimeSpan.Zero, Plan.DelayOf(obeys: false, hint, random: 0.9));
    }

    [Theory]
    [InlineData(0, 500)]
    [InlineData(0.5, 1000)]
    [InlineData(1, 1500)]
    public void DelayOf_NotTold_ObedientBackOff(double random, double expectedMs) =>
        Assert.Equal(expectedMs, Plan.DelayOf(obeys: true, null, random).TotalMilliseconds);

    [Fact]
    public void SpreadOf_Returns_BusiestAndMean()
    {
        var (busiest, mean) = StormTimeline.SpreadOf([1.0, 1.5, 2.0, 5.0]);

        Assert.Equal(2, busiest);
        Assert.Equal(1, mean);
    }
}
