using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Sources;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Sources.OpcUa.Namespaces;

namespace Gateway.Sources.OpcUa.Browsing;

/// <summary>
/// Brings the gateway's nodes in line with those found at an upstream: adds new ones, removes missing ones, leaves the
/// rest and so every subscription on it alone. Owner: one connector, which calls it again at each connect.
///</summary>
internal sealed class SpaceMerger(
    NodeId root,
    INodeSource source,
    INodeSource fixedSource,
    NodeTable nodes,
    ValueStore values,
    SharedModel shared,
    int maxNodes)
{
    private static readonly NodeId HasTypeDefinition = new(StandardIds.ReferenceTypes.HasTypeDefinition);
    private static readonly NodeId HasSubtype = new(StandardIds.ReferenceTypes.HasSubtype);
    private static readonly NodeId HasEncoding = new(StandardIds.ReferenceTypes.HasEncoding);

    private Dictionary<NodeId, Fingerprint> _served = [];

    /// <summary>The types among them; those of NodeSets, which stay, are not held.</summary>
    private HashSet<NodeId> _held = [];

    /// <summary>Of the map's upstream: types that differ from those that are served under their ids.</summary>
    private (NamespaceMap? Map, IReadOnlyCollection<NodeId> Types) _moved = (null, []);

    /// <summary>Of the browses from the next one on.</summary>
    public int MaxNodes { get; set; } = maxNodes;

    /// <summary>Objects and Views that have events there have them here.</summary>
    public bool PassesEvents { get; set; }

    /// <returns>Unmapped: nodes whose namespace got no index, and which are left out.</returns>
    /// <param name="space">Of the browse.</param>
    /// <param name="map">Of the session.</param>
    /// <param name="aliases">Ids that the upstream had before, and those of now: they are served on, without a place
    /// below the upstream's root.</param>
    public MergeResult Merge(
        BrowsedSpace space, NamespaceMap map, IReadOnlyList<(NodeId Was, NodeId Is)>? aliases = null)
    {
        lock (shared.Merging)
            return MergeUnderLock(space, map, aliases ?? []);
    }

    private MergeResult MergeUnderLock(
        BrowsedSpace space, NamespaceMap map, IReadOnlyList<(NodeId Was, NodeId Is)> aliases)
    {
        var sharing = new ModelSharing(space, nodes, map, shared, _held);
        sharing.Settle(ReferenceEquals(_moved.Map, map) ? _moved.Types : []);
        _moved = (map, sharing.Moved);
        var batch = new NodeBatch();
        var definitions = new DefinitionTranslator(space, nodes, map);
        var served = new Dictionary<NodeId, Fingerprint>(space.Nodes.Count);
        var (added, held) = (new HashSet<NodeId>(), new HashSet<NodeId>());
        var unmapped = 0;
        foreach (var node in space.Nodes.Values)
        {
            var definition = definitions.Translate(node.Definition);
            if (!TryTranslate(space, node, map, definition, out var found, ref unmapped) ||
                !served.TryAdd(found.NodeId, Fingerprint.Of(found, node.IsModel)))
                continue;
            var id = found.NodeId;
            var isFree = IsOurs(id) || nodes.Find(id).IsNone;
            if (node.IsModel && (isFree || shared.HoldersOf(id) > 0))
                held.Add(id);
            if (!node.IsModel || isFree)
                Take(batch, node, found, served[id], added);
        }

        // Before the nodes are there, and asked for.
        map.SetAliases(aliases);
        var others = TakeAliases(batch, space, map, served, added);
        var removed = RemoveMissing(batch, space, served, held);
        AddReferences(batch, space, map, served, added, others);
        RenewTypes(batch, space, map, served, added, others);
        try
        {
            if (!batch.IsEmpty)
                nodes.Apply(batch);
        }
        finally
        {
            // Where a listener failed they exist all the same, and at the next connect they have to be known.
            if (batch.IsApplied || batch.IsEmpty)
                HoldUnderLock(served, held);
        }

        SetFixedValues(space, map, served, others);
        return new MergeResult(batch.Count, removed, unmapped, sharing.Differing, sharing.FirstDiffering);
    }

    /// <summary>Adds the node, or updates the one that is there.</summary>
    private void Take(
        NodeBatch batch, BrowsedNode node, in TranslatedNode found, Fingerprint now, HashSet<NodeId> added)
    {
        var id = found.NodeId;
        var isKnown = _served.TryGetValue(id, out var before);
        if (isKnown && before.Identity == now.Identity)
        {
            if (before.Looks != now.Looks)
                batch.Update(nodes.Find(id), found.Definition);
            return;
        }

        if (isKnown)
            batch.Remove(nodes.Find(id));
        batch.AddNode(found.Definition with { Source = node.FixedValue is null ? source : fixedSource });
        if (node.NodeClass is NodeClass.Object or NodeClass.Variable)
            batch.AddReference(id, HasTypeDefinition, found.Type);
        added.Add(id);
    }

    /// <returns>The other ids here, by the upstream's id of now.</returns>
    private ILookup<NodeId, NodeId> TakeAliases(
        NodeBatch batch, BrowsedSpace space, NamespaceMap map, Dictionary<NodeId, Fingerprint> served,
        HashSet<NodeId> added)
    {
        var taken = new List<(NodeId Is, NodeId Local)>();
        foreach (var (local, present) in map.Aliases)
        {
            var unmapped = 0;
            if (!space.Nodes.TryGetValue(present, out var node) || node.IsModel ||
                (!_served.ContainsKey(local) && !nodes.Find(local).IsNone) ||
                !TryTranslate(space, node, map, null, out var found, ref unmapped))
                continue;
            // It is the same node, for the same users, also where the namespace of the old id has no rules (R36).
            var rule = nodes.GetAccessRule(found.Definition.NodeId);
            var other = found with
            {
                Definition = found.Definition with
                {
                    NodeId = local,
                    RolePermissions = rule.RolePermissions,
                    AccessRestrictions = rule.Restrictions,
                },
            };
            if (!served.TryAdd(local, Fingerprint.Of(other, isModel: false).AliasOf(present)))
                continue;
            Take(batch, node, other, served[local], added);
            taken.Add((present, local));
        }

        return taken.ToLookup(static one => one.Is, static one => one.Local);
    }

    /// <summary>Of a node that is there: nobody else serves it. A type that another upstream or a NodeSet serves, too,
    /// stays as it is, because clients of both use it.</summary>
    private bool IsOurs(NodeId id) => _held.Contains(id)
        ? shared.HoldersOf(id) <= 1
        : _served.TryGetValue(id, out var before) && !before.IsModel;

    private int RemoveMissing(
        NodeBatch batch, BrowsedSpace space, Dictionary<NodeId, Fingerprint> served, HashSet<NodeId> held)
    {
        var removed = 0;
        foreach (var (id, before) in _served)
        {
            if (served.ContainsKey(id) || nodes.Find(id) is { IsNone: true })
                continue;
            if (space.Unbrowsed > 0 && served.Count < MaxNodes)
            {
                // It may lie where the upstream could not be browsed.
                served.Add(id, before);
                if (_held.Contains(id))
                    held.Add(id);
                continue;
            }

            removed += Remove(batch, id, before) ? 1 : 0;
        }

        return removed;
    }

    /// <summary>False: others have it, too.</summary>
    private bool Remove(NodeBatch batch, NodeId id, in Fingerprint before)
    {
        var gone = nodes.Find(id);
        if (gone.IsNone || !IsOurs(id))
            return false;
        batch.Remove(gone);
        if (before.NodeClass == NodeClass.Variable)
            values.Set(gone, new DataValue(StatusCodes.BadNodeIdUnknown));
        return true;
    }

    private void HoldUnderLock(Dictionary<NodeId, Fingerprint> served, HashSet<NodeId> held)
    {
        foreach (var id in held)
        {
            if (!_held.Contains(id))
                shared.Hold(id);
        }

        foreach (var id in _held)
        {
            if (!held.Contains(id))
                shared.Leave(id);
        }

        // With the table's own ids: the browse's are not kept beside them.
        _served = new Dictionary<NodeId, Fingerprint>(served.Count);
        foreach (var (id, facts) in served)
            _served[nodes.Find(id) is { IsNone: false } node ? nodes.GetNodeId(node) : id] = facts;
        _held = held;
    }

    /// <summary>The upstream does not come back: its nodes and its root go. Items on them report Bad_NodeIdUnknown.
    /// </summary>
    public void RemoveAll()
    {
        lock (shared.Merging)
        {
            var batch = new NodeBatch();
            foreach (var (id, before) in _served)
                Remove(batch, id, before);
            if (nodes.Find(root) is { IsNone: false } top)
                batch.Remove(top);
            HoldUnderLock([], []);
            nodes.Apply(batch);
        }
    }

    /// <summary>How many nodes are served.</summary>
    public int Count => _served.Count;

    /// <summary>With the gateway's ids, without a source.</summary>
    private bool TryTranslate(
        BrowsedSpace space, BrowsedNode node, NamespaceMap map, DataTypeDefinition? definition,
        out TranslatedNode found, ref int unmapped)
    {
        var mapper = new ValueMapper(map, toLocal: true);
        var id = mapper.Map(node.Id);
        var isNotifier = node is { IsNotifier: true, IsModel: false } && PassesEvents;
        found = new TranslatedNode(
            new NodeDefinition
            {
                NodeId = id,
                NodeClass = node.NodeClass,
                BrowseName = mapper.Map(node.BrowseName),
                DisplayName = node.DisplayName,
                Description = node.Description,
                Variable = node.Facts with { DataType = mapper.Map(node.Facts.DataType) },
                IsAbstract = node.IsAbstract,
                Symmetric = node.Symmetric,
                InverseName = node.InverseName,
                EventNotifier = isNotifier ? EventNotifierType.SubscribeToEvents : EventNotifierType.None,
                HasOwnEvents = isNotifier,
                DataTypeDefinition = definition,
                Executable = node.Executable,
            },
            TypeOf(node, map, space));
        unmapped += mapper.Failed ? 1 : 0;
        return !mapper.Failed && (node.IsModel || _served.ContainsKey(id) || nodes.Find(id).IsNone);
    }

    /// <summary>Its own, which comes with the same browse; a type that is not there becomes the base type.</summary>
    private NodeId TypeOf(BrowsedNode node, NamespaceMap map, BrowsedSpace space)
    {
        var type = node.TypeDefinition;
        if (type.NamespaceIndex != 0 && space.Nodes.ContainsKey(type) && map.TryToLocal(type, out var own))
            return own;
        if (type is { NamespaceIndex: 0, IsNull: false } && !nodes.Find(type).IsNone)
            return type;
        if (node.NodeClass == NodeClass.Object)
            return new NodeId(StandardIds.ObjectTypes.BaseObjectType);
        return new NodeId(node.IsProperty
            ? StandardIds.VariableTypes.PropertyType
            : StandardIds.VariableTypes.BaseDataVariableType);
    }

    private void AddReferences(
        NodeBatch batch, BrowsedSpace space, NamespaceMap map, Dictionary<NodeId, Fingerprint> served,
        HashSet<NodeId> added, ILookup<NodeId, NodeId> others)
    {
        var gone = _served.Count > 0 && space.Unbrowsed == 0 ? new GoneReferences(nodes) : null;
        foreach (var reference in space.References)
        {
            var source = reference.Source.IsNull ? root : LocalOf(reference.Source, map);
            var target = LocalOf(reference.Target, map);
            // One of the ends may be the standard's.
            if (!IsServed(source, served) || !IsServed(target, served) ||
                !TryGetType(reference, map, served, out var type) || !MayAdd(source, type, target, added))
                continue;
            Add(source, type, target);
            // A client with an old id finds what is below it, by old ids where there are some.
            foreach (var other in reference.Source.IsNull ? [] : others[reference.Source])
                Add(other, type, others[reference.Target].FirstOrDefault(target));
        }

        // Where the upstream could not be browsed, nobody knows.
        gone?.Find(
            batch, root, [.. served.Keys.Where(one => !added.Contains(one) && IsOurs(one))],
            one => IsServed(one, served));

        void Add(NodeId source, NodeId type, NodeId target)
        {
            gone?.Keep(source, type, target);
            var isNewEnd = added.Contains(source) || added.Contains(target);
            var isThere = !isNewEnd && IsThere(source, type, target);
            // Its type becomes another node under the same id: the reference would stay with the one that goes.
            if (isThere && added.Contains(type))
                batch.RemoveReference(nodes.Find(source), nodes.Find(type), nodes.Find(target));
            if (!isThere || added.Contains(type))
                batch.AddReference(source, type, target);
        }
    }

    /// <summary>A type that becomes another node under the same id takes the HasTypeDefinition of its instances along.
    /// </summary>
    private void RenewTypes(
        NodeBatch batch, BrowsedSpace space, NamespaceMap map, Dictionary<NodeId, Fingerprint> served,
        HashSet<NodeId> added, ILookup<NodeId, NodeId> others)
    {
        foreach (var node in space.Nodes.Values)
        {
            if (node.NodeClass is not (NodeClass.Object or NodeClass.Variable) ||
                !map.TryToLocal(node.Id, out var id) || TypeOf(node, map, space) is var type && !added.Contains(type))
                continue;
            foreach (var one in others[node.Id].Prepend(id))
            {
                if (served.ContainsKey(one) && !added.Contains(one) && IsOurs(one))
                    batch.AddReference(one, HasTypeDefinition, type);
            }
        }
    }

    /// <summary>Which type is whose subtype, and its encodings, only the upstream says whose node it is: values of
    /// others are read by it.</summary>
    private bool MayAdd(NodeId source, NodeId type, NodeId target, HashSet<NodeId> added)
    {
        if (type == HasSubtype)
            return added.Contains(target) || IsOurs(target);
        return type != HasEncoding ||
            ((added.Contains(source) || IsOurs(source)) && (added.Contains(target) || IsOurs(target)));
    }

    /// <summary>Null: it is not served.</summary>
    private static NodeId LocalOf(NodeId id, NamespaceMap map) => map.TryToLocal(id, out var local) ? local : default;

    private bool IsServed(NodeId id, Dictionary<NodeId, Fingerprint> served) =>
        !id.IsNull && (id == root || (id.NamespaceIndex == 0 ? !nodes.Find(id).IsNone : served.ContainsKey(id)));

    /// <summary>Looks at the end with fewer references: a type may have as many as it has instances.</summary>
    private bool IsThere(NodeId source, NodeId referenceType, NodeId target)
    {
        var (from, to, type) = (nodes.Find(source), nodes.Find(target), nodes.Find(referenceType));
        var (forward, inverse) = (nodes.References(from), nodes.References(to));
        var isForward = forward.Count <= inverse.Count;
        foreach (var reference in isForward ? forward : inverse)
        {
            if (reference.IsForward == isForward && reference.ReferenceType == type &&
                reference.Target == (isForward ? to : from))
                return true;
        }

        return false;
    }

    /// <summary>Below the upstream's object all is organized; else its own type, which has come with the same browse.
    /// </summary>
    private bool TryGetType(
        in BrowsedReference reference, NamespaceMap map, Dictionary<NodeId, Fingerprint> served, out NodeId type)
    {
        type = reference.Source.IsNull
            ? new NodeId(StandardIds.ReferenceTypes.Organizes)
            : LocalOf(reference.ReferenceType, map);
        return IsServed(type, served);
    }

    private void SetFixedValues(
        BrowsedSpace space, NamespaceMap map, Dictionary<NodeId, Fingerprint> served, ILookup<NodeId, NodeId> others)
    {
        foreach (var node in space.Nodes.Values)
        {
            if (node.FixedValue is not { } value || !map.TryToLocal(node.Id, out var id) || !served.ContainsKey(id))
                continue;
            var handle = nodes.Find(id);
            // A NodeSet's type has the value that the NodeSet gives it.
            if (handle.IsNone || (node.IsModel && !_held.Contains(id)))
                continue;
            var mapped = map.ToLocal(value with { ServerTimestamp = default });
            var before = values.Read(handle);
            // One without a time was never set. Another time alone is no change: a server may tell the present one.
            if (before.SourceTimestamp == default || before.Value != mapped.Value || before.Status != mapped.Status)
                values.Set(handle, mapped);
            foreach (var other in others[node.Id])
                values.Set(nodes.Find(other), mapped);
        }
    }
}
