using System.Runtime.InteropServices;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Nodes;

/// <summary>
/// Applies a batch under the table's lock, in the order that keeps concurrent readers right: records, references of new
/// nodes, then the new nodes become findable, then the references of nodes that were there before. Removals first: out
/// of sight, then out of their neighbours' references; then references between nodes that stay.
/// </summary>
internal sealed class NodeTableWriter(
    NodeTable table,
    NodeRecords records,
    NodeIndex index,
    ReferenceArena references,
    FactsTable facts,
    TypeHierarchy types)
{
    private static readonly NodeId HasEncoding = new(StandardIds.ReferenceTypes.HasEncoding);
    private static readonly NodeId HasSubtype = new(StandardIds.ReferenceTypes.HasSubtype);
    private static readonly NodeId HasTypeDefinition = new(StandardIds.ReferenceTypes.HasTypeDefinition);

    public int ApplyUnderLock(NodeBatch batch)
    {
        Check(batch);
        Hide(batch);
        var isAboutDataTypes = IsAboutDataTypes(batch);
        var removed = Remove(batch.Removals, batch.Effects);
        RemoveReferences(batch.GoneReferences, batch.Effects);
        var first = records.End;
        AddRecords(batch.Nodes);
        var edges = new EdgeList(records, references, first);
        var dropped = AddEdges(batch.References, edges);
        edges.Sort();
        edges.WriteNew(first);
        LearnTypes(edges);
        Update(batch);
        NoteGained(edges, first, batch.Effects);
        facts.Resolve(BuiltInTypeOf);
        for (var i = first; i < records.End; i++)
            Volatile.Write(ref records[i].Flags, (byte)(records[i].Flags & ~NodeRecord.Pending));
        edges.WriteOld(first);
        table.CountUnderLock(batch.Nodes.Count, removed);
        // Last: what was made of the DataTypes while they changed is made again.
        if (isAboutDataTypes)
            table.ChangeDataTypesUnderLock();
        return dropped;
    }

    /// <summary>Asked before the removals, which take the references.</summary>
    private bool IsAboutDataTypes(NodeBatch batch) =>
        batch.Nodes.Exists(static node => node.NodeClass == NodeClass.DataType) ||
        batch.Updates.Exists(static node => node.NodeClass == NodeClass.DataType) ||
        batch.References.Exists(static one => IsOfDataTypes(one.ReferenceType)) ||
        batch.GoneReferences.Exists(one => IsOfDataTypes(table.GetNodeId(one.ReferenceType))) ||
        batch.Removals.Exists(IsOfDataTypes);

    private static bool IsOfDataTypes(NodeId referenceType) =>
        referenceType == HasEncoding || referenceType == HasSubtype;

    private bool IsOfDataTypes(NodeHandle node)
    {
        if (table.GetNodeClass(node) != NodeClass.Object)
            return table.GetNodeClass(node) == NodeClass.DataType;
        foreach (var reference in table.References(node))
        {
            if (table.GetNodeId(reference.ReferenceType) == HasEncoding)
                return true;
        }

        return false;
    }

    private void Check(NodeBatch batch)
    {
        var removals = batch.Removals.ToHashSet();
        var added = new HashSet<NodeId>(batch.Nodes.Count);
        foreach (var node in batch.Nodes)
        {
            if (node.NodeId.IsNull)
                throw new ArgumentException($"The node '{node.BrowseName}' has no NodeId.");
            if (node.NodeId.NamespaceIndex >= table.Namespaces.Count)
                throw new ArgumentException($"The namespace of node '{node.NodeId}' is not registered.");
            var existing = new NodeHandle(index.Find(node.NodeId));
            if (!added.Add(node.NodeId) || (!existing.IsNone && !removals.Contains(existing)))
                throw new ArgumentException($"The node '{node.NodeId}' is there already.");
        }

        for (var i = 0; i < batch.Updates.Count; i++)
        {
            var (node, update) = (batch.UpdatedNodes[i], batch.Updates[i]);
            if (!table.Exists(node) || removals.Contains(node) || table.GetNodeId(node) != update.NodeId ||
                table.GetNodeClass(node) != update.NodeClass || table.GetBrowseName(node) != update.BrowseName)
                throw new ArgumentException($"The node '{update.NodeId}' cannot be updated.");
        }
    }

    /// <summary>A rule that comes is in force before all else of its batch: what is noted of references goes by it.
    /// </summary>
    private void Hide(NodeBatch batch)
    {
        for (var i = 0; i < batch.Updates.Count; i++)
        {
            ref var record = ref records[batch.UpdatedNodes[i].Index];
            Volatile.Write(ref record.Flags, (byte)(record.Flags | (Flags(batch.Updates[i]) & NodeRecord.Ruled)));
        }
    }

    /// <summary>One word at a time: a reader sees each attribute as it was or as it is.</summary>
    private void Update(NodeBatch batch)
    {
        for (var i = 0; i < batch.Updates.Count; i++)
        {
            ref var record = ref records[batch.UpdatedNodes[i].Index];
            var update = batch.Updates[i];
            Volatile.Write(ref record.Extra, NodeExtras.For(update));
            if (update.NodeClass is NodeClass.Variable or NodeClass.VariableType &&
                facts[record.Facts].DataType != update.Variable.DataType)
                batch.Effects.OtherDataTypes.Add(batch.UpdatedNodes[i]);
            Volatile.Write(ref record.Facts, FactsOf(update));
            Volatile.Write(ref record.Flags, (byte)(Flags(update) & ~NodeRecord.Pending));
            if (update.Source is not null)
                Volatile.Write(ref record.Source, table.SourceIndexUnderLock(update.Source));
        }
    }

    private int FactsOf(NodeDefinition node) => node.NodeClass is NodeClass.Variable or NodeClass.VariableType
        ? facts.GetOrAdd(table.IsModel ? node.Variable : Promises.Kept(node.Variable))
        : (int)(table.IsModel ? node.EventNotifier : Promises.Kept(node.EventNotifier, node.HasOwnEvents));

    private void AddRecords(List<NodeDefinition> nodes)
    {
        index.Reserve(nodes.Count);
        var strings = new Dictionary<string, string>(StringComparer.Ordinal);
        foreach (var node in nodes)
        {
            var name = Shared(strings, node.BrowseName.Name ?? string.Empty);
            var record = new NodeRecord
            {
                Identifier = node.NodeId.IdType switch
                {
                    IdType.Numeric => null,
                    IdType.String => Shared(strings, node.NodeId.String!),
                    IdType.Guid => node.NodeId.Guid,
                    _ => node.NodeId.Opaque,
                },
                Name = name,
                Extra = NodeExtras.For(node),
                Numeric = node.NodeId.Numeric,
                Facts = FactsOf(node),
                NamespaceIndex = node.NodeId.NamespaceIndex,
                BrowseNamespaceIndex = node.BrowseName.NamespaceIndex,
                Source = table.SourceIndexUnderLock(node.Source),
                Class = (byte)node.NodeClass,
                Flags = Flags(node),
            };
            index.Put(node.NodeId, records.Add(record));
            if (node.Texts is not null)
                table.LearnLocalesUnderLock(node.Texts);
        }
    }

    private static string Shared(Dictionary<string, string> strings, string text)
    {
        if (strings.TryGetValue(text, out var known))
            return known;
        strings.Add(text, text);
        return text;
    }

    private byte Flags(NodeDefinition node)
    {
        var ruled = node.RolePermissions is { Length: > 0 } || node.AccessRestrictions is not (null or 0) ||
            table.HasDefaultRule(node.NodeId.NamespaceIndex);
        var classFlag = node.NodeClass switch
        {
            NodeClass.Method => node.Executable,
            NodeClass.ReferenceType => node.Symmetric,
            NodeClass.View => node.ContainsNoLoops,
            _ => false,
        };
        return (byte)((byte)node.NodeId.IdType | NodeRecord.Pending | (node.IsAbstract ? NodeRecord.Abstract : 0) |
            (classFlag ? NodeRecord.ClassFlag : 0) | (ruled ? NodeRecord.Ruled : 0));
    }

    private int AddEdges(List<BatchReference> added, EdgeList edges)
    {
        var dropped = 0;
        foreach (var reference in added)
        {
            var source = Present(reference.Source);
            var type = Present(reference.ReferenceType);
            if (source == 0 || type == 0)
                dropped++;
            else if (TryLocal(reference.Target, out var local))
                dropped += edges.Add(source, type, reference.IsForward, Present(local)) ? 0 : 1;
            else
                edges.AddExternal(source, PackedReference.PackExternal(
                    type, reference.IsForward, table.AddExternalUnderLock(reference.Target)));
        }

        return dropped;
    }

    /// <summary>Live, or being added by this batch.</summary>
    private int Present(NodeId id)
    {
        var found = index.FindAny(id);
        return found != 0 && (records[found].Flags & NodeRecord.Removed) == 0 ? found : 0;
    }

    private bool TryLocal(ExpandedNodeId target, out NodeId local)
    {
        local = target.NodeId;
        if (target.ServerIndex != 0)
            return false;
        if (string.IsNullOrEmpty(target.NamespaceUri))
            return true;
        if (!table.Namespaces.TryGetIndex(target.NamespaceUri, out var namespaceIndex))
            return false;
        local = target.NodeId.WithNamespace(namespaceIndex);
        return true;
    }

    private void NoteGained(EdgeList edges, int first, NodeEffects effects)
    {
        var hasTypeDefinition = index.FindAny(HasTypeDefinition);
        foreach (var (node, entry) in edges.All)
        {
            if (node < first && !IsSecret(node, entry) &&
                !IsToldByInstance(node, entry, hasTypeDefinition, PackedReference.Target(entry) >= first))
                effects.GainedReferences.Add(new NodeHandle(node));
        }
    }

    /// <summary>A type sees its instance. One that stays tells nothing of a type with an access rule: then the type
    /// does.</summary>
    private bool IsToldByInstance(int type, ulong entry, int hasTypeDefinition, bool comesOrGoes) =>
        !PackedReference.IsForward(entry) && PackedReference.ReferenceType(entry) == hasTypeDefinition &&
        (comesOrGoes || !IsSecret(PackedReference.Target(entry), type));

    /// <summary>It leads from a node that everybody may see to one with an access rule (R36).</summary>
    private bool IsSecret(int node, ulong entry) => IsSecret(node, PackedReference.Target(entry));

    private bool IsSecret(int node, int target) =>
        (records[node].Flags & NodeRecord.Ruled) == 0 && (records[target].Flags & NodeRecord.Ruled) != 0;

    private void LearnTypes(EdgeList edges)
    {
        var hasSubtype = index.FindAny(HasSubtype);
        foreach (var (node, entry) in edges.All)
        {
            if (PackedReference.ReferenceType(entry) == hasSubtype && !PackedReference.IsForward(entry))
                types.Set(node, PackedReference.Target(entry));
        }
    }

    private BuiltInType BuiltInTypeOf(NodeId dataType)
    {
        var node = Present(dataType);
        for (var depth = 0; node != 0 && depth < TypeHierarchy.MaxDepth; depth++)
        {
            if (NodeTable.TryGetBuiltInType(records[node].NodeId, out var type))
                return type;
            node = types.SuperType(node);
        }

        return BuiltInType.Null;
    }

    private int Remove(List<NodeHandle> removals, NodeEffects effects)
    {
        var hasTypeDefinition = index.FindAny(HasTypeDefinition);
        var gone = new HashSet<int>();
        foreach (var node in removals)
        {
            if (!table.Exists(node) || !gone.Add(node.Index))
                continue;
            ref var record = ref records[node.Index];
            Volatile.Write(ref record.Flags, (byte)(record.Flags | NodeRecord.Removed));
            types.Remove(node.Index);
        }

        var neighbours = new HashSet<int>();
        foreach (var node in gone)
        {
            var type = 0;
            foreach (var entry in references.Read(ref records[node].References))
            {
                if (PackedReference.IsForward(entry) && PackedReference.ReferenceType(entry) == hasTypeDefinition)
                    type = PackedReference.Target(entry);
                if (PackedReference.Target(entry) is var target && target != 0 && !gone.Contains(target))
                    neighbours.Add(target);
            }

            references.Replace(ref records[node].References, default);
            effects.Removed.Add(new NodeHandle(node), new NodeHandle(type));
        }

        foreach (var node in neighbours)
            Keep(node, entry => !gone.Contains(PackedReference.Target(entry)), effects);
        return gone.Count;
    }

    private void RemoveReferences(List<GoneReference> removals, NodeEffects effects)
    {
        var gone = new Dictionary<int, HashSet<ulong>>();
        foreach (var (source, type, target) in removals)
        {
            var entry = PackedReference.Pack(type.Index, true, target.Index);
            Add(source.Index, entry);
            Add(target.Index, PackedReference.Opposite(entry, source.Index));
        }

        // Each end is written once, however many of its references go.
        foreach (var (node, entries) in gone)
            Keep(node, entry => !entries.Contains(entry), effects);

        void Add(int node, ulong entry)
        {
            if (!gone.TryGetValue(node, out var entries))
                gone[node] = entries = [];
            entries.Add(entry);
        }
    }

    /// <summary>The other references of the node go.</summary>
    private void Keep(int node, Predicate<ulong> stays, NodeEffects effects)
    {
        var hasTypeDefinition = index.FindAny(HasTypeDefinition);
        var kept = new List<ulong>();
        var count = 0;
        foreach (var entry in references.Read(ref records[node].References))
        {
            count++;
            if (stays(entry))
            {
                kept.Add(entry);
                continue;
            }

            if (!PackedReference.IsForward(entry) && types.SuperType(node) == PackedReference.Target(entry) &&
                records[PackedReference.ReferenceType(entry)].NodeId == HasSubtype)
                types.Remove(node);
            var isGone = (records[PackedReference.Target(entry)].Flags & NodeRecord.Removed) != 0;
            if (!IsSecret(node, entry) && !IsToldByInstance(node, entry, hasTypeDefinition, isGone))
                effects.LostReferences.Add(new NodeHandle(node));
        }

        if (kept.Count < count)
            references.Replace(ref records[node].References, CollectionsMarshal.AsSpan(kept));
    }
}
