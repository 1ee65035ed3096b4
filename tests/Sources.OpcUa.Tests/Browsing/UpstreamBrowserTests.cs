using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Browsing;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Sessions;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Testing;

namespace Gateway.Sources.OpcUa.Tests.Browsing;

public sealed class UpstreamBrowserTests
{
    private static readonly NodeId Objects = new(85);

    private readonly FakeUpstream _server = new();
    private readonly ManualTimeProvider _time = new();

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

    /// <summary>The least that a server must have. Source: Part 4 §7.9.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(7)]
    public async Task Browse_FewContinuationPoints_RefusedNodesAreBrowsedAgain(int points)
    {
        _server.MaxReferencesPerAnswer = 4;
        _server.MaxContinuationPoints = points;
        AddFolders(count: 9, each: 10);
        var space = await BrowseAsync([Objects]);
        Assert.Equal((99, 0), (space.Nodes.Count, space.Unbrowsed));
    }

    [Fact]
    public async Task Browse_NoContinuationPointToBeHad_FailsAsAWhole()
    {
        _server.MaxReferencesPerAnswer = 4;
        _server.MaxContinuationPoints = 0;
        AddFolders(count: 3, each: 5);
        var failed = await Assert.ThrowsAsync<ServiceException>(() => BrowseAsync([Objects]));
        Assert.Equal(StatusCodes.BadNoContinuationPoints, failed.Status);
    }

    [Theory]
    [InlineData(StatusCodes.BadInternalError, 1)]
    [InlineData(StatusCodes.BadOutOfMemory, 1)]
    [InlineData(StatusCodes.BadNodeIdUnknown, 0)]
    [InlineData(StatusCodes.BadUserAccessDenied, 0)]
    public async Task Browse_OneNodeRefused_ToldUnlessNothingIsBelowIt(uint status, int unbrowsed)
    {
        AddFolders(count: 2, each: 3);
        _server.BrowseStatus[new NodeId(2, 2)] = status;
        var space = await BrowseAsync([Objects]);
        Assert.Equal((5, unbrowsed), (space.Nodes.Count, space.Unbrowsed));
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

    [Fact]
    public async Task BrowseNext_SameReferencesForEver_EndedByTheReferences()
    {
        _server.MaxReferencesPerAnswer = 1;
        _server.Add(Objects, new NodeId(1, 2), NodeClass.Object).Add(Objects, new NodeId(2, 2), NodeClass.Object);
        _server.Next = () => new BrowseResult
        {
            References = [_server.References[0].Reference],
            ContinuationPoint = [1],
        };
        await AssertBoundAsync(
            UpstreamBound.MaxUpstreamReferences, new UpstreamLimits { MaxUpstreamReferences = 1_000 });
        Assert.Equal(1_000, _server.Requests.OfType<BrowseNextRequest>().Count());
    }

    [Fact]
    public async Task BrowseNext_NewNodesForEver_EndedByTheBytes()
    {
        var number = 10u;
        _server.MaxReferencesPerAnswer = 1;
        _server.Add(Objects, new NodeId(1, 2), NodeClass.Object).Add(Objects, new NodeId(2, 2), NodeClass.Object);
        _server.Next = () => new BrowseResult
        {
            References = [_server.References[0].Reference with { NodeId = new NodeId(number++, 2) }],
            ContinuationPoint = [1],
        };
        await AssertBoundAsync(
            UpstreamBound.MaxUpstreamBrowseBytes, new UpstreamLimits { MaxUpstreamBrowseBytes = 20_000 });
    }

    [Fact]
    public async Task BrowseNext_NothingButContinuationPoints_Ended()
    {
        _server.MaxReferencesPerAnswer = 1;
        _server.Add(Objects, new NodeId(1, 2), NodeClass.Object).Add(Objects, new NodeId(2, 2), NodeClass.Object);
        _server.Next = () => new BrowseResult { ContinuationPoint = [1] };
        await AssertBoundAsync(UpstreamBound.MaxUpstreamEmptyAnswers, UpstreamLimits.Default);
        Assert.Equal(11, _server.Requests.OfType<BrowseNextRequest>().Count());
    }

    [Fact]
    public async Task BrowseNext_OneReferenceEach_EndedByTheRounds()
    {
        _server.MaxReferencesPerAnswer = 1;
        for (uint i = 1; i <= 50; i++)
            _server.Add(Objects, new NodeId(i, 2), NodeClass.Object);
        await AssertBoundAsync(
            UpstreamBound.MaxUpstreamBrowseRounds, new UpstreamLimits { MaxUpstreamBrowseRounds = 40 });
    }

    [Fact]
    public async Task Browse_SlowerThanAllowed_Ended()
    {
        _server.MaxReferencesPerAnswer = 1;
        _server.Add(Objects, new NodeId(1, 2), NodeClass.Object).Add(Objects, new NodeId(2, 2), NodeClass.Object);
        _server.Next = () =>
        {
            _time.Advance(TimeSpan.FromMinutes(6));
            return new BrowseResult { References = [_server.References[0].Reference], ContinuationPoint = [1] };
        };
        await AssertBoundAsync(UpstreamBound.MaxUpstreamBrowseTime, UpstreamLimits.Default);
    }

    [Fact]
    public async Task Browse_NamesWithoutEndAndForeignNamespaces_LeftOutAndCounted()
    {
        _server.Add(Objects, new NodeId(new string('x', 5_000), 2), NodeClass.Object)
            .Add(Objects, new NodeId("elsewhere", 9), NodeClass.Object)
            .Add(Objects, new NodeId("good", 2), NodeClass.Object);
        var space = await BrowseAsync([Objects]);
        Assert.Equal([new NodeId("good", 2)], space.Nodes.Keys);
        Assert.Equal((1, 1), (space.Overlong, space.Unmapped));
    }

    /// <summary>Folders 1, 2 … with nodes of their own.</summary>
    private void AddFolders(uint count, uint each)
    {
        for (uint folder = 1; folder <= count; folder++)
        {
            _server.Add(Objects, new NodeId(folder, 2), NodeClass.Object);
            for (uint i = 0; i < each; i++)
                _server.Add(new NodeId(folder, 2), new NodeId((1000 * folder) + i, 2), NodeClass.Object);
        }
    }

    private async Task AssertBoundAsync(UpstreamBound bound, UpstreamLimits limits)
    {
        var met = await Assert.ThrowsAsync<UpstreamBoundException>(() => BrowseAsync([Objects], limits));
        Assert.Equal(bound, met.Bound);
        Assert.Contains("Limits:" + bound, met.Message, StringComparison.Ordinal);
    }

    private async Task<BrowsedSpace> BrowseAsync(NodeId[] roots, UpstreamLimits? limits = null)
    {
        var session = await _server.ConnectAsync(default);
        var link = new UpstreamLink(
            session, new NamespaceMap([0, 1, 2]), new OperationSizes { NodesPerBrowse = 20 }, 250);
        var nodes = new NodeTable();
        StandardNodes.Load(nodes, new ValueStore(_time));
        var budget = new BrowseBudget(limits ?? UpstreamLimits.Default, _time);
        return await new UpstreamBrowser(link, budget, new BrowsedSpace(), new ReferenceHierarchy(nodes), 100)
            .BrowseAsync(roots, default);
    }
}
