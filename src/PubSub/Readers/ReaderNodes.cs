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

    /// <summary>Of a node's record, its references and the places where it is found.</summary>
    private const int RecordBytes = 128;

    private const int MaxIdLength = 8192;

    private readonly ReaderParts _parts;
    private readonly string _publisher;
    private readonly bool _isPublished;
    private readonly ushort _namespace;
    private readonly NodeId _folder;
    private readonly StoreSource _source;
    private Dictionary<NodeId, NodeDefinition> _own = [];

    public ReaderNodes(DataSetReaderOptions options, ReaderParts parts)
    {
        _parts = parts;
        _publisher = options.PublisherId;
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

    /// <summary>Values of nodes that go are cleared. False: the readers have made as many nodes as they may.</summary>
    /// <param name="metaData">With fields.</param>
    /// <param name="isMove">They leave NodeIds that belong to an upstream: they may, whatever there is.</param>
    public bool TryApply(DataSetMetaDataType metaData, bool isMove = false)
    {
        var next = new Dictionary<NodeId, NodeDefinition>();
        var ids = new List<NodeId>();
        foreach (var field in metaData.Fields ?? [])
        {
            var id = IdOf(field, next);
            next.Add(id, Define(id, field));
            ids.Add(id);
        }

        var fresh = next.Values.Where(one => !IsThere(one)).ToList();
        if (!_parts.Budget.TryTake(fresh.Sum(BytesOf)) && !isMove)
            return false;
        var batch = new NodeBatch();
        foreach (var (id, old) in _own)
        {
            if (next.TryGetValue(id, out var same) && IsSame(old, same))
                continue;
            var handle = _parts.Nodes.Find(id);
            batch.Remove(handle);
            _parts.Values.Clear(handle);
        }

        foreach (var one in fresh)
        {
            batch.AddVariable(
                one.NodeId, one.BrowseName, one.Variable, _source, _folder, description: one.Description);
        }

        try
        {
            _parts.Nodes.Apply(batch);
        }
        finally
        {
            // Where a listener failed they exist all the same, and the next metadata has to know them.
            if (batch.IsApplied)
                (_own, Handles) = (next, [.. ids.Select(_parts.Nodes.Find)]);
        }

        return true;
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

    /// <summary>The publisher's NodeId, unless it is of a namespace that every server has for itself or that is
    /// another's, or another source serves that node here.</summary>
    private NodeId IdOf(FieldMetaData field, Dictionary<NodeId, NodeDefinition> taken)
    {
        var own = new NodeId($"{_folder.String}/{field.Name}", _namespace);
        if (!_isPublished)
            return own;
        if (DataSetLayout.NodeOf(field) is not { Length: <= MaxIdLength } text ||
            !NodeIdText.TryParse(text, out ExpandedNodeId published) || published.NamespaceUri is not { } uri ||
            !IsOpen(uri) || !_parts.Namespaces.TryGetOrAdd(_publisher, uri, out var index) || index < 2)
            return own;
        var id = published.NodeId.WithNamespace(index);
        return !taken.ContainsKey(id) && (_own.ContainsKey(id) || _parts.Nodes.Find(id).IsNone) ? id : own;
    }

    /// <summary>Own ids of readers are in namespaces of theirs, and an upstream's nodes keep their ids whoever comes
    /// first.</summary>
    private bool IsOpen(string uri) => uri != RootUri &&
        !uri.StartsWith(RootUri + ":", StringComparison.Ordinal) && !_parts.Nodes.Namespaces.IsClaimed(uri);

    private bool IsThere(NodeDefinition definition) =>
        _own.TryGetValue(definition.NodeId, out var old) && IsSame(old, definition);

    /// <summary>Texts have two bytes a character; the shape counts as if it were the node's alone.</summary>
    private static long BytesOf(NodeDefinition one) => RecordBytes +
        (sizeof(char) * ((one.BrowseName.Name?.Length ?? 0) + one.NodeId.ToString().Length +
            (one.Description.Text?.Length ?? 0) + (one.Description.Locale?.Length ?? 0))) +
        (sizeof(uint) * (one.Variable.ArrayDimensions?.Length ?? 0));

    private static bool IsSame(NodeDefinition left, NodeDefinition right) =>
        left.BrowseName == right.BrowseName && left.Variable.DataType == right.Variable.DataType &&
        left.Variable.ValueRank == right.Variable.ValueRank &&
        (left.Variable.ArrayDimensions ?? []).AsSpan().SequenceEqual(right.Variable.ArrayDimensions ?? []);
}
