using System.Buffers.Binary;
using System.Security.Cryptography;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Events.Model;

/// <summary>Builds events of the gateway itself. Thread-safe. Source: Part 5 §6.4.2.</summary>
public sealed class EventMaker(NodeTable nodes, TimeProvider time)
{
    private const int EventIdBytes = 16;

    /// <summary>Not the one of another process: an EventId names one event for ever.</summary>
    private readonly ulong _process = BinaryPrimitives.ReadUInt64LittleEndian(RandomNumberGenerator.GetBytes(8));
    private long _last;

    /// <param name="layout">One of <see cref="StandardEvents"/>.</param>
    /// <param name="source">The node that the event is about; None: the Server object.</param>
    /// <param name="sourceName">Null: the node's DisplayName.</param>
    /// <param name="message">In English.</param>
    /// <param name="severity">1 to 1000.</param>
    public EventRecord Make(
        EventLayout layout, NodeHandle source, string? sourceName, string message, ushort severity)
    {
        if (source.IsNone)
            source = nodes.Find(new NodeId(StandardIds.Objects.Server));
        var now = time.GetUtcNow().UtcDateTime;
        var isThere = nodes.Exists(source);
        return new EventRecord(
            layout,
            [
                Variant.FromByteString(NextEventId()),
                new Variant(layout.EventType),
                new Variant(isThere ? nodes.GetNodeId(source) : NodeId.Null),
                new Variant(sourceName ?? (isThere ? nodes.GetDisplayName(source).Text : null)),
                new Variant(now),
                new Variant(now),
                new Variant(new LocalizedText(message, "en")),
                new Variant(severity),
            ],
            source);
    }

    /// <summary>Of one event alone, over all processes.</summary>
    public byte[] NextEventId()
    {
        var id = new byte[EventIdBytes];
        BinaryPrimitives.WriteUInt64LittleEndian(id, _process);
        BinaryPrimitives.WriteInt64BigEndian(id.AsSpan(sizeof(ulong)), Interlocked.Increment(ref _last));
        return id;
    }
}
