using Gateway.Loadtest.Scenarios.Capacity;

namespace Gateway.Loadtest.Tests.Scenarios.Capacity;

public sealed class CapacityModelTests
{
    [Fact]
    public void Fit_PointsMadeByKnownCosts_FindsThemAndPredictsOthers()
    {
        var model = CapacityModel.Fit([.. CapacityPoint.Fitted.Select(Make)]);

        Assert.Equal(42, model.MicrosecondsPerLoneMessage, 6);
        Assert.Equal(20, model.MicrosecondsPerMessage, 6);
        Assert.Equal(0.5, model.MicrosecondsPerNotification, 6);
        Assert.Equal(3, model.MicrosecondsPerChange, 6);
        Assert.Equal(15_000, model.BytesPerSession, 3);
        foreach (var other in CapacityPoint.Checked.Select(Make))
        {
            Assert.Equal(other.Cores, model.CoresOf(other), 9);
            Assert.Equal(other.ResidentBytes, model.BytesOf(other), 0);
        }
    }

    [Fact]
    public void Fit_ACostThatWouldBeNegative_IsNone()
    {
        double[][] terms = [[1, 1], [1, 2], [1, 3]];

        var costs = LeastSquares.Fit(terms, [3, 2, 1]);

        Assert.Equal(0, costs[1]);
        Assert.True(costs[0] > 0);
    }

    [Fact]
    public void Fit_PointsThatDoNotTellTermsApart_IsRefused()
    {
        double[][] terms = [[1, 2], [2, 4]];

        Assert.Throws<InvalidOperationException>(() => LeastSquares.Fit(terms, [1, 2]));
    }

    /// <summary>Lone messages and many are both fitted, and both checked by points that the fit has not seen.</summary>
    [Fact]
    public void Points_BothShapesOfAMessage_AreFittedAndChecked()
    {
        Assert.All([CapacityPoint.Fitted, CapacityPoint.Checked], points =>
        {
            Assert.Contains(points.Select(Make), point => point.AreMessagesLone && point.MessagesPerSecond >= 1_500);
            Assert.Contains(points.Select(Make), point => !point.AreMessagesLone);
            Assert.DoesNotContain(points, point => 1000.0 * point.Sessions / point.IntervalMs is > 2_000 and < 4_000);
        });
    }

    /// <summary>As if every cost were known: 5 % of a core, 3 µs a change, 42 µs a message at 2,000 a second and fewer
    /// and 20 µs one of many, 0.5 µs a notification.</summary>
    private static CapacityMeasurement Make(CapacityPoint point)
    {
        var messages = 1000.0 * point.Sessions / point.IntervalMs;
        var message = messages > 2_000 ? 20 : 42;
        double notifications = point.TotalItems;
        return new CapacityMeasurement
        {
            Point = point,
            MessagesPerSecond = messages,
            NotificationsPerSecond = notifications,
            Cores = 0.05 + (1e-6 * ((3 * point.Tags) + (message * messages) + (0.5 * notifications))),
            ResidentBytes = 1e8 + (200.0 * point.Tags) + (15_000.0 * point.Sessions) + (400.0 * point.TotalItems),
        };
    }
}
