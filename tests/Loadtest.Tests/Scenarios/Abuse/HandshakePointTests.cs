using Gateway.Loadtest.Scenarios.Abuse;

namespace Gateway.Loadtest.Tests.Scenarios.Abuse;

public sealed class HandshakePointTests
{
    [Fact]
    public void All_InTheOrderOfTheHandshake_NamesDifferAndMessagesRise()
    {
        var points = HandshakePoint.All;

        Assert.Equal(points.Count, points.Select(point => point.Name).Distinct().Count());
        var messages = points.Select(point => (2 * Math.Max(point.Sent, point.Answered)) - (point.Sent > 0 ? 1 : 0));
        Assert.Equal(messages.Order(), messages);
    }

    [Theory]
    [InlineData("OPN sent", 1, 5, false)]
    [InlineData("OPN sent", 2, 0, true)]
    [InlineData("OPN answered", 5, 1, false)]
    [InlineData("OPN answered", 0, 2, true)]
    [InlineData("TCP", 0, 0, true)]
    public void IsReached_ByEitherSidesMessages(string name, int sent, int answered, bool isReached) =>
        Assert.Equal(isReached, HandshakePoint.All.Single(point => point.Name == name).IsReached(sent, answered));
}
