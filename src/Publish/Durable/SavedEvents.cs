using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Filters;
using Gateway.Publish.Items;

namespace Gateway.Publish.Durable;

/// <summary>The rest of an item for events in its file: beside its queue, and not once for each entry.
/// <code>
/// flags | count | count × (URI of a namespace | NodeId without it)
/// </code>
/// The NodeIds are those of sources with access rules: whoever takes the item over must be allowed to receive their
/// events (R36).
/// </summary>
internal readonly record struct SavedEvents(EventItemNotes Notes, IReadOnlyList<(string? Uri, NodeId Id)> Sources)
{
    /// <summary>A uri and a NodeId have two bytes at least.</summary>
    private const int LeastBytes = 2;

    public static void Write(ref UaBinaryWriter writer, EventItem watch, NodeTable nodes)
    {
        var sources = watch.GuardedSources;
        writer.WriteByte((byte)watch.Notes);
        var restored = watch.RestoredSources?.Ids ?? [];
        writer.WriteInt32(sources.Count + restored.Count);
        foreach (var (uri, id) in restored)
        {
            writer.WriteString(uri);
            writer.WriteNodeId(id);
        }

        foreach (var source in sources)
        {
            var id = nodes.GetNodeId(source);
            writer.WriteString(nodes.Namespaces.GetUri(id.NamespaceIndex));
            writer.WriteNodeId(id.WithNamespace(0));
        }
    }

    public static SavedEvents Read(ref UaBinaryReader reader)
    {
        var notes = (EventItemNotes)reader.ReadByte();
        var sources = new (string? Uri, NodeId Id)[Math.Max(0, reader.ReadArrayLength(LeastBytes))];
        foreach (ref var source in sources.AsSpan())
            source = (reader.ReadString(), reader.ReadNodeId());
        return new SavedEvents(notes, sources);
    }

    /// <summary>Null: it is no filter, or the gateway has no room for one more.</summary>
    /// <param name="engine">Compiles it.</param>
    /// <param name="filter">As it was encoded.</param>
    /// <param name="holder">The client.</param>
    public static CompiledFilter? TakeFilter(PublishEngine engine, ReadOnlySpan<byte> filter, string holder)
    {
        var reader = new UaBinaryReader(filter);
        var decoded = reader.ReadStructure<EventFilter>();
        if (reader.Failed)
            return null;
        var verdict = engine.Events.Take(decoded, holder);
        return verdict.Status.IsBad ? null : verdict.Filter;
    }
}
