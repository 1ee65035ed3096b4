using System.Globalization;
using Gateway.Operations.Browsing;
using Gateway.Server.Sessions;

namespace Gateway.Server.Tests.Sessions;

/// <summary>What Browses without a session leave: each client's own, and of a bounded number of clients.</summary>
public sealed class SessionlessPointsTests
{
    private readonly SessionlessPoints _points = new(limit: 2);

    [Fact]
    public void Of_SameAccount_SamePoints()
    {
        var first = Of("anna").BrowsePoints;

        Assert.Same(first, Of("anna").BrowsePoints);
        Assert.NotSame(first, Of("bob").BrowsePoints);
    }

    [Fact]
    public void Of_ManyAccounts_TheOneInUseStays()
    {
        var first = Of("anna").BrowsePoints;
        var forgotten = Of("bob").BrowsePoints;
        for (var i = 0; i < 10; i++)
        {
            Assert.NotNull(Of(i.ToString(CultureInfo.InvariantCulture)).BrowsePoints);
            Assert.Same(first, Of("anna").BrowsePoints);
        }

        Assert.NotSame(forgotten, Of("bob").BrowsePoints);
    }

    /// <summary>Two dashboards of one user do not take each other's points.</summary>
    [Fact]
    public void Of_SameAccountFromAnotherAddress_HasItsOwn() =>
        Assert.NotSame(Of("anna").BrowsePoints, Of("anna", "10.0.0.2").BrowsePoints);

    [Fact]
    public void BrowsePointsIfAny_BeforeThereIsAPoint_KeepsNothing()
    {
        Assert.Null(Of("anna").BrowsePointsIfAny);
        Assert.Equal(0, _points.Count);

        var points = Of("anna").BrowsePoints;

        Assert.Same(points, Of("anna").BrowsePointsIfAny);
        Assert.Equal(1, _points.Count);
    }

    private IBrowsePointOwner Of(string account, string address = "10.0.0.1") => _points.Of(account, address);
}
