using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

/// <summary>The progress events of an upstream's first browse, from its requests to an item on the Server object.
/// </summary>
public sealed class BrowseEventTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly UpstreamFixture _gateway = new(events: true);
    private int _browses;

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task Browse_SlowUpstream_TellsHowFarItIsUntilItsEnd()
    {
        var told = await BrowseAsync(fails: false);
        var percents = told.ConvertAll(static one => one["Progress"].AsUInt32());
        Assert.True(percents.Count > 2, string.Join(' ', percents));
        Assert.Equal(percents.Order(), percents);
        Assert.Equal("The nodes of A have been browsed.", told[^1]["Message"].AsLocalizedText().Text);
        Assert.All(told, one => Assert.Equal(
            ("Browse A", new NodeId("A", _gateway.Nodes.Namespaces.GetOrAdd(UpstreamRoots.NamespaceUri))),
            (one["Context"].AsString(), one["SourceNode"].AsNodeId())));
    }

    [Fact]
    public async Task Browse_EndsByAFault_SaysSo()
    {
        var told = await BrowseAsync(fails: true);
        Assert.Equal("The browse of A has ended without a result.", told[^1]["Message"].AsLocalizedText().Text);
    }

    /// <summary>All events up to the last one, where each Browse takes more than a second.</summary>
    private async Task<List<Dictionary<string, Variant>>> BrowseAsync(bool fails)
    {
        var line = new NodeId("Line", 2);
        _gateway.Server.Add(new NodeId(85), line, NodeClass.Object);
        for (var i = 0; i < 3; i++)
            _gateway.Server.AddVariable(line, new NodeId($"V{i}", 2), new Variant(1.0), new NodeId(11));
        _gateway.Server.OnRequest = request =>
        {
            if (request is not BrowseRequest)
                return StatusCode.Good;
            _gateway.Time.Advance(1100);
            return fails && ++_browses == 3 ? StatusCodes.BadInternalError : StatusCode.Good;
        };
        var watch = new EventWatch(_gateway, "SourceNode", "Context", "Progress", "Message");
        _gateway.Start();
        List<Dictionary<string, Variant>> told = [];
        while (told.Count == 0 || told[^1]["Progress"].AsUInt32() != 100)
            told.Add(await watch.NextAsync());
        return told;
    }
}
