using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.DataSets;
using Gateway.PubSub.Options;

namespace Gateway.PubSub.Readers;

/// <summary>
/// The nodes of one reader: an object, and a Variable below it for each field of the metadata. A field keeps its node
/// over a new version if its id, name and type are the same. Owner: the reader, under its lock.
/// </summary>
internal sealed class ReaderNodes
{
    public const string RootUri = "urn:gateway:pubsub";
    public const string RootName = "PubSub";

    private readonly ReaderParts _parts;
    private readonly bool _isPublished;
    private readonly ushort _namespace;
    private readonly NodeId _folder;
    private readonly StoreSource _source;
    private Dictionary<NodeId, NodeDefinition> _own = [];

    public ReaderNodes(DataSetReaderOptions options, ReaderParts parts)
    {
        _parts = parts;
        _isPublished = options.NodeIds == "published";
        _source = new StoreSource(parts.Values, parts.Time);
        var root = parts.Nodes.Namespaces.GetOrAdd(RootUri);
        _namespace = parts.Nodes.Namespaces.GetOrAdd($"{RootUri}:{options.PublisherId}");
        _folder = new NodeId(options.Name, _namespace);
        var rootId = new NodeId(RootName, root);
        var batch = new NodeBatch();
        if (parts.Nodes.Find(rootId).IsNone)
        {
            batch.AddObject(
                rootId, new QualifiedName(RootName, root), new NodeId(StandardIds.Objects.ObjectsFolder));
        }

        batch.AddObject(_folder, new QualifiedName(options.Name, _namespace), rootId);
        parts.Nodes.Apply(batch);
    }

    /// <summary>One for each field, in order.</summary>
    public NodeHandle[] Handles { get; private set; } = [];

    /// <summary>Values of nodes that go are cleared.</summary>
    public void Apply(DataSetMetaDataType metaData)
    {
        var batch = new NodeBatch();
        var next = new Dictionary<NodeId, NodeDefinition>();
        var ids = new List<NodeId>();
        foreach (var field in metaData.Fields ?? [])
        {
            var id = IdOf(field, next);
            var definition = Define(id, field);
            next.Add(id, definition);
            ids.Add(id);
        }

        foreach (var (id, old) in _own)
        {
            if (next.TryGetValue(id, out var same) && IsSame(old, same))
                continue;
            var handle = _parts.Nodes.Find(id);
            batch.Remove(handle);
            _parts.Values.Clear(handle);
        }

        foreach (var (id, definition) in next)
        {
            if (_own.TryGetValue(id, out var old) && IsSame(old, definition))
                continue;
            batch.AddVariable(
                id, definition.BrowseName, definition.Variable, _source, _folder,
                description: definition.Description);
        }

        _parts.Nodes.Apply(batch);
        _own = next;
        Handles = [.. ids.Select(_parts.Nodes.Find)];
    }

    /// <summary>All of them, and the object.</summary>
    public void Remove()
    {
        var batch = new NodeBatch();
        foreach (var handle in Handles)
        {
            batch.Remove(handle);
            _parts.Values.Clear(handle);
        }

        batch.Remove(_parts.Nodes.Find(_folder));
        _parts.Nodes.Apply(batch);
        (_own, Handles) = ([], []);
    }

    private NodeDefinition Define(in NodeId id, FieldMetaData field)
    {
        var type = field.DataType;
        if (type.IsNull || _parts.Nodes.Find(type).IsNone)
        {
            // A type of the publisher's own: the built-in type says how its values look.
            type = new NodeId(field.BuiltInType is > 0 and < (byte)BuiltInType.Variant
                ? field.BuiltInType
                : StandardIds.DataTypes.BaseDataType);
        }

        return new NodeDefinition
        {
            NodeId = id,
            NodeClass = NodeClass.Variable,
            BrowseName = new QualifiedName(field.Name, _namespace),
            Description = field.Description,
            Variable = new VariableFacts(type, field.ValueRank, field.ArrayDimensions),
        };
    }

    /// <summary>The publisher's NodeId, unless it is of a namespace that every server has for itself, or another source
    /// serves that node here.</summary>
    private NodeId IdOf(FieldMetaData field, Dictionary<NodeId, NodeDefinition> taken)
    {
        var own = new NodeId($"{_folder.String}/{field.Name}", _namespace);
        if (!_isPublished)
            return own;
        if (DataSetLayout.NodeOf(field) is not { } text ||
            !NodeIdText.TryParse(text, out ExpandedNodeId published) || published.NamespaceUri is not { } uri ||
            !_parts.Namespaces.TryGetOrAdd(uri, out var index) || index < 2)
            return own;
        var id = published.NodeId.WithNamespace(index);
        return !taken.ContainsKey(id) && (_own.ContainsKey(id) || _parts.Nodes.Find(id).IsNone) ? id : own;
    }

    private static bool IsSame(NodeDefinition left, NodeDefinition right) =>
        left.BrowseName == right.BrowseName && left.Variable.DataType == right.Variable.DataType &&
        left.Variable.ValueRank == right.Variable.ValueRank &&
        (left.Variable.ArrayDimensions ?? []).AsSpan().SequenceEqual(right.Variable.ArrayDimensions ?? []);
}
