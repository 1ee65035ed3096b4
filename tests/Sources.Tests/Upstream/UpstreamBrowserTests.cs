using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.Upstream;

namespace Gateway.Sources.Tests.Upstream;

public sealed class UpstreamBrowserTests
{
    private static readonly NodeId Objects = new(85);

    private readonly FakeUpstream _server = new();

    [Fact]
    public async Task Browse_Loops_EachNodeOnce()
    {
        NodeId a = new("a", 2), b = new("b", 2);
        _server.Add(Objects, a, NodeClass.Object).Add(a, b, NodeClass.Object).Add(b, a, NodeClass.Object);
        var space = await BrowseAsync([Objects]);
        Assert.Equal([a, b], space.Nodes.Keys);
        Assert.Equal(3, space.References.Count);
    }

    [Fact]
    public async Task Browse_ContinuationPoints_FollowedToTheEnd()
    {
        _server.MaxReferencesPerAnswer = 7;
        for (uint i = 1; i <= 50; i++)
            _server.Add(Objects, new NodeId(i, 2), NodeClass.Object);
        Assert.Equal(50, (await BrowseAsync([Objects])).Nodes.Count);
    }

    [Fact]
    public async Task Browse_ManyNodes_NoRequestAboveTheUpstreamsLimit()
    {
        for (uint i = 1; i <= 50; i++)
            _server.Add(Objects, new NodeId(i, 2), NodeClass.Object);
        await BrowseAsync([Objects]);
        var sizes = _server.Requests.OfType<BrowseRequest>().Select(request => request.NodesToBrowse!.Length);
        Assert.Equal([1, 20, 20, 10], sizes);
    }

    [Fact]
    public async Task Browse_NodesOfTheStandard_LeftToTheGateway()
    {
        _server.Add(Objects, new NodeId(2253), NodeClass.Object)
            .Add(new NodeId(2253), new NodeId("x", 1), NodeClass.Object);
        Assert.Empty((await BrowseAsync([Objects])).Nodes);
    }

    [Fact]
    public async Task Browse_TooManyNodes_CutAndCounted()
    {
        for (uint i = 1; i <= 150; i++)
            _server.Add(Objects, new NodeId(i, 2), NodeClass.Object);
        var space = await BrowseAsync([Objects]);
        Assert.Equal((100, 50), (space.Nodes.Count, space.Skipped));
    }

    [Fact]
    public async Task Browse_ConfiguredRoot_ServedItself()
    {
        NodeId root = new("root", 2), child = new("child", 2);
        _server.Add(root, child, NodeClass.Object);
        _server.Attributes[(root, AttributeId.NodeClass)] = new DataValue(new Variant((int)NodeClass.Object));
        _server.Attributes[(root, AttributeId.BrowseName)] = new DataValue(new Variant(new QualifiedName("Root", 2)));
        _server.Attributes[(root, AttributeId.DisplayName)] = new DataValue(new Variant(new LocalizedText("Root")));
        var space = await BrowseAsync([root]);
        Assert.Equal([root, child], space.Nodes.Keys);
        Assert.Equal(new BrowsedReference(default, new NodeId(35), root), space.References[0]);
    }

    private async Task<BrowsedSpace> BrowseAsync(NodeId[] roots)
    {
        var session = await _server.ConnectAsync(default);
        return await new UpstreamBrowser(session, new UpstreamLimits { NodesPerBrowse = 20 }, 100)
            .BrowseAsync(roots, default);
    }
}
