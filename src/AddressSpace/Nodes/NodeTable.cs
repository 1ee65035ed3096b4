using Gateway.AddressSpace.Listening;
using Gateway.AddressSpace.Sources;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// Every node with its attributes and references, apart from values. Shape: 48 bytes a node in chunks that never move,
/// 8 bytes a reference and direction, 6 to 12 a node for finding it; facts and names that nodes share are stored once.
/// Inverse references are always there. Threads: any number of readers beside <see cref="Apply"/>, without a lock; a
/// node is found when it is whole, and no search finds a removed one, while its handle still works for its holders
/// (R20).
/// </summary>
public sealed class NodeTable
{
    private readonly NodeRecords _records = new();
    private readonly NodeIndex _index;
    private readonly ReferenceArena _references = new();
    private readonly FactsTable _facts = new();
    private readonly TypeHierarchy _types = new();
    private readonly NodeTableWriter _writer;
    private readonly ListenerList<INodeListener> _listeners = new();
    private volatile INodeSource?[] _sources = [null];
    private volatile ExpandedNodeId[] _external = [];
    private volatile Dictionary<ushort, AccessRule> _defaultRules = [];
    private readonly RuleDigest _rules = new();
    private volatile string[] _locales = [];
    private readonly Lock _lock = new();
    private int _count;
    private int _version;
    private int _dataTypesVersion;

    /// <param name="isModel">For tools: a model's promises are kept as they are, also those that the gateway does not
    /// serve.
    /// </param>
    public NodeTable(bool isModel = false)
    {
        IsModel = isModel;
        _index = new NodeIndex(_records);
        _writer = new NodeTableWriter(this, _records, _index, _references, _facts, _types);
    }

    public NamespaceTable Namespaces { get; } = new();

    /// <summary>Nodes that can be found.</summary>
    public int Count => Volatile.Read(ref _count);

    /// <summary>Another number once a batch has been applied: for what is made of nodes and references. Read it before
    /// them.</summary>
    public int Version => Volatile.Read(ref _version);

    /// <summary>Another number once a batch has changed DataTypes, their definitions, supertypes or encodings: for what
    /// is made of them. Read it before the nodes.</summary>
    public int DataTypesVersion => Volatile.Read(ref _dataTypesVersion);

    /// <summary>One past the highest handle index: for tables beside this one.</summary>
    public int HandleEnd => _records.End;

    public NodeHandle Find(NodeId id) => new(_index.Find(id));

    /// <summary>Whether the handle names a node that was not removed.</summary>
    public bool Exists(NodeHandle node) => _records.Contains(node.Index) && _records[node.Index].IsLive;

    public NodeId GetNodeId(NodeHandle node) => Record(node).NodeId;

    /// <summary>Unspecified for no node and for a removed one.</summary>
    public NodeClass GetNodeClass(NodeHandle node)
    {
        ref readonly var record = ref Record(node);
        return record.IsLive ? record.NodeClass : NodeClass.Unspecified;
    }

    public QualifiedName GetBrowseName(NodeHandle node) => BrowseName(Record(node));

    public LocalizedText GetDisplayName(NodeHandle node) => DisplayName(Record(node));

    public LocalizedText GetDisplayName(NodeHandle node, ReadOnlySpan<string> locales) =>
        TryGetText(node, AttributeId.DisplayName, locales, out var text) ? text : GetDisplayName(node);

    /// <summary>Null where the node has none.</summary>
    public LocalizedText GetDescription(NodeHandle node) =>
        Record(node).Extra is NodeExtras extras ? extras.Description : default;

    /// <summary>DisplayName, Description or InverseName in the first of the locales that it has; false where it has one
    /// only.</summary>
    public bool TryGetText(
        NodeHandle node, AttributeId attribute, ReadOnlySpan<string> locales, out LocalizedText text)
    {
        text = default;
        ref readonly var record = ref Record(node);
        return record.IsLive && record.Extra is NodeExtras { Texts: { } texts } &&
            texts.TryPick(attribute, locales, out text);
    }

    /// <summary>Locales of the texts that have several.</summary>
    public IReadOnlyList<string> Locales => _locales;

    /// <summary>The default for a node that is neither Variable nor VariableType.</summary>
    public VariableFacts GetVariableFacts(NodeHandle node)
    {
        ref readonly var record = ref Record(node);
        return record.NodeClass is NodeClass.Variable or NodeClass.VariableType ? _facts[record.Facts] : default;
    }

    /// <summary>Every attribute but the Value. Errors: Bad_AttributeIdInvalid where the node has none,
    /// Bad_NodeIdUnknown.</summary>
    public StatusCode ReadAttribute(NodeHandle node, AttributeId attribute, out Variant value)
    {
        ref readonly var record = ref Record(node);
        if (record.IsLive)
            return NodeAttributes.Read(this, record, attribute, out value);
        value = default;
        return StatusCodes.BadNodeIdUnknown;
    }

    /// <summary>The role permissions of the node itself; null where it has none.</summary>
    public RolePermissionType[]? GetRolePermissions(NodeHandle node) =>
        (Record(node).Extra as NodeExtras)?.RolePermissions;

    public AccessRestrictionType? GetAccessRestrictions(NodeHandle node) =>
        (Record(node).Extra as NodeExtras)?.AccessRestrictions;

    /// <summary>False for nearly all nodes: the server's own roles alone decide about them.</summary>
    public bool HasAccessRule(NodeHandle node) => (Volatile.Read(in Record(node).Flags) & NodeRecord.Ruled) != 0;

    /// <summary>The node's own, each half that it does not say taken from its namespace.</summary>
    public AccessRule GetAccessRule(NodeHandle node)
    {
        ref readonly var record = ref Record(node);
        var own = record.Extra as NodeExtras;
        _defaultRules.TryGetValue(record.NamespaceIndex, out var rule);
        return new AccessRule(
            own?.RolePermissions is { Length: > 0 } permissions ? permissions : rule.RolePermissions,
            own?.AccessRestrictions ?? rule.Restrictions);
    }

    /// <summary>The same for an id whose node may come later: then the rule of its namespace.</summary>
    public AccessRule GetAccessRule(NodeId id) => Find(id) is { IsNone: false } node
        ? GetAccessRule(node)
        : _defaultRules.GetValueOrDefault(id.NamespaceIndex);

    /// <summary>Of the rules that models have given, in their order. Another one than in the process before: somebody
    /// may have other rights than then.</summary>
    public ulong RulesDigest => _rules.Value;

    /// <summary>A model gives a node a rule of its own.</summary>
    internal void NoteRule(NodeDefinition node)
    {
        if (node.RolePermissions is { Length: > 0 } || node.AccessRestrictions is not (null or 0))
            _rules.Add(
                Namespaces.GetUri(node.NodeId.NamespaceIndex) + node.NodeId.WithNamespace(0),
                new AccessRule(node.RolePermissions, node.AccessRestrictions));
    }

    /// <summary>Sets the rule for each node of the namespace that has none of its own, now and later. Looks at every
    /// node: for the start.</summary>
    public void SetDefaultRule(ushort namespaceIndex, AccessRule rule)
    {
        lock (_lock)
        {
            _defaultRules = new Dictionary<ushort, AccessRule>(_defaultRules) { [namespaceIndex] = rule };
            _rules.Add(Namespaces.GetUri(namespaceIndex) ?? "", rule);
            for (var i = 1; i < _records.End; i++)
            {
                ref var record = ref _records[i];
                if (record.NamespaceIndex == namespaceIndex)
                    Volatile.Write(ref record.Flags, (byte)(record.Flags | NodeRecord.Ruled));
            }
        }
    }

    /// <summary>It is called for each batch from now on, until the result is disposed.</summary>
    public IDisposable Listen(INodeListener listener) => _listeners.Add(listener);

    /// <summary>A type is a subtype of itself here.</summary>
    public bool IsSubtypeOf(NodeId type, NodeId superType) => IsSubtypeOf(Find(type), Find(superType));

    public bool IsSubtypeOf(NodeHandle type, NodeHandle superType) =>
        type.Index != 0 && superType.Index != 0 && _types.IsSubtypeOf(type.Index, superType.Index);

    /// <summary>The built-in type that values of a DataType are encoded as; Null where it allows several (Number,
    /// BaseDataType) or is not known.</summary>
    public BuiltInType GetBuiltInType(NodeId dataType)
    {
        var type = _index.Find(dataType);
        for (var depth = 0; type != 0 && depth < TypeHierarchy.MaxDepth; depth++)
        {
            if (TryGetBuiltInType(_records[type].NodeId, out var builtIn))
                return builtIn;
            type = _types.SuperType(type);
        }

        return BuiltInType.Null;
    }

    /// <summary>None for a type without one.</summary>
    public NodeHandle GetSuperType(NodeHandle type) => new(_types.SuperType(type.Index));

    public ReferenceEnumerable References(NodeHandle node)
    {
        if (!_records.Contains(node.Index))
            return default;
        _references.Locate(ref _records[node.Index].References, out var entries, out var start, out var count);
        return new ReferenceEnumerable(this, entries, start, count);
    }

    /// <summary>The source of the node's value, writes and calls; null if there is none.</summary>
    public INodeSource? SourceOf(NodeHandle node) => _sources[Record(node).Source];

    /// <summary>Puts another source behind an existing node.</summary>
    public void SetSource(NodeHandle node, INodeSource? source)
    {
        ArgumentOutOfRangeException.ThrowIfZero(node.Index, nameof(node));
        lock (_lock)
            Volatile.Write(ref _records[node.Index].Source, SourceIndexUnderLock(source));
    }

    /// <summary>
    /// Adds, updates and removes all of the batch, or throws before anything has changed. Removals come first. A
    /// reference whose other end is not here is dropped and counted. A listener's exception comes out when all is done:
    /// <see cref="NodeBatch.IsApplied"/> tells the two apart.
    /// </summary>
    /// <exception cref="ArgumentException">A NodeId that is null or exists already, an unregistered namespace, an
    /// update of no live node or of its NodeId, NodeClass or BrowseName.</exception>
    /// <returns>The references that were dropped.</returns>
    public int Apply(NodeBatch batch)
    {
        int dropped;
        lock (_lock)
        {
            dropped = _writer.ApplyUnderLock(batch);
            Volatile.Write(ref _version, _version + 1);
        }

        batch.IsApplied = true;
        _listeners.Tell(new NodeChanges(batch), static (listener, changes) => listener.OnApplied(changes));
        return dropped;
    }

    /// <summary>Whether the walk to the supertypes ends here. Source: Part 6 §5.1.2, Part 3 §8.</summary>
    internal static bool TryGetBuiltInType(NodeId dataType, out BuiltInType type)
    {
        type = BuiltInType.Null;
        if (dataType.NamespaceIndex != 0 || dataType.IdType != IdType.Numeric)
            return false;
        switch (dataType.Numeric)
        {
            case StandardIds.DataTypes.Enumeration:
                type = BuiltInType.Int32;
                return true;
            case StandardIds.DataTypes.BaseDataType:
                return true;
            case > 0 and <= (uint)BuiltInType.DiagnosticInfo:
                type = (BuiltInType)dataType.Numeric;
                return true;
            default:
                return false;
        }
    }

    internal bool IsModel { get; }

    /// <summary>A source serves its calls.</summary>
    internal bool IsCallable(in NodeRecord method) => IsModel || _sources[method.Source] is IMethodSource;

    internal static QualifiedName BrowseName(in NodeRecord node) => new(node.Name, node.BrowseNamespaceIndex);

    internal static LocalizedText DisplayName(in NodeRecord node) => node.Extra switch
    {
        string text => new LocalizedText(text),
        NodeExtras { DisplayName.IsNull: false } extras => extras.DisplayName,
        _ => new LocalizedText(node.Name),
    };

    internal VariableFacts Facts(int index) => _facts[index];

    internal ExpandedNodeId ExternalTarget(int index) => _external[index];

    /// <summary>A NodeSet2 file says who may do what with the nodes of the namespace, those to come too.</summary>
    public bool HasDefaultRule(ushort namespaceIndex) => _defaultRules.ContainsKey(namespaceIndex);

    internal int AddExternalUnderLock(ExpandedNodeId target)
    {
        var index = Array.IndexOf(_external, target);
        if (index >= 0)
            return index;
        _external = [.. _external, target];
        return _external.Length - 1;
    }

    internal ushort SourceIndexUnderLock(INodeSource? source)
    {
        var index = Array.IndexOf(_sources, source);
        if (index >= 0)
            return (ushort)index;
        if (_sources.Length > ushort.MaxValue)
            throw new InvalidOperationException("The node table has no room for another source.");
        _sources = [.. _sources, source];
        return (ushort)(_sources.Length - 1);
    }

    internal void LearnLocalesUnderLock(NodeTexts texts)
    {
        if (texts.Locales.Except(_locales, StringComparer.OrdinalIgnoreCase).ToArray() is { Length: > 0 } more)
            _locales = [.. _locales, .. more];
    }

    internal void ChangeDataTypesUnderLock() => Volatile.Write(ref _dataTypesVersion, _dataTypesVersion + 1);

    internal void CountUnderLock(int added, int removed) => Volatile.Write(ref _count, _count + added - removed);

    private ref NodeRecord Record(NodeHandle node)
    {
        // Index 0 is a record like any other, and empty: no node.
        return ref _records[(uint)node.Index < (uint)_records.End ? node.Index : 0];
    }
}
