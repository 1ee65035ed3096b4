using Gateway.Server.Discovery;
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
            []);
        var hosts = Enumerable.Range(0, 200).Select(i => $"opc.tcp://host{i}:4840").ToArray();
        var first = Array.ConvertAll(hosts, host => catalog.Encoded(host, null));

        var kept = hosts.Where((host, i) => ReferenceEquals(first[i], catalog.Encoded(host, null)));

        Assert.Equal(hosts[..MaxHosts], kept);
        Assert.Equal(first, Array.ConvertAll(hosts, host => catalog.Encoded(host, null)));
    }
}
