using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

/// <summary>Progress events of a browse. Source: Part 5 §6.4.33.</summary>
public sealed class BrowseProgressTests : IAsyncLifetime, IAsyncDisposable
{
    private readonly UpstreamFixture _gateway = new(events: true);

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task Request_ManyInASecond_OneEventASecondThatNeverFalls()
    {
        var watch = Watch();
        var progress = new BrowseProgress(_gateway.Context, "A");
        progress.Begin(0, 50);
        for (var i = 0; i < 50; i++)
        {
            progress.OnRequest();
            _gateway.Time.Advance(100);
        }

        progress.Begin(50, 90, requests: 4);
        for (var i = 0; i < 8; i++)
        {
            progress.OnRequest();
            _gateway.Time.Advance(500);
        }

        progress.Begin(10, 20);
        progress.OnRequest();
        progress.End(isWhole: true);
        progress.OnRequest();

        List<ushort> told = [];
        while (told.Count == 0 || told[^1] != 100)
        {
            var next = await watch.NextAsync();
            told.Add((ushort)next["Progress"].AsUInt32());
            Assert.Equal("Browse A", next["Context"].AsString());
            Assert.Equal(Root, next["SourceNode"].AsNodeId());
        }

        Assert.Equal(told.Order(), told);
        Assert.Equal(10, told.Count);
        Assert.True(watch.IsEmpty);
    }

    [Fact]
    public void End_WithinASecond_TellsNothing()
    {
        var watch = Watch();
        var progress = new BrowseProgress(_gateway.Context, "A");
        progress.Begin(0, 50);
        progress.OnRequest();
        _gateway.Time.Advance(999);
        progress.OnRequest();
        progress.End(isWhole: true);
        Assert.True(watch.IsEmpty);
    }

    private NodeId Root => new("A", _gateway.Nodes.Namespaces.GetOrAdd(UpstreamRoots.NamespaceUri));

    private EventWatch Watch()
    {
        UpstreamRoots.Add(_gateway.Nodes, "A");
        return new EventWatch(_gateway, "EventType", "SourceNode", "Context", "Progress", "Message");
    }
}
