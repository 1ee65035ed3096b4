using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Standard;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Changes;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Gateway.Events.Tests.Support;
using Verb = Gateway.Codec.Structures.ModelChangeStructureVerbMask;

namespace Gateway.Events.Tests.Changes;

/// <summary>Part 3 §9.32, Part 5 §6.4.31, §6.4.32.</summary>
public sealed class ModelChangeEventsTests : IDisposable
{
    private const uint GeneralModelChange = 2133;
    private const uint BaseModelChange = 2132;

    private static readonly NodeId Objects = new(StandardIds.Objects.ObjectsFolder);
    private static readonly NodeId Folder = new(StandardIds.ObjectTypes.FolderType);
    private static readonly NodeId Variable = new(StandardIds.VariableTypes.BaseDataVariableType);

    private readonly NodeTable _nodes = new();
    private readonly EventHub _hub;
    private readonly ModelChangeEvents _events;
    private readonly EventInbox _inbox;
    private readonly IDisposable _registration;
    private readonly ushort _namespace;

    public ModelChangeEventsTests()
    {
        var values = new ValueStore(TimeProvider.System);
        StandardNodes.Load(_nodes, values);
        _namespace = _nodes.Namespaces.GetOrAdd("urn:test");
        _hub = new EventHub(
            _nodes, values, new EventMaker(_nodes, TimeProvider.System), new EventHubLimits(), TimeProvider.System);
        _events = new ModelChangeEvents(_hub, _nodes);
        _registration = _nodes.Listen(_events);
        _inbox = _hub.OpenInbox(100, static () => { });
    }

    public void Dispose()
    {
        _registration.Dispose();
        _hub.Dispose();
    }

    [Fact]
    public void Apply_NodesBelowAFolder_AreOneEventWithTheFolderAndTheirTypes()
    {
        Watch();
        _nodes.Apply(AddTags(new NodeBatch().AddObject(Id("A"), new QualifiedName("A"), Objects), "A", 2));
        _nodes.Apply(new NodeBatch().AddObject(Id("B"), new QualifiedName("B"), Objects));
        _events.Tell();
        var told = Assert.Single(Told());
        Assert.Equal(GeneralModelChange, told.Type);
        Assert.Equal(
            [
                (Id("A"), Folder, Verb.NodeAdded), (Id("A/0"), Variable, Verb.NodeAdded),
                (Id("A/1"), Variable, Verb.NodeAdded), (Id("B"), Folder, Verb.NodeAdded),
                (Objects, Folder, Verb.ReferenceAdded),
            ],
            told.Changes);
        _events.Tell();
        Assert.Empty(Told());
    }

    [Fact]
    public void Apply_Removal_HasTheTypeThatTheNodeHad()
    {
        _nodes.Apply(AddTags(new NodeBatch().AddObject(Id("A"), new QualifiedName("A"), Objects), "A", 1));
        Watch();
        _nodes.Apply(new NodeBatch().Remove(_nodes.Find(Id("A/0"))));
        _events.Tell();
        Assert.Equal(
            [(Id("A/0"), Variable, Verb.NodeDeleted), (Id("A"), Folder, Verb.ReferenceDeleted)],
            Assert.Single(Told()).Changes);
    }

    [Fact]
    public void Apply_NodeReplacedByAnother_IsDeletedAndAdded()
    {
        _nodes.Apply(AddTags(new NodeBatch(), null, 1));
        Watch();
        _nodes.Apply(AddTags(new NodeBatch().Remove(_nodes.Find(Id("/0"))), null, 1));
        _events.Tell();
        Assert.Equal(
            [(Id("/0"), Variable, Verb.NodeAdded | Verb.NodeDeleted)], Assert.Single(Told()).Changes);
    }

    [Fact]
    public void Apply_NodeThatComesAndGoes_IsNotTold()
    {
        Watch();
        _nodes.Apply(AddTags(new NodeBatch(), null, 1));
        _nodes.Apply(new NodeBatch().Remove(_nodes.Find(Id("/0"))));
        _events.Tell();
        Assert.Empty(Told());
    }

    [Fact]
    public void Apply_ReferenceBetweenTwoNodes_IsToldOfBothOnce()
    {
        _nodes.Apply(new NodeBatch().AddObject(Id("A"), new QualifiedName("A"), Objects)
            .AddObject(Id("B"), new QualifiedName("B"), Objects));
        Watch();
        var organizes = new NodeId(StandardIds.ReferenceTypes.Organizes);
        _nodes.Apply(new NodeBatch().AddReference(Id("A"), organizes, Id("B")));
        // It is there already: no change.
        _nodes.Apply(new NodeBatch().AddReference(Id("A"), organizes, Id("B")));
        _events.Tell();
        Assert.Equal(
            [(Id("A"), Folder, Verb.ReferenceAdded), (Id("B"), Folder, Verb.ReferenceAdded)],
            Assert.Single(Told()).Changes);
        _nodes.Apply(new NodeBatch().AddReference(Id("A"), organizes, Id("B")));
        _events.Tell();
        Assert.Empty(Told());
        _nodes.Apply(new NodeBatch().RemoveReference(
            _nodes.Find(Id("A")), _nodes.Find(organizes), _nodes.Find(Id("B"))));
        _events.Tell();
        Assert.Equal(
            [(Id("A"), Folder, Verb.ReferenceDeleted), (Id("B"), Folder, Verb.ReferenceDeleted)],
            Assert.Single(Told()).Changes);
    }

    [Fact]
    public void Apply_OtherDataType_IsToldAndOtherAttributesAreNot()
    {
        _nodes.Apply(AddTags(new NodeBatch(), null, 2));
        Watch();
        _nodes.Apply(new NodeBatch()
            .Update(_nodes.Find(Id("/0")), Define("/0", 10, default))
            .Update(_nodes.Find(Id("/1")), Define("/1", 11, new LocalizedText("other"))));
        _events.Tell();
        Assert.Equal([(Id("/0"), Variable, Verb.DataTypeChanged)], Assert.Single(Told()).Changes);
    }

    /// <summary>R01: above the bound it says below which node to look.</summary>
    [Fact]
    public void Apply_MoreThanTheBound_NamesTheNodesAboveAlone()
    {
        Watch();
        _nodes.Apply(AddTags(
            new NodeBatch().AddObject(Id("A"), new QualifiedName("A"), Objects), "A", ModelChangeSet.MaxChanges));
        _events.Tell();
        Assert.Equal([(Objects, Folder, Verb.ReferenceAdded)], Assert.Single(Told()).Changes);
    }

    /// <summary>R01: where even those are too many, anything may have changed.</summary>
    [Fact]
    public void Apply_NeighboursAboveTheBound_IsABaseEvent()
    {
        _nodes.Apply(AddTags(new NodeBatch(), null, ModelChangeSet.MaxChanges + 1));
        Watch();
        var batch = new NodeBatch();
        for (var i = 0; i <= ModelChangeSet.MaxChanges; i++)
            batch.AddReference(
                Id($"/{i}"), new NodeId(StandardIds.ReferenceTypes.Organizes), Objects, isForward: false);
        _nodes.Apply(batch);
        _events.Tell();
        Assert.Equal(BaseModelChange, Assert.Single(Told()).Type);
    }

    /// <summary>A field of an event has 64 KiB at most.</summary>
    [Fact]
    public void Apply_LongNodeIds_StayWithinAField()
    {
        Watch();
        var batch = new NodeBatch();
        for (var i = 0; i < 100; i++)
            batch.AddObject(Id(new string('n', 1_000) + i), new QualifiedName("A"), Objects);
        _nodes.Apply(batch);
        _events.Tell();
        Assert.Equal([(Objects, Folder, Verb.ReferenceAdded)], Assert.Single(Told()).Changes);
    }

    /// <summary>R36: no NodeId of a node that somebody may not see, nor of the one that it is below; that something has
    /// changed is no secret.</summary>
    [Fact]
    public void Apply_NodesWithRules_AreNotNamed()
    {
        var hidden = _nodes.Namespaces.GetOrAdd("urn:hidden");
        _nodes.SetDefaultRule(hidden, new AccessRule([new RolePermissionType()], null));
        Watch();
        var secret = new NodeId("secret", hidden);
        _nodes.Apply(new NodeBatch().AddObject(secret, new QualifiedName("S"), Objects));
        AssertOnlyAnything();
        _nodes.Apply(new NodeBatch().AddObject(new NodeId("below", hidden), new QualifiedName("B"), secret));
        AssertOnlyAnything();
        _nodes.Apply(new NodeBatch().AddObject(Id("A"), new QualifiedName("A"), Objects));
        _events.Tell();
        Told();
        _nodes.Apply(new NodeBatch().AddReference(Id("A"), new NodeId(StandardIds.ReferenceTypes.Organizes), secret));
        AssertOnlyAnything();
        _nodes.Apply(new NodeBatch().Remove(_nodes.Find(secret)));
        AssertOnlyAnything();
    }

    /// <summary>The type cannot be named, nor can the node for the type.</summary>
    [Fact]
    public void Apply_NodeGetsOrLosesATypeWithARule_IsAnything()
    {
        var type = Id("Type");
        _nodes.Apply(new NodeBatch()
            .AddNode(Ruled(type, NodeClass.ObjectType)).AddObject(Id("A"), new QualifiedName("A"), Objects));
        Watch();
        var typeDefinition = new NodeId(StandardIds.ReferenceTypes.HasTypeDefinition);
        _nodes.Apply(new NodeBatch().AddReference(Id("A"), typeDefinition, type));
        AssertOnlyAnything();
        _nodes.Apply(new NodeBatch().RemoveReference(
            _nodes.Find(Id("A")), _nodes.Find(typeDefinition), _nodes.Find(type)));
        AssertOnlyAnything();

        // A new one tells of itself.
        _nodes.Apply(new NodeBatch().AddNode(Plain(Id("B"))).AddReference(Id("B"), typeDefinition, type));
        _events.Tell();
        Assert.Equal([(Id("B"), NodeId.Null, Verb.NodeAdded)], Assert.Single(Told()).Changes);
        _nodes.Apply(new NodeBatch().Remove(_nodes.Find(Id("B"))));
        _events.Tell();
        Assert.Equal([(Id("B"), NodeId.Null, Verb.NodeDeleted)], Assert.Single(Told()).Changes);
    }

    [Theory]
    [InlineData(true)]
    [InlineData(false)]
    public void Apply_RuleComesWithTheReference_TheOtherEndIsNotNamed(bool isGained)
    {
        var organizes = new NodeId(StandardIds.ReferenceTypes.Organizes);
        var batch = new NodeBatch().AddNode(Plain(Id("A"))).AddNode(Plain(Id("S")));
        _nodes.Apply(isGained ? batch : batch.AddReference(Id("A"), organizes, Id("S")));
        Watch();
        var secret = _nodes.Find(Id("S"));
        batch = new NodeBatch().Update(secret, Ruled(Id("S"), NodeClass.Object));
        _nodes.Apply(isGained
            ? batch.AddReference(Id("A"), organizes, Id("S"))
            : batch.RemoveReference(_nodes.Find(Id("A")), _nodes.Find(organizes), secret));
        AssertOnlyAnything();
    }

    [Fact]
    public void Apply_RuleGoesAndAReferenceComes_BothAreNamed()
    {
        _nodes.Apply(new NodeBatch().AddNode(Plain(Id("A"))).AddNode(Ruled(Id("S"), NodeClass.Object)));
        Watch();
        _nodes.Apply(new NodeBatch().Update(_nodes.Find(Id("S")), Plain(Id("S")))
            .AddReference(Id("A"), new NodeId(StandardIds.ReferenceTypes.Organizes), Id("S")));
        _events.Tell();
        Assert.Equal(
            [(Id("A"), NodeId.Null, Verb.ReferenceAdded), (Id("S"), NodeId.Null, Verb.ReferenceAdded)],
            Assert.Single(Told()).Changes);
    }

    [Fact]
    public void Apply_NobodyListens_NothingIsKept()
    {
        _nodes.Apply(AddTags(new NodeBatch(), null, 5));
        Watch();
        _events.Tell();
        Assert.Empty(Told());
        Assert.Equal(0, _hub.Raised);
    }

    private void AssertOnlyAnything()
    {
        _events.Tell();
        Assert.Equal(BaseModelChange, Assert.Single(Told()).Type);
    }

    private static NodeDefinition Ruled(NodeId id, NodeClass nodeClass) => new()
    {
        NodeId = id,
        NodeClass = nodeClass,
        BrowseName = new QualifiedName(id.String!),
        RolePermissions = [new RolePermissionType()],
    };

    private static NodeDefinition Plain(NodeId id) => new()
    {
        NodeId = id,
        NodeClass = NodeClass.Object,
        BrowseName = new QualifiedName(id.String!),
    };

    private NodeId Id(string text) => new(text, _namespace);

    private NodeBatch AddTags(NodeBatch batch, string? parent, int count)
    {
        for (var i = 0; i < count; i++)
            batch.AddVariable(
                Id($"{parent}/{i}"), new QualifiedName($"{i}"), new VariableFacts(new NodeId(11)), null,
                parent is null ? default : Id(parent));
        return batch;
    }

    private NodeDefinition Define(string id, uint dataType, LocalizedText displayName) => new()
    {
        NodeId = Id(id),
        NodeClass = NodeClass.Variable,
        BrowseName = new QualifiedName(id[1..]),
        DisplayName = displayName,
        Variable = new VariableFacts(new NodeId(dataType)),
    };

    private void Watch()
    {
        var verdict = _hub.Take(new EventFilter
        {
            SelectClauses = [EventSample.Field("EventType"), EventSample.Field("Changes", GeneralModelChange)],
        }, "test");
        _hub.Join(
            verdict.Filter!, _nodes.Find(new NodeId(StandardIds.Objects.Server)), _inbox, seesAudit: false);
    }

    private List<(uint Type, (NodeId, NodeId, Verb)[] Changes)> Told()
    {
        var told = new List<(uint, (NodeId, NodeId, Verb)[])>();
        while (_inbox.TryTake(out var next))
        {
            var fields = new UaBinaryReader(next.Fields.EncodedVariant).ReadVariant().AsArray<Variant>()!;
            next.Fields.Release();
            var changes = (fields[1].AsArray<ExtensionObject>() ?? [])
                .Select(static one => (ModelChangeStructureDataType)one.Body!)
                .Select(static one => (one.Affected, one.AffectedType, (Verb)one.Verb));
            told.Add((fields[0].AsNodeId().Numeric, [.. changes]));
        }

        return told;
    }
}
