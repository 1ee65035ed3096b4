using Gateway.Codec.Structures;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Services;

public sealed class DiscoveryServiceTests : IDisposable
{
    private readonly ServerFixture _fixture = new();

    public void Dispose() => _fixture.Dispose();

    [Theory]
    [InlineData("opc.tcp://plant.example:4841", "opc.tcp://plant.example:4841")]
    [InlineData("opc.tcp://plant.example:4841/UA/Server?x=1", "opc.tcp://plant.example:4841")]
    [InlineData("opc.tcp://10.0.0.7", "opc.tcp://10.0.0.7:4840")]
    [InlineData("opc.tcp://[::1]:4842", "opc.tcp://[::1]:4842")]
    [InlineData("http://plant.example", "opc.tcp://plant.example:4840")]
    [InlineData("https://plant.example:8443/opcua", "opc.tcp://plant.example:4840")]
    [InlineData("ftp://plant.example", "opc.tcp://here:4840")]
    [InlineData("nonsense", "opc.tcp://here:4840")]
    [InlineData("opc.tcp://bad host/", "opc.tcp://here:4840")]
    [InlineData(null, "opc.tcp://here:4840")]
    public async Task GetEndpoints_Url_IsTheOneThatTheClientUsed(string? asked, string expected)
    {
        var client = _fixture.Connect();
        var response = await client.CallAsync<GetEndpointsResponse>(new GetEndpointsRequest { EndpointUrl = asked });
        Assert.All(response.Endpoints!, endpoint => Assert.Equal(expected, endpoint.EndpointUrl));
    }

    [Fact]
    public async Task GetEndpoints_ConfiguredUrls_AreTheOnlyOnes()
    {
        using var fixture = new ServerFixture(
            options => options with { EndpointUrls = ["opc.tcp://a:1", "opc.tcp://b:2"] });
        var client = fixture.Connect();
        var response = await client.CallAsync<GetEndpointsResponse>(
            new GetEndpointsRequest { EndpointUrl = "opc.tcp://elsewhere:4840" });
        Assert.Equal(10, response.Endpoints!.Length);
        Assert.Equal(
            ["opc.tcp://a:1", "opc.tcp://b:2"], response.Endpoints.Select(endpoint => endpoint.EndpointUrl).Distinct());
    }

    [Fact]
    public async Task GetEndpoints_Always_DescribesPolicyModeTokensAndLevel()
    {
        var client = _fixture.Connect();
        var endpoints = (await client.CallAsync<GetEndpointsResponse>(new GetEndpointsRequest())).Endpoints!;
        Assert.All(endpoints, endpoint =>
        {
            Assert.Equal(TestCertificates.Server.Der, endpoint.ServerCertificate);
            Assert.Equal("urn:test:server", endpoint.Server.ApplicationUri);
            Assert.Equal(ApplicationType.Server, endpoint.Server.ApplicationType);
            Assert.EndsWith("uatcp-uasc-uabinary", endpoint.TransportProfileUri, StringComparison.Ordinal);
            Assert.Equal(
                [UserTokenType.Anonymous, UserTokenType.UserName, UserTokenType.Certificate],
                endpoint.UserIdentityTokens!.Select(token => token.TokenType));
            Assert.All(
                endpoint.UserIdentityTokens!.Skip(1),
                token => Assert.NotEqual(SecurityPolicies.None.Uri, token.SecurityPolicyUri));
        });
        var best = endpoints.MaxBy(endpoint => endpoint.SecurityLevel)!;
        Assert.Equal(SecurityPolicies.Aes256Sha256RsaPss.Uri, best.SecurityPolicyUri);
        Assert.Equal(MessageSecurityMode.SignAndEncrypt, best.SecurityMode);
        var none = endpoints.Single(endpoint => endpoint.SecurityMode == MessageSecurityMode.None);
        Assert.Equal(0, none.SecurityLevel);
        var all = endpoints.SelectMany(endpoint => endpoint.UserIdentityTokens!);
        Assert.All(
            all.GroupBy(token => token.PolicyId),
            same => Assert.Single(same.Select(token => token.SecurityPolicyUri).Distinct()));
    }

    [Theory]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/uatcp-uasc-uabinary", true)]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/https-uabinary", false)]
    public async Task GetEndpoints_ProfileFilter_IsHonoured(string profile, bool found)
    {
        var client = _fixture.Connect();
        var response = await client.CallAsync<GetEndpointsResponse>(
            new GetEndpointsRequest { ProfileUris = [profile], LocaleIds = ["de", null] });
        Assert.Equal(found, response.Endpoints!.Length > 0);
    }

    [Fact]
    public async Task GetEndpoints_ManyHosts_EachIsNamed()
    {
        var client = _fixture.Connect();
        for (var i = 0; i < 200; i++)
        {
            var response = await client.CallAsync<GetEndpointsResponse>(
                new GetEndpointsRequest { EndpointUrl = $"opc.tcp://host{i}:4840" });
            Assert.Equal($"opc.tcp://host{i}:4840", response.Endpoints![0].EndpointUrl);
        }
    }

    [Theory]
    [InlineData("urn:test:server", 1)]
    [InlineData("urn:another", 0)]
    [InlineData(null, 1)]
    public async Task FindServers_Filter_IsHonoured(string? uri, int count)
    {
        var client = _fixture.Connect();
        var response = await client.CallAsync<FindServersResponse>(
            new FindServersRequest { ServerUris = uri is null ? null : [uri] });
        Assert.Equal(count, response.Servers!.Length);
        if (count > 0)
            Assert.Equal("opc.tcp://here:4840", response.Servers[0].DiscoveryUrls!.Single());
    }
}
