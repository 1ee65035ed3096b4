using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

/// <summary>NamespaceVersion of an upstream's NamespaceMetadata. Source: Part 5 §6.3.13.</summary>
public sealed class NamespaceVersionsTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Synchronized = 5002;
    private const int VersionsDiffer = 5076;

    private static readonly NodeId Namespaces = new(11715), Metadata = new("urn:data", 2), Version = new("Version", 2);

    private readonly UpstreamFixture _gateway = new();

    private FakeUpstream Server => _gateway.Server;

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task AnotherUpstreamHasAnotherVersion_ToldOnceWithBoth()
    {
        _gateway.Context.Versions.Set("B", new Dictionary<string, string> { ["urn:data"] = "1.0" });
        Say("2.0");
        await StartAsync();

        var told = await _gateway.Log.NextAsync(VersionsDiffer);

        Assert.Contains("version 2.0 of the model urn:data, and upstream B has 1.0", told, StringComparison.Ordinal);
        await BrowseAgainAsync();
        await BrowseAgainAsync();
        Assert.Single(_gateway.Log.Texts, static one => one.Contains("of the model", StringComparison.Ordinal));
        // Nothing of it is in the mirror.
        Assert.True(_gateway.Find("urn:data").IsNone);
    }

    [Fact]
    public async Task NodeSetOfTheGatewayHasAnotherVersion_Told()
    {
        var index = _gateway.Nodes.Namespaces.GetOrAdd("urn:nodeset");
        var (metadata, version) = (new NodeId("Meta", index), new NodeId("Version", index));
        _gateway.Nodes.Apply(new NodeBatch()
            .AddObject(
                metadata, new QualifiedName("urn:data", index), Namespaces, new NodeId(11616), new NodeId(47))
            .AddProperty(
                version, new QualifiedName("NamespaceVersion"), new VariableFacts(new NodeId(12)), null, metadata));
        _gateway.Values.Set(_gateway.Nodes.Find(version), new DataValue(new Variant("1.5")));
        Say("2.0");

        await StartAsync();

        Assert.Contains("NodeSet of the gateway has 1.5", await _gateway.Log.NextAsync(VersionsDiffer),
            StringComparison.Ordinal);
    }

    [Theory]
    [InlineData("1.0")]
    [InlineData(null)]
    public async Task SameVersionOrNone_NotTold(string? version)
    {
        _gateway.Context.Versions.Set("B", new Dictionary<string, string> { ["urn:data"] = "1.0" });
        if (version is not null)
            Say(version);

        await StartAsync();
        await BrowseAgainAsync();

        Assert.DoesNotContain(_gateway.Log.Texts, static one => one.Contains("of the model", StringComparison.Ordinal));
    }

    /// <summary>Nobody needs it: it takes nothing from the nodes, and a server that says too much has its nodes all the
    /// same. The metadata is four references, the node is one.</summary>
    [Theory]
    [InlineData(3)]
    [InlineData(4)]
    public async Task MetadataAtTheLimitOfABrowse_TheNodesAreThere(int maxReferences)
    {
        await using var gateway = new UpstreamFixture(new UpstreamLimits { MaxUpstreamReferences = maxReferences });
        Say("2.0", gateway.Server);
        for (var i = 0; i < 2; i++)
            gateway.Server.Add(Metadata, new NodeId($"More{i}", 2), NodeClass.Variable, 46);
        gateway.Server.AddVariable(new NodeId(85), new NodeId("Speed", 2), new Variant(1.0), new NodeId(11));

        gateway.Start();

        await gateway.Log.NextAsync(Synchronized);
        Assert.False(gateway.Find("Speed").IsNone);
    }

    private async Task StartAsync()
    {
        _gateway.Start(new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BrowseInterval = TimeSpan.FromSeconds(1),
        });
        await _gateway.Log.NextAsync(Synchronized);
    }

    private async Task BrowseAgainAsync()
    {
        _gateway.Time.Advance(TimeSpan.FromSeconds(1));
        await _gateway.Log.NextAsync(Synchronized);
    }

    private void Say(string version, FakeUpstream? server = null)
    {
        server ??= Server;
        server.Add(Namespaces, Metadata, NodeClass.Object, 47).Add(Metadata, Version, NodeClass.Variable, 46);
        var at = server.References.FindIndex(static entry => entry.Reference.NodeId.NodeId == Version);
        server.References[at] = (Metadata, server.References[at].Reference with
        {
            BrowseName = new QualifiedName("NamespaceVersion"),
        });
        server.Attributes[(Version, AttributeId.Value)] = new DataValue(new Variant(version));
    }
}
