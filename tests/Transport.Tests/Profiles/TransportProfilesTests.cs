using Gateway.Transport.Profiles;

namespace Gateway.Transport.Tests.Profiles;

public sealed class TransportProfilesTests
{
    [Theory]
    [InlineData("opc.tcp://plant:4841/path", 4841)]
    [InlineData("OPC.TCP://plant", 4840)]
    [InlineData("opc.tcp://[::1]", 4840)]
    public void TryParse_SchemeOfTheTableAndAHost_ProfileAndPort(string url, int port)
    {
        Assert.True(TransportProfiles.TryParse(url, out var profile, out var parsed));

        Assert.Same(TransportProfiles.UaTcp, profile);
        Assert.Equal(port, profile.PortOf(parsed));
    }

    [Theory]
    [InlineData(null)]
    [InlineData("")]
    [InlineData("plant:4840")]
    [InlineData("http://plant:4840")]
    [InlineData("opc.tcp:///path")]
    public void TryParse_OtherSchemeOrNoHost_False(string? url) =>
        Assert.False(TransportProfiles.TryParse(url, out _, out _));

    [Theory]
    [InlineData("Opc.Tcp://anything at all", true)]
    [InlineData("opc.tcp:/x", false)]
    [InlineData("://x", false)]
    [InlineData("opc.https://x", false)]
    public void HasKnownScheme_LooksAtTheSchemeAlone(string url, bool isKnown) =>
        Assert.Equal(isKnown, TransportProfiles.HasKnownScheme(url));

    [Fact]
    public void All_EachRow_IsFoundByItsUriAndByTheUrlsItMakes()
    {
        foreach (var row in TransportProfiles.All)
        {
            Assert.True(TransportProfiles.IsKnown(row.Uri));
            Assert.Equal(row.IsOfClient, TransportProfiles.IsOfClient(row.Uri));
            Assert.True(TransportProfiles.TryParse(row.UrlOf("plant", 1), out var profile, out var url));
            Assert.Same(row, profile);
            Assert.Equal(1, row.PortOf(url));
        }

        Assert.False(TransportProfiles.IsKnown(null));
        Assert.False(TransportProfiles.IsOfClient(null));
    }
}
