using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Delivery;
using Gateway.Events.Model;
using Verb = Gateway.Codec.Structures.ModelChangeStructureVerbMask;

namespace Gateway.Events.Changes;

/// <summary>
/// Tells clients that nodes or references have come or gone: one GeneralModelChangeEventType for all changes since the
/// last <see cref="Tell"/>, on the Server object, because the whole address space is the context. Where changes cannot
/// be named, because they are too many or because not everybody may see the nodes, a BaseModelChangeEventType says
/// that anything may have changed. Nothing is kept while nobody listens. Threads: any. Lock order: as a listener of
/// the table, under no lock; nothing is taken inside. Source: Part 3 §9.32, Part 5 §6.4.31, §6.4.32.
/// </summary>
public sealed class ModelChangeEvents(EventHub hub, NodeTable nodes) : INodeListener
{
    private const ushort Severity = 100;

    private static readonly EventLayout General = StandardEvents.Of(
        StandardIds.ObjectTypes.GeneralModelChangeEventType,
        [new EventField(FieldPath.Of("Changes"), BuiltInType.ExtensionObject)]);

    private static readonly EventLayout Base = StandardEvents.Of(StandardIds.ObjectTypes.BaseModelChangeEventType, []);

    private readonly Lock _lock = new();
    private readonly ModelChangeSet _changes = new(nodes);

    public void OnApplied(in NodeChanges changes)
    {
        if (!hub.IsWatched)
            return;
        lock (_lock)
            _changes.Add(changes);
    }

    /// <summary>Called about once a second.</summary>
    public void Tell()
    {
        List<ModelChangeStructureDataType>? changes;
        bool isAnything;
        lock (_lock)
        {
            if (_changes.IsEmpty)
                return;
            isAnything = _changes.IsAnything;
            changes = _changes.Take();
        }

        if (!hub.IsWatched)
            return;
        if (changes is { Count: > 0 })
            hub.Raise(hub.Maker.MakeForServer(
                General, NodeId.Null, "Server", InWords(changes), Severity, [ToVariant(changes)]));
        if (isAnything)
            hub.Raise(hub.Maker.MakeForServer(
                Base, NodeId.Null, "Server", "Nodes have changed: any of them may be another", Severity, []));
    }

    private static Variant ToVariant(List<ModelChangeStructureDataType> changes) => Variant.FromArray(
        BuiltInType.ExtensionObject, changes.ConvertAll(static one => new ExtensionObject(one)).ToArray());

    private static string InWords(List<ModelChangeStructureDataType> changes)
    {
        var added = Count(changes, Verb.NodeAdded);
        var removed = Count(changes, Verb.NodeDeleted);
        return added + removed == 0
            ? string.Create(CultureInfo.InvariantCulture, $"References of {changes.Count} nodes have changed")
            : string.Create(CultureInfo.InvariantCulture, $"Nodes added: {added}, removed: {removed}");
    }

    private static int Count(List<ModelChangeStructureDataType> changes, Verb verb) =>
        changes.Count(one => ((Verb)one.Verb & verb) != 0);
}
