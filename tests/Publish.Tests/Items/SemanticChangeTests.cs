using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Publish.Tests.Support;

namespace Gateway.Publish.Tests.Items;

/// <summary>Part 3 §9.33, Part 5 §6.4.33: a SemanticChangeEvent for Variables whose values mean something else.
/// </summary>
public sealed class SemanticChangeTests : IAsyncDisposable, IAsyncLifetime
{
    private static readonly NodeId Server = new(StandardIds.Objects.Server);

    private readonly PublishFixture _plant = new(shards: 2);
    private readonly AnalogTag _tag;
    private readonly EventInbox _inbox;

    public SemanticChangeTests()
    {
        _plant.Nodes.Apply(new NodeBatch().AddNode(new NodeDefinition
        {
            NodeId = Server,
            NodeClass = NodeClass.Object,
            BrowseName = new QualifiedName("Server"),
        }));
        _tag = new AnalogTag(_plant);
        _inbox = _plant.Engine.Events.OpenInbox(100, static () => { });
        var verdict = _plant.Engine.Events.Take(
            new EventFilter { SelectClauses = [Clause("EventType"), Clause("Changes")] }, "test");
        _plant.Engine.Events.Join(verdict.Filter!, _plant.Nodes.Find(Server), _inbox, seesAudit: false);
    }

    public Task InitializeAsync() => Task.CompletedTask;

    public ValueTask DisposeAsync() => _plant.DisposeAsync();

    async Task IAsyncLifetime.DisposeAsync() => await DisposeAsync();

    /// <summary>Once for all clients and both properties; what it meant at first is no change.</summary>
    [Fact]
    public void Change_RangeAndUnitOfAWatchedVariable_IsOneEvent()
    {
        _tag.SetRange(0, 100);
        Watch();
        Watch();
        Assert.Empty(Told());
        _tag.SetRange(0, 200);
        _tag.SetUnit(5);
        _plant.Advance(100);
        _tag.SetUnit(6);
        _plant.Advance(100);
        Assert.Equal([new NodeId(1, 1)], Told());
        _tag.SetRange(0, 200);
        _plant.Advance(100);
        Assert.Empty(Told());
    }

    [Fact]
    public void Change_NobodyWatchesTheVariable_IsNotSeen()
    {
        _tag.SetRange(0, 100);
        _plant.Advance(100);
        _tag.SetRange(0, 200);
        _plant.Advance(100);
        Assert.Empty(Told());
    }

    /// <summary>R36: by the rights on the Variable.</summary>
    [Fact]
    public void Change_VariableWithARule_IsForThoseWhoReceiveItsEvents()
    {
        _plant.Nodes.SetDefaultRule(1, new AccessRule([new RolePermissionType()], null));
        _tag.SetRange(0, 100);
        Watch();
        _tag.SetRange(0, 200);
        _plant.Advance(100);
        _plant.Engine.TellChanges();
        Assert.True(_inbox.TryTake(out var told));
        told.Fields.Release();
        Assert.Equal(_plant.Handle(1), told.Source);
    }

    private void Watch()
    {
        var client = _plant.OpenClient();
        client.Monitor(client.Subscribe(), 1);
        _plant.Advance(100);
    }

    private List<NodeId> Told()
    {
        _plant.Engine.TellChanges();
        var told = new List<NodeId>();
        while (_inbox.TryTake(out var next))
        {
            var fields = new UaBinaryReader(next.Fields.EncodedVariant).ReadVariant().AsArray<Variant>()!;
            next.Fields.Release();
            if (fields[0].AsNodeId().Numeric == StandardIds.ObjectTypes.SemanticChangeEventType)
                told.AddRange(fields[1].AsArray<ExtensionObject>()!.Select(
                    static one => ((SemanticChangeStructureDataType)one.Body!).Affected));
        }

        return told;
    }

    private static SimpleAttributeOperand Clause(string name) => new()
    {
        TypeDefinitionId = new NodeId(StandardIds.ObjectTypes.BaseEventType),
        BrowsePath = [new QualifiedName(name)],
        AttributeId = (uint)AttributeId.Value,
    };
}
