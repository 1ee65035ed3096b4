using Gateway.AddressSpace.Nodes;
using Gateway.Client;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>Changes at an upstream while it is connected are seen at the next browse.</summary>
public sealed class UpstreamModelChangeTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Synchronized = 5002;
    private const int NamespacesChanged = 5061;
    private const int Resumed = 5062;
    private const int EventsFollowed = 5080;

    private static readonly NodeId Objects = new(85), Line = new("Line", 2), Speed = new("Speed", 2), Double = new(11);

    private readonly UpstreamFixture _gateway = new();

    private FakeUpstream Server => _gateway.Server;

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    [Fact]
    public async Task NodeAddedAndTextChanged_FollowedWithoutAReconnect()
    {
        await StartAsync();
        var (session, speed) = (Server.Session, _gateway.Find("Speed"));
        Server.Attributes[(Speed, AttributeId.Description)] = new DataValue(new Variant(new LocalizedText("rpm")));
        Server.AddVariable(Line, new NodeId("New", 2), new Variant(1.0), Double);

        await BrowseAgainAsync();

        Assert.False(_gateway.Find("New").IsNone);
        Assert.Equal("rpm", _gateway.Nodes.GetDescription(speed).Text);
        Assert.Equal(speed, _gateway.Find("Speed"));
        Assert.Same(session, Server.Session);
        Assert.False(session!.IsAborted);
    }

    [Fact]
    public async Task NamespaceAppended_ItsNodesAreServedWithoutAReconnect()
    {
        await StartAsync();
        var session = Server.Session;
        Server.Namespaces = [.. Server.Namespaces, "urn:more"];
        Server.Add(Line, new NodeId("Added", 3), NodeClass.Object);

        await BrowseAgainAsync();

        Assert.False(_gateway.Find("Added", "urn:more").IsNone);
        Assert.False(_gateway.Find("Speed").IsNone);
        Assert.Same(session, Server.Session);
    }

    [Fact]
    public async Task NamespacesInAnotherOrder_ConnectedAnew()
    {
        await StartAsync();
        var session = Server.Session!;
        Server.Namespaces = ["http://opcfoundation.org/UA/", "urn:data", "urn:fake"];

        _gateway.Time.Advance(TimeSpan.FromSeconds(1));
        Assert.Contains("NamespaceArray", await _gateway.Log.NextAsync(NamespacesChanged), StringComparison.Ordinal);

        await session.Closed;
        Assert.True(session.IsAborted);
    }

    /// <summary>GeneralModelChangeEventType: it does not wait for the interval.</summary>
    [Fact]
    public async Task ModelChangeEvents_OneBrowseSoonWithoutAReconnect()
    {
        await using var gateway = new UpstreamFixture(events: true);
        gateway.Server.Add(Objects, Line, NodeClass.Object);
        gateway.Start(new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BrowseInterval = TimeSpan.Zero,
        });
        await gateway.Log.NextAsync(Synchronized);
        await gateway.Log.NextAsync(EventsFollowed);
        gateway.Time.Advance(TimeSpan.FromMinutes(1));
        var session = gateway.Server.Session;
        lock (gateway.Server.Requests)
            gateway.Server.AddVariable(Line, Speed, new Variant(1.0), Double);
        var change = new Dictionary<string, Variant>
        {
            ["EventId"] = Variant.FromByteString([1]),
            ["EventType"] = new Variant(new NodeId(2133)),
        };

        new EventWatch(gateway, "EventType").Send(change, change, change);

        // The time that it waits for more of them may begin a moment later.
        await Condition.UntilAsync(() =>
        {
            gateway.Time.Advance(TimeSpan.FromMilliseconds(500));
            return !gateway.Find("Speed").IsNone;
        });
        Assert.Same(session, gateway.Server.Session);
        Assert.False(session!.IsAborted);
        Assert.Equal(2, gateway.Server.Requests.OfType<BrowseRequest>().Count(
            static one => one.NodesToBrowse![0].NodeId == Objects));
    }

    /// <summary>A change that is told is browsed, also where the connection is lost meanwhile and goes on: no other
    /// event tells it.</summary>
    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task ModelChangeEvent_ConnectionIsLostBeforeTheBrowseEnds_BrowsedByTheNextOne(bool isUnderWay)
    {
        await using var gateway = new UpstreamFixture(events: true);
        var server = gateway.Server;
        server.Add(Objects, Line, NodeClass.Object);
        gateway.Start(new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BrowseInterval = TimeSpan.Zero,
        });
        await gateway.Log.NextAsync(Synchronized);
        await gateway.Log.NextAsync(EventsFollowed);
        gateway.Time.Advance(TimeSpan.FromMinutes(1));
        lock (server.Requests)
            server.AddVariable(Line, Speed, new Variant(1.0), Double);
        var session = server.Session!;
        (server.Remembers, session.HasSubscription) = (ResumeKind.SameSession, true);
        var timers = gateway.Time.Timers;
        if (isUnderWay)
        {
            server.OnRequest = request =>
            {
                if (request is not BrowseRequest || session.IsAborted)
                    return StatusCode.Good;
                session.Abort();
                return StatusCodes.BadConnectionClosed;
            };
        }

        new EventWatch(gateway, "EventType").Send(new Dictionary<string, Variant>
        {
            ["EventId"] = Variant.FromByteString([1]),
            ["EventType"] = new Variant(new NodeId(2133)),
        });
        // It waits for more of them.
        await Condition.UntilAsync(() => gateway.Time.Timers > timers);
        if (!isUnderWay)
            session.Close();

        var resumed = gateway.Log.NextAsync(Resumed);
        await Condition.UntilAsync(() =>
        {
            gateway.Time.Advance(TimeSpan.FromMilliseconds(500));
            return resumed.IsCompleted && !gateway.Find("Speed").IsNone;
        });
        Assert.NotSame(session, server.Session);
    }

    [Theory]
    [InlineData(AttributeId.IsAbstract, "Pump")]
    [InlineData(AttributeId.IsAbstract, "Feeds")]
    [InlineData(AttributeId.Symmetric, "Feeds")]
    [InlineData(AttributeId.InverseName, "Feeds")]
    public async Task AttributeOfAType_Changed_Followed(AttributeId attribute, string type)
    {
        NodeId pump = new("Pump", 2), feeds = new("Feeds", 2);
        Server.Add(new NodeId(58), pump, NodeClass.ObjectType, 45).Add(
            new NodeId(31), feeds, NodeClass.ReferenceType, 45);
        Server.Attributes[(feeds, AttributeId.InverseName)] = new DataValue(new Variant(new LocalizedText("FedBy")));
        await StartAsync();
        var there = _gateway.Find(type);
        var changed = attribute == AttributeId.InverseName
            ? new Variant(new LocalizedText("IsFedBy"))
            : new Variant(true);
        Assert.NotEqual(changed, ValueOf(there, attribute));
        lock (Server.Requests)
            Server.Attributes[(new NodeId(type, 2), attribute)] = new DataValue(changed);

        await BrowseAgainAsync();

        Assert.Equal(changed, ValueOf(there, attribute));
        Assert.Equal(there, _gateway.Find(type));
    }

    [Fact]
    public async Task EventNotifier_Changed_Followed()
    {
        await using var gateway = new UpstreamFixture(events: true);
        gateway.Server.Add(Objects, Line, NodeClass.Object);
        gateway.Start(new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BrowseInterval = TimeSpan.FromSeconds(1),
        });
        await gateway.Log.NextAsync(Synchronized);
        var line = gateway.Find("Line");
        Assert.Equal(EventNotifierType.None, Notifier());
        foreach (var notifier in new[] { EventNotifierType.SubscribeToEvents, EventNotifierType.None })
        {
            lock (gateway.Server.Requests)
                gateway.Server.Attributes[(Line, AttributeId.EventNotifier)] =
                    new DataValue(new Variant((byte)notifier));
            gateway.Time.Advance(TimeSpan.FromSeconds(1));
            await gateway.Log.NextAsync(Synchronized);
            Assert.Equal(notifier, Notifier());
        }

        EventNotifierType Notifier() =>
            gateway.Nodes.ReadAttribute(line, AttributeId.EventNotifier, out var value).IsGood
                ? (EventNotifierType)value.AsInt32()
                : throw new InvalidOperationException();
    }

    /// <summary>Both nodes stay.</summary>
    [Fact]
    public async Task NodeMovedToAnotherFolder_TheOldReferenceIsGone()
    {
        var other = new NodeId("Other", 2);
        Server.Add(Objects, other, NodeClass.Object);
        await StartAsync();
        var (line, speed) = (_gateway.Find("Line"), _gateway.Find("Speed"));
        lock (Server.Requests)
        {
            var at = Server.References.FindIndex(static entry => entry.Reference.NodeId.NodeId == Speed);
            Server.References[at] = (other, Server.References[at].Reference);
        }

        await BrowseAgainAsync();

        Assert.Equal(speed, _gateway.Find("Speed"));
        Assert.Equal([_gateway.Find("Other")], ParentsOf(speed));
        Assert.Equal(line, _gateway.Find("Line"));
    }

    private List<NodeHandle> ParentsOf(NodeHandle node)
    {
        List<NodeHandle> parents = [];
        foreach (var reference in _gateway.Nodes.References(node))
        {
            if (!reference.IsForward)
                parents.Add(reference.Target);
        }

        return parents;
    }

    private Variant ValueOf(NodeHandle node, AttributeId attribute) =>
        _gateway.Nodes.ReadAttribute(node, attribute, out var value).IsGood ? value : default;

    private async Task StartAsync()
    {
        Server.Add(Objects, Line, NodeClass.Object).AddVariable(Line, Speed, new Variant(10.0), Double);
        _gateway.Start(new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            BrowseInterval = TimeSpan.FromSeconds(1),
        });
        await _gateway.Log.NextAsync(Synchronized);
    }

    /// <summary>To the end of the next browse.</summary>
    private async Task BrowseAgainAsync()
    {
        _gateway.Time.Advance(TimeSpan.FromSeconds(1));
        await _gateway.Log.NextAsync(Synchronized);
    }
}
