using System.Buffers.Binary;
using System.Security.Cryptography;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Types;

namespace Gateway.Events.Model;

/// <summary>Builds events of the gateway itself. Thread-safe. Source: Part 5 §6.4.2.</summary>
public sealed class EventMaker(NodeTable nodes, TimeProvider time)
{
    public const int EventIdBytes = 16;

    private static readonly NodeId ServerId = new(StandardIds.Objects.Server);

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
            source = nodes.Find(ServerId);
        var isThere = nodes.Exists(source);
        var values = new Variant[layout.Fields.Count];
        FillBase(
            values, layout, isThere ? nodes.GetNodeId(source) : NodeId.Null,
            sourceName ?? (isThere ? nodes.GetDisplayName(source).Text : null), message, severity);
        return new EventRecord(layout, values, source);
    }

    /// <summary>An event that goes to the notifier of all alone, wherever its node is.</summary>
    /// <param name="layout">With fields of its own.</param>
    /// <param name="sourceNode">The node that the event is about.</param>
    /// <param name="sourceName">The part of it, or the service.</param>
    /// <param name="message">In English.</param>
    /// <param name="severity">1 to 1000.</param>
    /// <param name="own">The fields behind those of BaseEventType, in the order of the layout.</param>
    public EventRecord MakeForServer(
        EventLayout layout, NodeId sourceNode, string sourceName, string message, ushort severity,
        ReadOnlySpan<Variant> own)
    {
        var values = new Variant[layout.Fields.Count];
        FillBase(values, layout, sourceNode.IsNull ? ServerId : sourceNode, sourceName, message, severity);
        own.CopyTo(values.AsSpan(StandardEvents.BaseFieldCount));
        return new EventRecord(layout, values, nodes.Find(ServerId));
    }

    private void FillBase(
        Variant[] values, EventLayout layout, NodeId sourceNode, string? sourceName, string message, ushort severity)
    {
        var now = time.GetUtcNow().UtcDateTime;
        values[0] = Variant.FromByteString(NextEventId());
        values[1] = new Variant(layout.EventType);
        values[2] = new Variant(sourceNode);
        values[3] = new Variant(sourceName);
        values[4] = new Variant(now);
        values[5] = new Variant(now);
        values[6] = new Variant(new LocalizedText(message, "en"));
        values[7] = new Variant(severity);
    }

    /// <summary>Of one event alone, over all processes.</summary>
    public byte[] NextEventId()
    {
        var id = new byte[EventIdBytes];
        FillEventId(id);
        return id;
    }

    /// <summary>The same into <see cref="EventIdBytes"/> that are there.</summary>
    public void FillEventId(Span<byte> id)
    {
        BinaryPrimitives.WriteUInt64LittleEndian(id, _process);
        BinaryPrimitives.WriteInt64BigEndian(id[sizeof(ulong)..], Interlocked.Increment(ref _last));
    }
}
