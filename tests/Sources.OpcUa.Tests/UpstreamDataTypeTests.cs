using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Tests.Support;

namespace Gateway.Sources.OpcUa.Tests;

/// <summary>DataTypes that only the upstream defines: they are served with their definitions, encodings and
/// properties, in the gateway's namespace indexes.</summary>
public sealed class UpstreamDataTypeTests : IAsyncLifetime, IAsyncDisposable
{
    private const int Synchronized = 5002;

    private static readonly NodeId Objects = new(85);
    private static readonly NodeId State = new("State", 2);
    private static readonly NodeId StateBinary = new("State.Binary", 2);
    private static readonly NodeId Mode = new("Mode", 2);

    private readonly UpstreamFixture _gateway = new();

    public Task InitializeAsync()
    {
        // Its index is another here than at the upstream.
        _gateway.Nodes.Namespaces.GetOrAdd("urn:gateway:other");
        Type(29, Mode, new EnumDefinition
        {
            Fields = [new EnumField { Value = 0, Name = "Off" }, new EnumField { Value = 1, Name = "Auto" }],
        });
        Type(22, State, Definition(Field("speed", new NodeId(11)), Field("mode", Mode)));
        Encoding(State, StateBinary);
        _gateway.Server.AddVariable(Objects, new NodeId("Pump", 2), default, State);
        _gateway.Server.AddVariable(Objects, new NodeId("PumpMode", 2), new Variant(1), Mode);
        return Task.CompletedTask;
    }

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    public ValueTask DisposeAsync() => _gateway.DisposeAsync();

    [Fact]
    public async Task Connect_TypesOfItsOwn_VariablesKeepThem()
    {
        await StartAsync();
        var nodes = _gateway.Nodes;

        var state = nodes.GetNodeId(_gateway.Find("State"));
        Assert.Equal(state, nodes.GetVariableFacts(_gateway.Find("Pump")).DataType);
        Assert.Equal(BuiltInType.ExtensionObject, nodes.GetVariableFacts(_gateway.Find("Pump")).BuiltInType);
        Assert.Equal(BuiltInType.Int32, nodes.GetVariableFacts(_gateway.Find("PumpMode")).BuiltInType);
        Assert.True(nodes.IsSubtypeOf(state, new NodeId(22)));
        Assert.NotEqual(2, state.NamespaceIndex);
    }

    [Fact]
    public async Task Connect_DefinitionAndEncoding_InTheGatewaysIndexes()
    {
        await StartAsync();
        var definitions = new TableDefinitions(_gateway.Nodes);

        var encoding = _gateway.Nodes.GetNodeId(_gateway.Find("State.Binary"));
        var state = definitions.DataTypeOf(encoding);
        var definition = Assert.IsType<StructureDefinition>(definitions.DefinitionOf(state));
        Assert.Equal(_gateway.Nodes.GetNodeId(_gateway.Find("State")), state);
        Assert.Equal(encoding, definition.DefaultEncodingId);
        Assert.Equal(_gateway.Nodes.GetNodeId(_gateway.Find("Mode")), definition.Fields![1].DataType);
        Assert.NotNull(new TableStructures(_gateway.Nodes).Current.FindByEncoding(encoding));
    }

    /// <summary>Read by a definition with a hole, its values would be read wrong.</summary>
    [Fact]
    public async Task Connect_FieldOfATypeThatIsNotFound_NoDefinition()
    {
        Type(22, State, Definition(Field("what", new NodeId("Nowhere", 2))), isKnown: true);
        await StartAsync();

        Assert.False(_gateway.Find("State").IsNone);
        Assert.Null(new TableDefinitions(_gateway.Nodes).DefinitionOf(
            _gateway.Nodes.GetNodeId(_gateway.Find("State"))));
    }

    [Fact]
    public async Task Reconnect_NothingChanged_TypesAreNotMadeAnew()
    {
        await StartAsync();
        var version = _gateway.Nodes.DataTypesVersion;

        await ReconnectAsync();

        Assert.Equal(version, _gateway.Nodes.DataTypesVersion);
    }

    [Fact]
    public async Task Reconnect_DefinitionChanged_VariablesStayAndTheTypeIsNew()
    {
        await StartAsync();
        var pump = _gateway.Find("Pump");
        Type(22, State, Definition(Field("speed", new NodeId(10))), isKnown: true);

        await ReconnectAsync();

        Assert.Equal(pump, _gateway.Find("Pump"));
        var definition = new TableDefinitions(_gateway.Nodes).DefinitionOf(
            _gateway.Nodes.GetNodeId(_gateway.Find("State")));
        Assert.Equal([new NodeId(10)], ((StructureDefinition)definition!).Fields!.Select(field => field.DataType));
    }

    [Fact]
    public async Task Connect_AbstractTypeOfTheStandardBetween_ItsSubtypesAreFound()
    {
        _gateway.Server.References.Add((new NodeId(22), Subtype(new NodeId(14533))));
        Type(14533, new NodeId("OwnKey", 2), Definition(Field("key", new NodeId(12))));

        await StartAsync();

        Assert.True(_gateway.Nodes.IsSubtypeOf(
            _gateway.Nodes.GetNodeId(_gateway.Find("OwnKey")), new NodeId(14533)));
    }

    private async Task StartAsync()
    {
        foreach (var standard in new uint[] { 22, 29 })
            _gateway.Server.References.Add((new NodeId(24), Subtype(new NodeId(standard))));
        _gateway.Start();
        await _gateway.Log.NextAsync(Synchronized);
    }

    private async Task ReconnectAsync()
    {
        _gateway.Time.Advance(TimeSpan.FromMinutes(1));
        _gateway.Server.Session!.Close();
        await _gateway.Log.NextAsync(Synchronized);
    }

    private void Type(uint superType, NodeId id, DataTypeDefinition definition, bool isKnown = false)
    {
        if (!isKnown)
            _gateway.Server.References.Add((new NodeId(superType), Subtype(id)));
        _gateway.Server.Attributes[(id, AttributeId.DataTypeDefinition)] =
            new DataValue(new Variant(new ExtensionObject((IStructure)definition)));
    }

    private void Encoding(NodeId type, NodeId id) => _gateway.Server.References.Add((type, new ReferenceDescription
    {
        ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.HasEncoding),
        IsForward = true,
        NodeId = id,
        BrowseName = new QualifiedName("Default Binary"),
        NodeClass = NodeClass.Object,
        TypeDefinition = new NodeId(StandardIds.ObjectTypes.DataTypeEncodingType),
    }));

    private static ReferenceDescription Subtype(NodeId id) => new()
    {
        ReferenceTypeId = new NodeId(StandardIds.ReferenceTypes.HasSubtype),
        IsForward = true,
        NodeId = id,
        BrowseName = new QualifiedName(id.String ?? id.ToString(), id.NamespaceIndex),
        NodeClass = NodeClass.DataType,
    };

    private static StructureDefinition Definition(params StructureField[] fields) => new()
    {
        DefaultEncodingId = StateBinary,
        BaseDataType = new NodeId(22),
        Fields = fields,
    };

    private static StructureField Field(string name, NodeId type) =>
        new() { Name = name, DataType = type, ValueRank = -1 };
}
