using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Server.Sessions;

namespace Gateway.Server.Tests.Sessions;

public sealed class ClientFactsTests
{
    private readonly ClientFactsCache _cache = new();

    [Fact]
    public void Share_EqualClients_KeepOne()
    {
        var first = _cache.Share(ClientFacts.Of(Request("urn:a")));
        var second = _cache.Share(ClientFacts.Of(Request("urn:a")));
        var other = _cache.Share(ClientFacts.Of(Request("urn:b")));

        Assert.Same(first, second);
        Assert.NotSame(first, other);
    }

    [Fact]
    public void Of_LongAndMissingTexts_AreCutAndNull()
    {
        var facts = ClientFacts.Of(Request("urn:a", new string('x', 100_000)));

        Assert.Equal(512, facts.ProductUri!.Length);
        Assert.Equal(512, ClientFacts.Of(Request(new string('x', 100_000))).ApplicationUri.Length);
        Assert.Null(facts.ServerUri);
        Assert.Equal("urn:a", facts.ToDescription().ApplicationUri);
        Assert.Equal("", ClientFacts.Of(new CreateSessionRequest()).ApplicationUri);
    }

    private static CreateSessionRequest Request(string applicationUri, string? productUri = null) => new()
    {
        ClientDescription = new ApplicationDescription
        {
            ApplicationUri = applicationUri,
            ProductUri = productUri,
            ApplicationName = new LocalizedText("name", "en"),
        },
        EndpointUrl = "opc.tcp://here:4840",
    };
}
