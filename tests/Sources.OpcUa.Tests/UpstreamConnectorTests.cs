using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;
using Gateway.Sources.OpcUa.Tests.Support;
using Gateway.Sources.Upstreams;

namespace Gateway.Sources.OpcUa.Tests;

public sealed class UpstreamConnectorTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Connected = 5001;
    private const int Synchronized = 5002;
    private const int Disconnected = 5003;
    private const int ConnectFailed = 5004;

    private static readonly NodeId Objects = new(85);
    private static readonly NodeId Double = new(11);

    private readonly UpstreamFixture _gateway = new();

    private UpstreamConnector? _connector;

    private FakeUpstream Server => _gateway.Server;

    public Task InitializeAsync()
    {
        Fill(2);
        return Task.CompletedTask;
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public async ValueTask DisposeAsync() => await _gateway.DisposeAsync();

    [Fact]
    public async Task Connect_NodesServedUnderTheirOwnIds()
    {
        await StartAsync();
        var speed = _gateway.Find("Speed");
        var facts = _gateway.Nodes.GetVariableFacts(speed);
        Assert.Equal(Double, facts.DataType);
        Assert.True(facts.IsWritable);
        Assert.False(_gateway.Nodes.GetVariableFacts(_gateway.Find("Fixed")).IsWritable);
        Assert.Same(_gateway.Source, _gateway.Nodes.SourceOf(speed));
        Assert.Equal(["Line"], Children(_gateway.Find("A", UpstreamRoots.NamespaceUri)));
        Assert.Equal(["Speed", "Fixed", "Mode", "Start"], Children(_gateway.Find("Line")));
    }

    [Fact]
    public async Task Connect_UnknownDataType_NearestKnownSupertype()
    {
        await StartAsync();
        Assert.Equal(new NodeId(29), _gateway.Nodes.GetVariableFacts(_gateway.Find("Mode")).DataType);
    }

    [Fact]
    public async Task Connect_MethodArguments_ServedFromTheStore()
    {
        await StartAsync();
        var arguments = _gateway.Find("Start.In");
        var value = _gateway.Values.Read(arguments).Value.AsArray<ExtensionObject>()!;
        Assert.Equal("speed", ((Argument)value[0].Body!).Name);
        Assert.IsType<StoreSource>(_gateway.Nodes.SourceOf(arguments));
    }

    [Fact]
    public async Task Read_NotWatched_PassedThroughWithItsTime()
    {
        await StartAsync();
        var value = await _gateway.ReadAsync(_gateway.Find("Speed"));
        Assert.Equal(10.0, value.Value.AsDouble());
        Assert.Equal(FakeUpstream.At(1), value.SourceTimestamp);
        Assert.NotEqual(default, value.ServerTimestamp);
    }

    [Fact]
    public async Task Write_PassedThroughWithTheUpstreamsIndexes()
    {
        await StartAsync();
        var speed = _gateway.Find("Speed");
        var results = new StatusCode[2];
        SourceWrite[] writes =
        [
            new(speed, new DataValue(new Variant(_gateway.Nodes.GetNodeId(speed)))),
            new(speed, new DataValue(new Variant(new NodeId(1, 1)))),
        ];
        await _gateway.Source.WriteAsync(writes, results, default);
        Assert.Equal([StatusCodes.Good, StatusCodes.BadOutOfRange], results.Select(result => result.Code));
        var upstream = new NodeId("Speed", 2);
        Assert.Equal(upstream, Server.Attributes[(upstream, AttributeId.Value)].Value.AsNodeId());
    }

    [Fact]
    public async Task Call_PassedThroughAndMappedBothWays()
    {
        await StartAsync();
        var method = _gateway.Find("Start");
        var result = await _gateway.Source.CallAsync(_gateway.Find("Line"), method, [new Variant(3)], default);
        Assert.Equal(_gateway.Nodes.GetNodeId(method), result.OutputArguments![0].AsNodeId());
        Assert.Equal(3, result.OutputArguments[1].AsInt32());
    }

    [Fact]
    public async Task Disconnect_ReadsSayNoCommunicationSinceTheLossWasSeen()
    {
        await StartAsync();
        var speed = _gateway.Find("Speed");
        await _gateway.ReadAsync(speed);
        Server.ConnectStatus = StatusCodes.BadConnectionRejected;
        var lost = _gateway.Time.GetUtcNow().UtcDateTime;
        Server.Session!.Close();
        await _gateway.Log.NextAsync(Disconnected);
        _gateway.Time.Advance(TimeSpan.FromMilliseconds(61));
        var value = await _gateway.ReadAsync(speed);
        Assert.Equal((StatusCodes.BadNoCommunication, lost), (value.Status, value.SourceTimestamp));
        Assert.Equal(lost, value.ServerTimestamp);
        var results = new StatusCode[1];
        await _gateway.Source.WriteAsync(new[] { new SourceWrite(speed, default) }, results, default);
        Assert.Equal(StatusCodes.BadNoCommunication, results[0]);
    }

    [Fact]
    public async Task Reconnect_OtherNamespaceOrder_SameNodesAndOwnIndexesUsed()
    {
        await StartAsync();
        var speed = _gateway.Find("Speed");
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.Namespaces = ["http://opcfoundation.org/UA/", "urn:fake", "urn:new", "urn:data"];
        Fill(3);
        Server.Session!.Close();
        Assert.Contains("0 added and 0 removed", await _gateway.Log.NextAsync(Synchronized), StringComparison.Ordinal);
        Assert.Equal(speed, _gateway.Find("Speed"));
        Assert.Equal(10.0, (await _gateway.ReadAsync(speed)).Value.AsDouble());
    }

    /// <summary>At least what an item is told, also where the upstream says 0 or −1. Source: Part 3 §5.6.2.</summary>
    [Theory]
    [InlineData(-1.0, null, 250)]
    [InlineData(0.0, null, 250)]
    [InlineData(double.NaN, null, 250)]
    [InlineData(1000.0, null, 1000)]
    [InlineData(-1.0, 5000.0, 5000)]
    [InlineData(-1.0, 10.0, 250)]
    [InlineData(-1.0, double.NaN, 250)]
    public async Task MinimumSamplingInterval_NotBelowWhatIsGranted(double node, double? publishing, double expected)
    {
        Server.RevisedPublishingInterval = publishing;
        Server.Attributes[(new NodeId("Speed", 2), AttributeId.MinimumSamplingInterval)] =
            new DataValue(new Variant(node));
        await StartAsync();
        var speed = _gateway.Find("Speed");
        Assert.Equal(expected, _gateway.Nodes.GetVariableFacts(speed).MinimumSamplingInterval);
        // One that the upstream does not tell.
        var other = _gateway.Nodes.GetVariableFacts(_gateway.Find("Fixed")).MinimumSamplingInterval;
        Assert.Equal(_gateway.Source.SamplingIntervalMs(speed), other);
    }

    [Fact]
    public async Task Reconnect_AttributesChanged_TakenOverAndTheNodesStay()
    {
        await StartAsync();
        var (speed, start) = (_gateway.Find("Speed"), _gateway.Find("Start"));
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.RevisedPublishingInterval = 5000;
        Server.Attributes[(new NodeId("Speed", 2), AttributeId.Description)] =
            new DataValue(new Variant(new LocalizedText("how fast")));
        Server.Attributes[(new NodeId("Start", 2), AttributeId.UserExecutable)] = new DataValue(new Variant(false));
        Change("Speed", reference => reference with { DisplayName = new LocalizedText("Velocity") });
        Server.Session!.Close();
        Assert.Contains("0 added and 0 removed", await _gateway.Log.NextAsync(Synchronized), StringComparison.Ordinal);
        Assert.Equal((speed, start), (_gateway.Find("Speed"), _gateway.Find("Start")));
        Assert.Equal("Velocity", _gateway.Nodes.GetDisplayName(speed).Text);
        _gateway.Nodes.ReadAttribute(speed, AttributeId.Description, out var description);
        Assert.Equal("how fast", description.AsLocalizedText().Text);
        _gateway.Nodes.ReadAttribute(start, AttributeId.UserExecutable, out var executable);
        Assert.False(executable.AsBoolean());
        Assert.Equal(5000, _gateway.Nodes.GetVariableFacts(speed).MinimumSamplingInterval);
        Assert.Same(_gateway.Source, _gateway.Nodes.SourceOf(speed));
        Assert.Equal(["Speed", "Fixed", "Mode", "Start"], Children(_gateway.Find("Line")));
    }

    [Fact]
    public async Task Reconnect_OtherTypeDefinition_AnotherNode()
    {
        await StartAsync();
        var speed = _gateway.Find("Speed");
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        var analog = new NodeId(StandardIds.VariableTypes.AnalogItemType);
        Change("Speed", reference => reference with { TypeDefinition = analog });
        Server.Session!.Close();
        await _gateway.Log.NextAsync(Synchronized);
        Assert.NotEqual(speed, _gateway.Find("Speed"));
        List<NodeId> types = [];
        foreach (var reference in _gateway.Nodes.References(_gateway.Find("Speed")))
        {
            if (reference.IsForward && _gateway.Nodes.GetNodeId(reference.Target).NamespaceIndex == 0)
                types.Add(_gateway.Nodes.GetNodeId(reference.Target));
        }

        Assert.Equal([analog], types);
    }

    /// <summary>What the upstream says of a node in its browse.</summary>
    private void Change(string name, Func<ReferenceDescription, ReferenceDescription> change)
    {
        for (var i = 0; i < Server.References.Count; i++)
        {
            var (source, reference) = Server.References[i];
            if (reference.BrowseName.Name == name)
                Server.References[i] = (source, change(reference));
        }
    }

    [Fact]
    public async Task Reconnect_NodesCameAndWent_TableFollows()
    {
        await StartAsync();
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.References.RemoveAll(entry => entry.Reference.BrowseName.Name == "Fixed");
        Server.AddVariable(new NodeId("Line", 2), new NodeId("New", 2), new Variant(1.0), Double);
        Server.Session!.Close();
        Assert.Contains("1 added and 1 removed", await _gateway.Log.NextAsync(Synchronized), StringComparison.Ordinal);
        Assert.True(_gateway.Find("Fixed").IsNone);
        Assert.Equal(10.0, (await _gateway.ReadAsync(_gateway.Find("Speed"))).Value.AsDouble());
        Assert.Equal(1.0, (await _gateway.ReadAsync(_gateway.Find("New"))).Value.AsDouble());
    }

    [Fact]
    public async Task Reconnect_NodeThatCannotBeBrowsed_WhatLiesBelowItStays()
    {
        await StartAsync();
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.BrowseStatus[new NodeId("Line", 2)] = StatusCodes.BadInternalError;
        Server.Session!.Close();
        Assert.Contains("0 added and 0 removed", await _gateway.Log.NextAsync(Synchronized), StringComparison.Ordinal);
        Assert.Contains("refused to browse 1 nodes", await _gateway.Log.NextAsync(5013), StringComparison.Ordinal);
        Assert.Equal(10.0, (await _gateway.ReadAsync(_gateway.Find("Speed"))).Value.AsDouble());
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Server.BrowseStatus.Clear();
        Server.References.RemoveAll(entry => entry.Reference.BrowseName.Name == "Fixed");
        Server.Session!.Close();
        Assert.Contains("0 added and 1 removed", await _gateway.Log.NextAsync(Synchronized), StringComparison.Ordinal);
    }

    [Fact]
    public async Task Connect_UpstreamAwayAtFirst_TriedAgainUntilItIsThere()
    {
        Server.ConnectStatus = StatusCodes.BadConnectionRejected;
        _gateway.Start();
        var text = await _gateway.Log.NextAsync(ConnectFailed);
        Assert.Contains("attempt 1", text, StringComparison.Ordinal);
        Server.ConnectStatus = default;
        var connected = _gateway.Log.NextAsync(Synchronized);
        while (!connected.IsCompleted)
        {
            // The retry's timer is set somewhere behind the log line.
            _gateway.Time.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }

        Assert.False(_gateway.Find("Speed").IsNone);
    }

    [Fact]
    public async Task Read_MostRequestsTimeOut_CircuitOpensAndNothingIsSent()
    {
        await StartAsync();
        Server.RequestStatus = StatusCodes.BadTimeout;
        var speed = _gateway.Find("Speed");
        for (var i = 0; i < 10; i++)
            Assert.Equal(StatusCodes.BadTimeout, (await _gateway.ReadAsync(speed)).Status);
        var sent = Server.Requests.Count;
        var broke = _gateway.Time.GetUtcNow().UtcDateTime;
        _gateway.Time.Advance(TimeSpan.FromSeconds(1));
        var value = await _gateway.ReadAsync(speed);
        Assert.Equal((StatusCodes.BadNoCommunication, broke), (value.Status, value.SourceTimestamp));
        Assert.Equal(sent, Server.Requests.Count);
        Server.RequestStatus = default;
        _gateway.Time.Advance(TimeSpan.FromSeconds(6));
        Assert.Equal(10.0, (await _gateway.ReadAsync(speed)).Value.AsDouble());
    }

    [Fact]
    public async Task Log_WholeLife_NoSecret()
    {
        _gateway.Start(new UpstreamOptions
        {
            Name = "A",
            EndpointUrl = "opc.tcp://fake",
            User = "joe",
            Password = "secret-word",
        });
        await _gateway.Log.NextAsync(Synchronized);
        Server.Session!.Close();
        await _gateway.Log.NextAsync(Disconnected);
        Assert.DoesNotContain(_gateway.Log.Texts, text => text.Contains("secret-word", StringComparison.Ordinal));
    }

    [Fact]
    public async Task Browse_Endless_FaultedAndAskedAgainOnlyAfterThePause()
    {
        await StartAsync();
        var online = _connector!.Report;
        List<DateTimeOffset> connects = [];
        Server.OnConnect = () => connects.Add(_gateway.Time.GetUtcNow());
        Server.MaxReferencesPerAnswer = 1;
        Server.Next = () => new BrowseResult { ContinuationPoint = [1] };
        Server.Session!.Close();
        await _gateway.Log.NextAsync(Disconnected);
        var broken = _gateway.Log.NextAsync(Disconnected);
        while (!broken.IsCompleted)
        {
            _gateway.Time.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }

        Assert.Contains("MaxUpstreamEmptyAnswers", await broken, StringComparison.Ordinal);
        var report = _connector.Report;
        Assert.Equal((SourceState.Online, SourceState.Faulted), (online.State, report.State));
        Assert.Equal([(nameof(UpstreamBound.MaxUpstreamEmptyAnswers), 1L)], report.Bounds);
        Assert.Contains("Limits:MaxUpstreamEmptyAnswers", report.Remedy, StringComparison.Ordinal);
        // Nothing of it was taken over, and what was there is still there.
        Assert.Equal(online.Nodes, report.Nodes);
        Assert.Equal(StatusCodes.BadNoCommunication, (await _gateway.ReadAsync(_gateway.Find("Speed"))).Status);
        Server.Next = null;
        Server.MaxReferencesPerAnswer = uint.MaxValue;
        var again = _gateway.Log.NextAsync(Synchronized);
        while (!again.IsCompleted)
        {
            _gateway.Time.Advance(TimeSpan.FromSeconds(1));
            await Task.Yield();
        }

        Assert.True(connects[^1] - connects[^2] >= _gateway.Limits.UpstreamFaultPause);
    }

    [Fact]
    public async Task Connect_StandardUriAtAnotherIndex_ItsNodesAreNotServed()
    {
        Server.Namespaces = ["http://opcfoundation.org/UA/", "urn:fake", "urn:data", "http://opcfoundation.org/UA/"];
        Server.Add(Objects, new NodeId(999_999, 3), NodeClass.Object);
        await StartAsync();
        Assert.True(_gateway.Nodes.Find(new NodeId(999_999)).IsNone);
        Assert.False(_gateway.Find("Speed").IsNone);
        Assert.Equal(SourceState.Limited, _connector!.Report.State);
        Assert.Equal([(nameof(UpstreamBound.MaxUpstreamNamespaces), 1L)], _connector.Report.Bounds);
    }

    [Fact]
    public async Task Connect_NamespacesWithoutEnd_OnlyThoseOfServedNodesGetAnIndex()
    {
        var before = _gateway.Nodes.Namespaces.Count;
        Server.Namespaces =
        [
            "http://opcfoundation.org/UA/", "urn:fake", "urn:data",
            .. Enumerable.Range(3, 65_600).Select(i => "urn:" + i),
        ];
        await StartAsync();
        // urn:data, and that of the upstreams' objects.
        Assert.Equal(before + 2, _gateway.Nodes.Namespaces.Count);
        Assert.Equal(1, _connector!.Report.Namespaces);
        Assert.Equal(SourceState.Limited, _connector.Report.State);
    }

    /// <summary>Of the attempts that fail alike most are left out; one that asks for something else is told at once.
    /// </summary>
    [Fact]
    public async Task Connect_FailsForAnotherReason_ToldThoughManyAttemptsAreNot()
    {
        Server.ConnectStatus = StatusCodes.BadConnectionRejected;
        _connector = _gateway.Start();
        for (var attempt = 1; attempt <= 3; attempt++)
            Assert.Contains($"attempt {attempt} ", await NextFailureAsync(), StringComparison.Ordinal);

        Server.ConnectStatus = StatusCodes.BadSecurityChecksFailed;
        var text = await NextFailureAsync();

        Assert.Contains("our certificate", text, StringComparison.Ordinal);
        Assert.DoesNotContain("attempt 30 ", text, StringComparison.Ordinal);
    }

    private async Task<string> NextFailureAsync()
    {
        var failed = _gateway.Log.NextAsync(ConnectFailed);
        // The retry's timer is set somewhere behind the log line; the clock must not run away before that is read.
        await Condition.UntilAsync(() =>
        {
            if (!failed.IsCompleted)
                _gateway.Time.Advance(TimeSpan.FromSeconds(1));
            return failed.IsCompleted;
        });
        return await failed;
    }

    [Fact]
    public async Task Connect_RefusalWithControlCharacters_LoggedOnOneLineWithoutStackTrace()
    {
        Server.ConnectDetail = "gone\u001b[2J\r\nWarning: forged" + new string('x', 4_000);
        Server.ConnectStatus = StatusCodes.BadTcpServerTooBusy;
        _connector = _gateway.Start();
        var text = await _gateway.Log.NextAsync(ConnectFailed);
        Assert.DoesNotContain(text, char.IsControl);
        Assert.DoesNotContain("   at ", text, StringComparison.Ordinal);
        Assert.InRange(text.Length, 1, 600);
        Assert.Equal(SourceState.Away, _connector.Report.State);
        Assert.DoesNotContain(_connector.Report.LastError!, char.IsControl);
    }

    /// <summary>As soon as clients can see them, so that a restart finds them whatever happens next.</summary>
    [Fact]
    public async Task Connect_NodesServed_TheirNamespaceIsKept()
    {
        var folder = Directory.CreateTempSubdirectory("claims-").FullName;
        try
        {
            var path = Path.Combine(folder, NamespaceRecords.FileName);
            await using var gateway = new UpstreamFixture(recordsPath: path);
            gateway.Server.Add(Objects, new NodeId("Line", 2), NodeClass.Object);
            gateway.Start();
            await gateway.Log.NextAsync(Synchronized);

            Assert.Contains("urn:data", await File.ReadAllTextAsync(path), StringComparison.Ordinal);
        }
        finally
        {
            Directory.Delete(folder, recursive: true);
        }
    }

    private async Task StartAsync()
    {
        _connector = _gateway.Start();
        await _gateway.Log.NextAsync(Connected);
        await _gateway.Log.NextAsync(Synchronized);
        // The report follows the line.
        await AwaitAsync(() => _connector.Report.State is SourceState.Online or SourceState.Limited);
    }

    private static async Task AwaitAsync(Func<bool> condition)
    {
        while (!condition())
            await Task.Yield();
    }

    private string[] Children(AddressSpace.Nodes.NodeHandle parent)
    {
        List<string> names = [];
        foreach (var reference in _gateway.Nodes.References(parent))
        {
            if (reference.IsForward && _gateway.Nodes.GetNodeId(reference.Target).NamespaceIndex != 0)
                names.Add(_gateway.Nodes.GetBrowseName(reference.Target).Name!);
        }

        return [.. names];
    }

    /// <summary>Objects → Line → Speed, Fixed, Mode (an enumeration of its own), Start (a method).</summary>
    private void Fill(ushort ns)
    {
        Server.References.Clear();
        Server.Attributes.Clear();
        var line = new NodeId("Line", ns);
        var mode = new NodeId("ModeType", ns);
        Server.Add(Objects, new NodeId(2253), NodeClass.Object)
            .Add(Objects, line, NodeClass.Object, 35, 61)
            .AddVariable(line, new NodeId("Speed", ns), new Variant(10.0), Double)
            .AddVariable(line, new NodeId("Fixed", ns), new Variant(1.0), Double, access: 1)
            .AddVariable(line, new NodeId("Mode", ns), new Variant(1), mode)
            .Add(line, new NodeId("Start", ns), NodeClass.Method, 47)
            .Add(new NodeId("Speed", ns), line, NodeClass.Object);
        Server.References.Add((mode, new ReferenceDescription { NodeId = new NodeId(29), IsForward = false }));
        var argument = new ExtensionObject(new Argument { Name = "speed", DataType = Double, ValueRank = -1 });
        var arguments = new NodeId("Start.In", ns);
        Server.References.Add((new NodeId("Start", ns), new ReferenceDescription
        {
            ReferenceTypeId = new NodeId(46),
            IsForward = true,
            NodeId = arguments,
            BrowseName = new QualifiedName("InputArguments"),
            NodeClass = NodeClass.Variable,
            TypeDefinition = new NodeId(68),
        }));
        Server.Attributes[(arguments, AttributeId.Value)] =
            new DataValue(Variant.FromArray(BuiltInType.ExtensionObject, new[] { argument }));
    }
}
