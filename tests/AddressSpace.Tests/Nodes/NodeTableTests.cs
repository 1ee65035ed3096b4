using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Tests.Nodes;

public class NodeTableTests
{
    private const uint ObjectsFolder = 85;
    private readonly AddressSpaces _space = AddressSpaces.Standard();
    private readonly ushort _namespace;

    public NodeTableTests() => _namespace = _space.Nodes.Namespaces.GetOrAdd("urn:test");

    public static TheoryData<int> Kinds => [0, 1, 2, 3];

    [Theory]
    [MemberData(nameof(Kinds))]
    public void Find_EveryKindOfIdentifier_FindsTheNode(int kind)
    {
        var id = Id(kind, 7);
        _space.Nodes.Apply(
            new NodeBatch().AddObject(id, new QualifiedName("A", _namespace), new NodeId(ObjectsFolder)));
        var node = _space.Nodes.Find(Id(kind, 7));
        Assert.False(node.IsNone);
        Assert.Equal(id, _space.Nodes.GetNodeId(node));
        Assert.Equal(new QualifiedName("A", _namespace), _space.Nodes.GetBrowseName(node));
        Assert.Equal(new LocalizedText("A"), _space.Nodes.GetDisplayName(node));
        Assert.True(_space.Nodes.Find(Id(kind, 8)).IsNone);
    }

    [Fact]
    public void Apply_ObjectBelowAFolder_BothSeeTheReference()
    {
        var id = new NodeId(1u, _namespace);
        _space.Nodes.Apply(
            new NodeBatch().AddObject(id, new QualifiedName("A", _namespace), new NodeId(ObjectsFolder)));
        var node = _space.Nodes.Find(id);
        Assert.Contains(_space.References(_space[ObjectsFolder]), r => r.IsForward && r.Target == node);
        Assert.Contains(_space.References(node), r => !r.IsForward && r.Target == _space[ObjectsFolder]);
        Assert.Empty(_space.Inconsistencies());
    }

    [Fact]
    public void Apply_ReferenceGivenTwiceAndInBothDirections_IsThereOnce()
    {
        var id = new NodeId(1u, _namespace);
        var batch = new NodeBatch().AddObject(id, new QualifiedName("A"), new NodeId(ObjectsFolder));
        batch.AddReference(id, new NodeId(35), new NodeId(ObjectsFolder), isForward: false);
        _space.Nodes.Apply(batch);
        _space.Nodes.Apply(new NodeBatch().AddReference(new NodeId(ObjectsFolder), new NodeId(35), id));
        Assert.Single(_space.References(_space[ObjectsFolder]), r => r.Target == _space.Nodes.Find(id));
    }

    [Fact]
    public void Apply_NodeThatIsThere_ThrowsAndChangesNothing()
    {
        var batch = new NodeBatch()
            .AddObject(new NodeId(1u, _namespace), new QualifiedName("A"), new NodeId(ObjectsFolder))
            .AddObject(new NodeId(ObjectsFolder), new QualifiedName("B"), default);
        var before = _space.Nodes.Count;
        Assert.Throws<ArgumentException>(() => _space.Nodes.Apply(batch));
        Assert.Equal(before, _space.Nodes.Count);
        Assert.True(_space.Nodes.Find(new NodeId(1u, _namespace)).IsNone);
    }

    [Fact]
    public void Apply_ReferenceToNowhere_IsDroppedAndCounted()
    {
        var dropped = _space.Nodes.Apply(new NodeBatch().AddReference(
            new NodeId(ObjectsFolder), new NodeId(35), new NodeId(4711u, _namespace)));
        Assert.Equal(1, dropped);
        Assert.Empty(_space.Inconsistencies());
    }

    [Fact]
    public void Apply_TargetOnAnotherServer_IsExternal()
    {
        var target = new ExpandedNodeId(new NodeId(5u), "urn:elsewhere", 2);
        _space.Nodes.Apply(new NodeBatch().AddReference(new NodeId(ObjectsFolder), new NodeId(35), target));
        var reference = Assert.Single(_space.References(_space[ObjectsFolder]), r => r.IsExternal);
        Assert.Equal(target, reference.ExternalTarget);
    }

    [Fact]
    public void Remove_Node_IsGoneWithItsReferencesAndItsHandleIsNotReused()
    {
        var id = new NodeId(1u, _namespace);
        _space.Nodes.Apply(new NodeBatch().AddObject(id, new QualifiedName("A"), new NodeId(ObjectsFolder)));
        var node = _space.Nodes.Find(id);
        var snapshot = _space.Nodes.References(_space[ObjectsFolder]);
        var before = snapshot.Count;
        _space.Nodes.Apply(new NodeBatch().Remove(node));

        Assert.True(_space.Nodes.Find(id).IsNone);
        Assert.False(_space.Nodes.Exists(node));
        Assert.Equal(NodeClass.Unspecified, _space.Nodes.GetNodeClass(node));
        Assert.Equal(id, _space.Nodes.GetNodeId(node));
        Assert.Equal(StatusCodes.BadNodeIdUnknown, _space.Nodes.ReadAttribute(node, AttributeId.NodeClass, out _).Code);
        Assert.Equal(before, snapshot.Count);
        Assert.Equal(node, snapshot[before - 1].Target);
        Assert.Empty(_space.Inconsistencies());

        _space.Nodes.Apply(new NodeBatch().AddObject(id, new QualifiedName("B"), new NodeId(ObjectsFolder)));
        Assert.NotEqual(node, _space.Nodes.Find(id));
        Assert.Equal("B", _space.Nodes.GetBrowseName(_space.Nodes.Find(id)).Name);
        Assert.Empty(_space.Inconsistencies());
    }

    [Fact]
    public void Remove_AndAddInOneBatch_Replaces()
    {
        var id = new NodeId(1u, _namespace);
        _space.Nodes.Apply(new NodeBatch().AddObject(id, new QualifiedName("A"), new NodeId(ObjectsFolder)));
        var count = _space.Nodes.Count;
        _space.Nodes.Apply(new NodeBatch()
            .Remove(_space.Nodes.Find(id))
            .AddObject(id, new QualifiedName("B"), new NodeId(ObjectsFolder)));
        Assert.Equal(count, _space.Nodes.Count);
        Assert.Equal("B", _space.Nodes.GetBrowseName(_space.Nodes.Find(id)).Name);
        Assert.Empty(_space.Inconsistencies());
    }

    [Fact]
    public void Remove_ManyChildrenInParts_TheRestIsWhole()
    {
        var batch = new NodeBatch();
        for (var i = 1u; i <= 5000; i++)
            batch.AddObject(new NodeId(i, _namespace), new QualifiedName("N"), new NodeId(ObjectsFolder));
        _space.Nodes.Apply(batch);
        for (var part = 0u; part < 5; part++)
        {
            var removal = new NodeBatch();
            for (var i = part * 1000 + 1; i <= part * 1000 + 700; i++)
                removal.Remove(_space.Nodes.Find(new NodeId(i, _namespace)));
            _space.Nodes.Apply(removal);
        }

        Assert.Equal(1500, _space.References(_space[ObjectsFolder])
            .Count(r => _space.Nodes.GetNodeId(r.Target).NamespaceIndex == _namespace));
        Assert.Empty(_space.Inconsistencies());
    }

    [Fact]
    public void IsSubtypeOf_ReferenceTypes_FollowsTheHierarchyUpwards()
    {
        Assert.True(_space.Nodes.IsSubtypeOf(new NodeId(46), new NodeId(33)));
        Assert.True(_space.Nodes.IsSubtypeOf(new NodeId(46), new NodeId(46)));
        Assert.False(_space.Nodes.IsSubtypeOf(new NodeId(33), new NodeId(46)));
        Assert.False(_space.Nodes.IsSubtypeOf(new NodeId(46), new NodeId(4711u, _namespace)));
        Assert.False(_space.Nodes.IsSubtypeOf(default(NodeHandle), default));
    }

    [Fact]
    public void GetVariableFacts_TypeOfTheSameBatch_IsResolved()
    {
        var type = new NodeId(1u, _namespace);
        _space.Nodes.Apply(new NodeBatch().AddVariable(
            new NodeId(2u, _namespace),
            new QualifiedName("V"),
            new VariableFacts(type),
            null,
            new NodeId(ObjectsFolder)));
        var variable = _space.Nodes.Find(new NodeId(2u, _namespace));
        Assert.Equal(BuiltInType.Null, _space.Nodes.GetVariableFacts(variable).BuiltInType);
        _space.Nodes.Apply(new NodeBatch()
            .AddNode(new NodeDefinition
            {
                NodeId = type,
                NodeClass = NodeClass.DataType,
                BrowseName = new QualifiedName("Speed"),
            })
            .AddReference(new NodeId(StandardIds.DataTypes.Float), new NodeId(45), type));
        Assert.Equal(BuiltInType.Float, _space.Nodes.GetVariableFacts(variable).BuiltInType);
    }

    [Fact]
    public void SetSource_OfAStandardNode_IsSeen()
    {
        var source = _space.Source;
        _space.Nodes.SetSource(_space[2258], source);
        Assert.Same(source, _space.Nodes.SourceOf(_space[2258]));
        Assert.Null(_space.Nodes.SourceOf(default));
    }

    [Fact]
    public async Task Apply_BesideReaders_NobodySeesAHalfMadeNode()
    {
        using var stop = new CancellationTokenSource();
        var readers = Enumerable.Range(0, 2).Select(_ => Task.Run(() =>
        {
            var found = 0L;
            while (!stop.IsCancellationRequested)
                found += ReadAll();
            return found;
        })).ToList();
        for (var round = 0u; round < 60; round++)
        {
            var batch = new NodeBatch();
            for (var i = 0u; i < 200; i++)
                batch.AddVariable(
                    new NodeId($"n{i}", _namespace),
                    new QualifiedName($"n{i}", _namespace),
                    new VariableFacts(new NodeId(StandardIds.DataTypes.Double)),
                    null,
                    new NodeId(ObjectsFolder));
            _space.Nodes.Apply(batch);
            var removal = new NodeBatch();
            for (var i = 0u; i < 200; i++)
                removal.Remove(_space.Nodes.Find(new NodeId($"n{i}", _namespace)));
            _space.Nodes.Apply(removal);
        }

        await stop.CancelAsync();
        Assert.All(await Task.WhenAll(readers), found => Assert.True(found >= 0));
        Assert.Empty(_space.Inconsistencies());
    }

    private long ReadAll()
    {
        var found = 0L;
        foreach (var reference in _space.Nodes.References(_space[ObjectsFolder]))
        {
            // What a reference leads to is whole, or was removed meanwhile and then still has its name.
            Assert.NotNull(_space.Nodes.GetBrowseName(reference.Target).Name);
        }

        for (var i = 0u; i < 200; i++)
        {
            var node = _space.Nodes.Find(new NodeId($"n{i}", _namespace));
            if (node.IsNone)
                continue;
            found++;
            Assert.Equal($"n{i}", _space.Nodes.GetNodeId(node).String);
            Assert.Equal(BuiltInType.Double, _space.Nodes.GetVariableFacts(node).BuiltInType);
            var references = _space.Nodes.References(node);
            Assert.True(references.Count == 2 || !_space.Nodes.Exists(node));
        }

        return found;
    }

    private NodeId Id(int kind, byte number) => kind switch
    {
        0 => new NodeId((uint)number, _namespace),
        1 => new NodeId($"tag{number}", _namespace),
        2 => new NodeId(new Guid(number, 0, 0, new byte[8]), _namespace),
        _ => new NodeId(new byte[] { number, 2 }, _namespace),
    };
}
