using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Server.Discovery;
using Gateway.Server.Tests.Support;
using Gateway.Transport.Security;

namespace Gateway.Server.Tests.Discovery;

public sealed class EndpointCatalogTests
{
    /// <summary>The names come from peers: what is kept of them is bounded.</summary>
    [Fact]
    public void Encoded_ManyHosts_SoManyAreKeptAsTheLimitSays()
    {
        const int MaxHosts = 10;
        var catalog = new EndpointCatalog(
            new ServerOptions
            {
                ApplicationUri = "urn:test:server",
                Security = new SecurityOffer { Policies = [SecurityPolicies.None] },
                Limits = ServerLimits.Default with { MaxCachedEndpointHosts = MaxHosts },
            },
            TestCertificates.Server);
        var hosts = Enumerable.Range(0, 200).Select(i => $"opc.tcp://host{i}:4840").ToArray();
        var first = Array.ConvertAll(hosts, host => catalog.Encoded(host, null));

        var kept = hosts.Where((host, i) => ReferenceEquals(first[i], catalog.Encoded(host, null)));

        Assert.Equal(hosts[..MaxHosts], kept);
        Assert.Equal(first, Array.ConvertAll(hosts, host => catalog.Encoded(host, null)));
    }

    /// <summary>Source: Part 6 §G.3, Part 7 profile 2338.</summary>
    [Theory]
    [InlineData("opc.tcp://plant-gateway:4840", "https://plant-gateway:8443/opcua")]
    [InlineData("opc.tcp://127.0.0.1:4840", "https://127.0.0.1:8443/opcua")]
    [InlineData("opc.tcp://[::1]:4840", "https://[::1]:8443/opcua")]
    [InlineData("https://plant-gateway:8443/opcua", "https://plant-gateway:8443/opcua")]
    [InlineData("http://127.0.0.1:8080/opcua", "https://127.0.0.1:8443/opcua")]
    public void Describe_WithHttps_OneMoreEndpointOfTheClientsHost(string url, string expected)
    {
        var catalog = Catalog(new HttpsOffer(8443, "/opcua", IsOfThisMachineAlone: false));

        var endpoint = Assert.Single(
            catalog.Describe(url, null), static one => one.EndpointUrl!.StartsWith("https", StringComparison.Ordinal));

        Assert.Equal(expected, endpoint.EndpointUrl);
        Assert.Equal(
            "http://opcfoundation.org/UA-Profile/Transport/https-uajson-openapi", endpoint.TransportProfileUri);
        Assert.Equal(MessageSecurityMode.None, endpoint.SecurityMode);
        Assert.Equal("http://opcfoundation.org/UA/SecurityPolicy#None", endpoint.SecurityPolicyUri);
        Assert.Contains(endpoint.UserIdentityTokens!, static policy => policy.TokenType == UserTokenType.UserName);
        // HTTP itself asks for a user.
        Assert.DoesNotContain(
            endpoint.UserIdentityTokens!, static policy => policy.TokenType == UserTokenType.Anonymous);
    }

    /// <summary>The other transports at the host that a client of HTTPS used, at their own ports. Source: Part 4
    /// §5.5.4.2.</summary>
    [Theory]
    [InlineData("https://plant-gateway:8443/opcua", null)]
    [InlineData(null, "https://plant-gateway:8443")]
    public void Describe_ClientOfHttps_UrlsOfItsHost(string? requested, string? hello)
    {
        var urls = Catalog(new HttpsOffer(8443, "/opcua", IsOfThisMachineAlone: false))
            .Describe(requested, hello).Select(static one => one.EndpointUrl);

        Assert.Equal(
            [
                "opc.tcp://plant-gateway:4841", "opc.wss://plant-gateway:8443", "https://plant-gateway:8443/opcua",
                "opc.wss://plant-gateway:8443/opcua", "opc.wss://plant-gateway:8443/opcua",
            ],
            urls);
    }

    /// <summary>Source: Part 6 §7.5.1.</summary>
    [Theory]
    [InlineData("opc.tcp://a:4840")]
    [InlineData("opc.wss://a:8443")]
    public void Describe_WithHttps_SecureWebSocketsOnce(string url)
    {
        var endpoint = Assert.Single(
            Catalog(new HttpsOffer(8443, "/opcua", IsOfThisMachineAlone: false)).Describe(url, null),
            static one => one.EndpointUrl == "opc.wss://a:8443");

        Assert.Equal(
            "http://opcfoundation.org/UA-Profile/Transport/wss-uasc-uabinary", endpoint.TransportProfileUri);
    }

    /// <summary>As clients choose that look at scheme, mode and level, and not at the transport.</summary>
    [Fact]
    public void Describe_BestOfWebSocketsWithoutSecurity_IsTheBinaryOne()
    {
        var best = Catalog(new HttpsOffer(8443, "/opcua", IsOfThisMachineAlone: false))
            .Describe("opc.wss://a:8443", null)
            .Where(static one => one.EndpointUrl!.StartsWith("opc.wss", StringComparison.Ordinal))
            .MaxBy(static one => one.SecurityLevel)!;

        Assert.Equal("http://opcfoundation.org/UA-Profile/Transport/wss-uasc-uabinary", best.TransportProfileUri);
    }

    [Fact]
    public void Describe_WithoutHttpsOrFromElsewhere_NoneOfIt()
    {
        Assert.DoesNotContain(Catalog(null).Describe("opc.tcp://a:4840", null), IsHttps);
        var local = Catalog(new HttpsOffer(8443, "/opcua", IsOfThisMachineAlone: true));
        Assert.DoesNotContain(local.Describe("opc.tcp://plant-gateway:4840", null), IsHttps);
        Assert.Contains(local.Describe("opc.tcp://localhost:4840", null), IsHttps);
    }

    [Theory]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/uatcp-uasc-uabinary", 1, 0, 0)]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/wss-uasc-uabinary", 0, 1, 0)]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/uawss-uasc-uabinary", 0, 1, 0)]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/https-uajson-openapi", 0, 0, 1)]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/wss-uajson-openapi", 0, 1, 0)]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/wss-uajson", 0, 1, 0)]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/uawss-uajson", 0, 1, 0)]
    [InlineData("http://opcfoundation.org/UA-Profile/Transport/https-uabinary", 0, 0, 0)]
    [InlineData(null, 1, 3, 1)]
    public void Encoded_ProfileUris_ThoseAlone(string? profile, int tcp, int wss, int https)
    {
        var catalog = Catalog(new HttpsOffer(8443, "/opcua", IsOfThisMachineAlone: false));

        var reader = new UaBinaryReader(
            catalog.Encoded("opc.tcp://a:4840", null, profile is null ? null : [profile]));
        var endpoints = reader.ReadStructureArray<EndpointDescription>()!;

        Assert.Equal(tcp, Count("opc.tcp"));
        Assert.Equal(wss, Count("opc.wss"));
        Assert.Equal(https, Count("https"));

        int Count(string scheme) => endpoints.Count(
            one => one.EndpointUrl!.StartsWith(scheme + "://", StringComparison.Ordinal));
    }

    private static bool IsHttps(EndpointDescription endpoint) =>
        endpoint.EndpointUrl!.StartsWith("https://", StringComparison.Ordinal);

    private static EndpointCatalog Catalog(HttpsOffer? https) => new(
        new ServerOptions
        {
            ApplicationUri = "urn:test:server",
            Security = new SecurityOffer { Policies = [SecurityPolicies.None] },
            Https = https,
            FallbackEndpointUrl = "opc.tcp://machine:4841",
        },
        TestCertificates.Server);
}
