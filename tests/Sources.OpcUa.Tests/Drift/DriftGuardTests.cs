using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Drift;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Tests.Drift;

/// <summary>A controller whose model is another after a download: an operator is told what has moved, and old ids of
/// what is certainly the same are served on.</summary>
public sealed class DriftGuardTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Synchronized = 5002;

    private static readonly NodeId Objects = new(85), Line = new("Line", 2), Double = new(11);
    private static readonly NodeId Old = new(1001, 2), New = new(2001, 2);

    private readonly DirectoryInfo _folder = Directory.CreateTempSubdirectory();
    private UpstreamFixture _gateway = null!;
    private UpstreamConnector _connector = null!;
    private bool _isGuarded = true;

    private FakeUpstream Server => _gateway.Server;

    private DriftReport? Drift => _connector.Report.Drift;

    private UpstreamOptions Options => new()
    {
        Name = "A",
        EndpointUrl = "opc.tcp://fake",
        BrowseInterval = TimeSpan.FromSeconds(1),
        DriftGuard = _isGuarded,
    };

    public Task InitializeAsync()
    {
        _gateway = new UpstreamFixture(models: _folder.FullName);
        return Task.CompletedTask;
    }

    public async ValueTask DisposeAsync()
    {
        await _gateway.DisposeAsync();
        _folder.Delete(recursive: true);
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task NodeUnderAnotherId_SamePathAndType_OldIdIsServedOnAndTold()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Assert.Null(Drift);
        Replace(() => Add(New, "Speed", 2));

        await BrowseAgainAsync();

        AssertTold("is not as it was: 1 nodes under another id");
        var change = Assert.Single(Drift!.Changes);
        Assert.Equal(
            (DriftKind.Remapped, "nsu=urn:data;i=1001", "Line/Speed", "nsu=urn:data;i=2001"),
            (change.Kind, change.Node, change.Was, change.Is));
        Assert.False(Drift.IsDangerous);
        Assert.Equal(2.0, (await _gateway.ReadAsync(Find(Old))).Value.AsDouble());
        Assert.Equal(2.0, (await _gateway.ReadAsync(Find(New))).Value.AsDouble());
    }

    /// <summary>R36: the node has moved to a namespace with rules, and its old id must not go round them.</summary>
    [Fact]
    public async Task NodeUnderAnotherId_WithRules_OldIdHasThemToo()
    {
        Server.Namespaces = [.. Server.Namespaces, "urn:secret"];
        Add(Old, "Speed", 1);
        Add(new NodeId(1, 3), "Secret", 1);
        await StartAsync();
        _gateway.Nodes.SetDefaultRule(
            _gateway.Nodes.Namespaces.GetOrAdd("urn:secret"), new AccessRule([new RolePermissionType()], null));
        Assert.False(_gateway.Nodes.HasAccessRule(Find(Old)));
        var secret = new NodeId(2001, 3);
        Replace(() =>
        {
            Add(new NodeId(1, 3), "Secret", 1);
            Add(secret, "Speed", 2);
            var at = Server.References.FindIndex(entry => entry.Reference.NodeId.NodeId == secret);
            var (source, reference) = Server.References[at];
            Server.References[at] = (source, reference with { BrowseName = new QualifiedName("Speed", 2) });
        });

        await BrowseAgainAsync();

        Assert.Equal([(DriftKind.Remapped, 1)], Drift!.Counts);
        Assert.True(_gateway.Nodes.HasAccessRule(Find(Old)));
        Assert.NotNull(_gateway.Nodes.GetAccessRule(Find(Old)).RolePermissions);
    }

    [Fact]
    public async Task NodeUnderAnotherId_BrowsedFromTheRoot_FoundOnce()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Replace(() => Add(New, "Speed", 2));

        await BrowseAgainAsync();

        Assert.Equal([Find(New)], ChildrenOf(Find(Line)));
    }

    [Fact]
    public async Task ObjectWithItsNodesUnderOtherIds_OldIdsLeadToOldIds()
    {
        NodeId was = new(1, 2), present = new(2, 2);
        Server.Add(Objects, was, NodeClass.Object, typeDefinition: 58);
        AddBelow(was, Old, "Speed", 1);
        await StartAsync();
        Replace(() =>
        {
            Add(Objects, present, NodeClass.Object, was.ToString());
            AddBelow(present, New, "Speed", 2);
            AddBelow(present, new NodeId(2002, 2), "Added", 3);
        });

        await BrowseAgainAsync();

        Assert.Equal([Find(new NodeId(2002, 2)), Find(Old)], ChildrenOf(Find(was)).OrderBy(static one => one.Index));
        Assert.Equal([(DriftKind.Remapped, 2)], Drift!.Counts);
    }

    [Fact]
    public async Task WatchedNodeUnderAnotherId_ItsItemIsMadeForTheNewOne()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Replace(() => Add(New, "Speed", 2));
        await BrowseAgainAsync();

        _gateway.OnInterest(Find(Old), true);

        await Condition.UntilAsync(() => Server.Items.Count == 1);
        Assert.Equal(New, Server.Items[0].ItemToMonitor.NodeId);
    }

    [Fact]
    public async Task TwoNodesWithThePath_NothingIsCertain()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Replace(() =>
        {
            Add(New, "Speed", 2);
            Add(new NodeId(2002, 2), "Speed", 3);
        });

        await BrowseAgainAsync();

        Assert.Equal([(DriftKind.Gone, 1)], Drift!.Counts);
        Assert.True(Find(Old).IsNone);
    }

    [Fact]
    public async Task AnotherDataTypeUnderTheNewId_NothingIsCertain()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Replace(() =>
        {
            Add(New, "Speed", 2);
            Server.Attributes[(New, AttributeId.DataType)] = new DataValue(new Variant(new NodeId(6)));
        });

        await BrowseAgainAsync();

        Assert.Equal([(DriftKind.Gone, 1)], Drift!.Counts);
    }

    [Fact]
    public async Task IdOfAnotherName_AndAnotherDataType_AreDangerous()
    {
        Add(Old, "Speed", 1);
        Add(New, "Level", 1);
        await StartAsync();
        Replace(() =>
        {
            Add(Old, "Temperature", 2);
            Add(New, "Level", 2);
            Server.Attributes[(New, AttributeId.DataType)] = new DataValue(new Variant(new NodeId(6)));
        });

        await BrowseAgainAsync();

        Assert.Equal([(DriftKind.Renamed, 1), (DriftKind.Retyped, 1)], Drift!.Counts);
        Assert.Equal(["Speed", "Level: Variable i=11 -1"], Drift.Changes.Select(static one => one.Was));
        Assert.True(Drift.IsDangerous);
    }

    [Fact]
    public async Task NodesAdded_NoDrift()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Add(New, "Level", 2);
        await BrowseAgainAsync();
        Assert.Null(Drift);

        Replace(() => Add(Old, "Speed", 1));
        await BrowseAgainAsync();

        Assert.Equal([(DriftKind.Gone, 1)], Drift!.Counts);
    }

    [Fact]
    public async Task NamespacesInAnotherOrder_ToldAndFollowed()
    {
        Add(Old, "Speed", 1);
        Server.Namespaces = [.. Server.Namespaces, "urn:more"];
        await StartAsync();
        await RestartAsync(() =>
        {
            Server.Namespaces = ["http://opcfoundation.org/UA/", "urn:data", "urn:added"];
            var line = new NodeId("Line", 1);
            Server.Add(Objects, line, NodeClass.Object);
            AddBelow(line, new NodeId(1001, 1), "Speed", 2);
        });

        Assert.Equal([(DriftKind.NamespaceMoved, 1), (DriftKind.NamespaceGone, 1)], Drift!.Counts);
        Assert.Equal(["index 2", "index 3"], Drift.Changes.Select(static one => one.Was));
        Assert.Equal(2.0, (await _gateway.ReadAsync(Find(Old))).Value.AsDouble());
    }

    [Fact]
    public async Task ChangedWhileTheGatewayWasStopped_ToldAndOldIdServed()
    {
        Add(Old, "Speed", 1);
        await StartAsync();

        await RestartAsync(() => Add(New, "Speed", 2));

        Assert.Equal([(DriftKind.Remapped, 1)], Drift!.Counts);
        Assert.Equal(2.0, (await _gateway.ReadAsync(Find(Old))).Value.AsDouble());
    }

    [Fact]
    public async Task Accepted_NotToldAnyMore_OldIdServedOnOverARestart()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Replace(() => Add(New, "Speed", 2));
        await BrowseAgainAsync();

        Assert.Equal(DriftAcceptance.Accepted, _connector.AcceptDrift());
        Assert.Null(Drift);
        Assert.Equal(DriftAcceptance.Unchanged, _connector.AcceptDrift());
        await RestartAsync(() => Add(New, "Speed", 3));

        Assert.Null(Drift);
        Assert.Equal(3.0, (await _gateway.ReadAsync(Find(Old))).Value.AsDouble());
    }

    /// <summary>The upstream is away after the restart: nobody can say that the change is over, or what to accept.
    /// </summary>
    [Fact]
    public async Task Restart_BeforeTheFirstBrowse_StillToldAndNothingToAccept()
    {
        var before = await RestartWithAChangeAsync();
        Server.ConnectStatus = StatusCodes.BadConnectionRejected;

        _connector = _gateway.Start(Options);

        Assert.Equal((before.Since, before.Words), (Drift!.Since, Drift.Words));
        Assert.Equal(before.Changes, Drift.Changes);
        Assert.Equal(DriftAcceptance.TooEarly, _connector.AcceptDrift());
        Assert.NotNull(Drift);
    }

    /// <summary>Perhaps each of them is cut, and the alarm would stay for ever.</summary>
    [Fact]
    public async Task Restart_BrowseIsCut_StillToldAndAcceptedAsFarAsItIsSeen()
    {
        var before = await RestartWithAChangeAsync();
        Server.BrowseStatus[Line] = StatusCodes.BadTooManyOperations;

        await StartAsync(isWhole: false);

        Assert.Equal(before.Words, Drift!.Words);
        Assert.Equal(DriftAcceptance.Accepted, _connector.AcceptDrift());
        Assert.Null(Drift);
        Assert.Equal(DriftAcceptance.Unchanged, _connector.AcceptDrift());
        Server.BrowseStatus.Remove(Line);
        await BrowseAgainAsync();
        // It lies where nothing was seen.
        Assert.Equal(before.Words, Drift!.Words);
        Assert.Equal(DriftAcceptance.Accepted, _connector.AcceptDrift());
    }

    /// <summary>To another process, which is not started.</summary>
    private async Task<DriftReport> RestartWithAChangeAsync()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Replace(() => Add(New, "Speed", 2));
        await BrowseAgainAsync();
        var before = Drift!;
        await _gateway.DisposeAsync();
        _gateway = new UpstreamFixture(models: _folder.FullName);
        Add(New, "Speed", 2);
        return before;
    }

    [Fact]
    public async Task ChangeUndone_ToldAsOver()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Replace(() => Add(New, "Speed", 2));
        await BrowseAgainAsync();
        Replace(() => Add(Old, "Speed", 3));

        await BrowseAgainAsync();

        AssertTold("is as it was before");
        Assert.Null(Drift);
        Assert.True(Find(New).IsNone);
        Assert.Equal(3.0, (await _gateway.ReadAsync(Find(Old))).Value.AsDouble());
    }

    [Fact]
    public async Task FileThatCannotBeRead_BeginsAnew()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        var file = Assert.Single(_folder.GetFiles());
        await File.WriteAllTextAsync(file.FullName, "{");

        await RestartAsync(() => Add(New, "Speed", 2));

        AssertTold("cannot be read");
        Assert.Null(Drift);
        Assert.True(Find(Old).IsNone);
    }

    [Fact]
    public async Task BrowseThatIsNotWhole_TellsNothingGone()
    {
        Add(Old, "Speed", 1);
        await StartAsync();
        Server.BrowseStatus[Line] = StatusCodes.BadTooManyOperations;

        await BrowseAgainAsync();

        Assert.Null(Drift);
        Assert.False(Find(Old).IsNone);
    }

    [Fact]
    public async Task NotGuarded_NothingIsTold()
    {
        _isGuarded = false;
        Add(Old, "Speed", 1);
        await StartAsync();
        Replace(() => Add(New, "Speed", 2));

        await BrowseAgainAsync();

        Assert.Null(Drift);
        Assert.True(Find(Old).IsNone);
        Assert.Empty(_folder.GetFiles());
    }

    private NodeHandle Find(NodeId id) => _gateway.Nodes.Namespaces.TryGetIndex("urn:data", out var index)
        ? _gateway.Nodes.Find(id.WithNamespace(index))
        : default;

    private List<NodeHandle> ChildrenOf(NodeHandle node)
    {
        List<NodeHandle> children = [];
        foreach (var reference in _gateway.Nodes.References(node))
        {
            if (reference.IsForward && _gateway.Nodes.GetNodeClass(reference.Target) == NodeClass.Variable)
                children.Add(reference.Target);
        }

        return children;
    }

    private void Add(NodeId id, string name, double value) => AddBelow(Line, id, name, value);

    private void AddBelow(NodeId parent, NodeId id, string name, double value)
    {
        Server.AddVariable(parent, id, new Variant(value), Double);
        Name(id, name);
    }

    private void Add(NodeId parent, NodeId id, NodeClass nodeClass, string name)
    {
        Server.Add(parent, id, nodeClass, typeDefinition: 58);
        Name(id, name);
    }

    private void Name(NodeId id, string name)
    {
        var at = Server.References.FindIndex(entry => entry.Reference.NodeId.NodeId == id);
        var (source, reference) = Server.References[at];
        Server.References[at] = (source, reference with { BrowseName = new QualifiedName(name, id.NamespaceIndex) });
    }

    /// <summary>A download: other nodes below the line.</summary>
    private void Replace(Action add)
    {
        lock (Server.Requests)
        {
            Server.References.RemoveAll(static entry => entry.Reference.NodeId.NodeId != Line);
            add();
        }
    }

    private async Task StartAsync(bool isWhole = true)
    {
        if (Server.References.TrueForAll(static entry => entry.Reference.NodeId.NodeId != Line) &&
            Server.References.Exists(static entry => entry.Source == Line))
            Server.Add(Objects, Line, NodeClass.Object);
        _connector = _gateway.Start(Options);
        await _gateway.Log.NextAsync(Synchronized);
        if (isWhole)
            await Condition.UntilAsync(() => _connector.Report.State == SourceState.Online);
    }

    /// <summary>To the end of the next browse.</summary>
    private async Task BrowseAgainAsync()
    {
        _gateway.Time.Advance(TimeSpan.FromSeconds(1));
        await _gateway.Log.NextAsync(Synchronized);
    }

    /// <summary>Another run of the gateway, with another controller.</summary>
    private async Task RestartAsync(Action add)
    {
        await _gateway.DisposeAsync();
        _gateway = new UpstreamFixture(models: _folder.FullName);
        add();
        await StartAsync();
    }

    private void AssertTold(string text) =>
        Assert.Contains(_gateway.Log.Texts, one => one.Contains(text, StringComparison.Ordinal));
}
