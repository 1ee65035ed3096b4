using System.Globalization;
using Gateway.Server.Sessions;

namespace Gateway.Server.Tests.Sessions;

/// <summary>What Browses without a session leave: each account's own, and of a bounded number of accounts.</summary>
public sealed class SessionlessPointsTests
{
    private readonly SessionlessPoints _points = new(limit: 2);

    [Fact]
    public void Of_SameAccount_SamePoints()
    {
        var first = _points.Of("anna").BrowsePoints;

        Assert.Same(first, _points.Of("anna").BrowsePoints);
        Assert.NotSame(first, _points.Of("bob").BrowsePoints);
    }

    [Fact]
    public void Of_ManyAccounts_TheOneInUseStays()
    {
        var first = _points.Of("anna").BrowsePoints;
        var forgotten = _points.Of("bob").BrowsePoints;
        for (var i = 0; i < 10; i++)
        {
            Assert.NotNull(_points.Of(i.ToString(CultureInfo.InvariantCulture)).BrowsePoints);
            Assert.Same(first, _points.Of("anna").BrowsePoints);
        }

        Assert.NotSame(forgotten, _points.Of("bob").BrowsePoints);
    }
}
