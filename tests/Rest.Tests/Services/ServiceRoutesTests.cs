using Gateway.Rest.Services;

namespace Gateway.Rest.Tests.Services;

/// <summary>The paths of the OpenAPI mapping, by name.</summary>
public sealed class ServiceRoutesTests
{
    private const string Paths =
        "read write call historyread historyupdate browse browsenext translate findservers getendpoints " +
        "createsession activatesession closesession cancel registernodes unregisternodes createmonitoreditems " +
        "modifymonitoreditems setmonitoringmode settriggering deletemonitoreditems createsubscription " +
        "modifysubscription setpublishingmode publish republish transfersubscriptions deletesubscriptions";

    [Fact]
    public void All_OfTheMapping_EachOnce() =>
        Assert.Equal(Paths.Split(' '), ServiceRoutes.All.Select(static route => route.Path));

    [Fact]
    public void All_Requests_ServiceOfThePath() => Assert.All(
        ServiceRoutes.All,
        static route => Assert.StartsWith(
            route.Path == "translate" ? "translatebrowsepathstonodeids" : route.Path + "request",
            route.Request.Name.ToLowerInvariant(), StringComparison.Ordinal));
}
