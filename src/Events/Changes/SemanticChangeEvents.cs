using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;

namespace Gateway.Events.Changes;

/// <summary>
/// Tells clients that values of Variables mean something else, because a Property such as EURange or EngineeringUnits
/// has another value: one SemanticChangeEventType for all Variables since the last <see cref="Tell"/>, on the Server
/// object. One for each Variable with an access rule, by the rights on it (R36). Bounded (R01): above it, the
/// SemanticsChanged bit of the values says the rest. Nothing is kept while nobody listens. Threads: any. Lock order: a
/// leaf inside a shard's lock. Source: Part 3 §9.33, Part 5 §6.4.33, §12.17.
/// </summary>
public sealed class SemanticChangeEvents(EventHub hub, NodeTable nodes)
{
    private const ushort Severity = 100;

    private static readonly EventLayout Layout = StandardEvents.Of(
        StandardIds.ObjectTypes.SemanticChangeEventType,
        [new EventField(FieldPath.Of("Changes"), BuiltInType.ExtensionObject)]);

    private readonly Lock _lock = new();
    private readonly HashSet<NodeHandle> _changed = [];

    /// <summary>A Property of the Variable has changed. Several shards may say so of one change.</summary>
    public void Note(NodeHandle variable)
    {
        if (!hub.IsWatched)
            return;
        lock (_lock)
        {
            if (_changed.Count < ModelChangeSet.MaxChanges)
                _changed.Add(variable);
        }
    }

    /// <summary>Called about once a second, under no lock.</summary>
    public void Tell()
    {
        NodeHandle[] changed;
        lock (_lock)
        {
            changed = [.. _changed];
            _changed.Clear();
        }

        if (changed.Length == 0 || !hub.IsWatched)
            return;
        var (open, bytes) = (new List<ExtensionObject>(changed.Length), 0);
        foreach (var node in changed)
        {
            if (!nodes.Exists(node))
                continue;
            var change = Of(node);
            if (nodes.HasAccessRule(node))
                hub.Raise(Make([change]).WithSource(node));
            else if ((bytes += ModelChangeSet.BytesOfNeighbour(nodes.GetNodeId(node))) <= ModelChangeSet.MaxBytes)
                open.Add(change);
        }

        if (open.Count > 0)
            hub.Raise(Make([.. open]));
    }

    private ExtensionObject Of(NodeHandle node)
    {
        var type = ModelChangeSet.TypeOf(nodes, node);
        return new ExtensionObject(new SemanticChangeStructureDataType
        {
            Affected = nodes.GetNodeId(node),
            AffectedType = type.IsNone || nodes.HasAccessRule(type) ? NodeId.Null : nodes.GetNodeId(type),
        });
    }

    private EventRecord Make(ExtensionObject[] changes) => hub.Maker.MakeForServer(
        Layout, NodeId.Null, "Server", "Values have another meaning: a range, a unit or names of states", Severity,
        [Variant.FromArray(BuiltInType.ExtensionObject, changes)]);
}
