using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;
using Gateway.Publish.Items;

namespace Gateway.Publish.Durable;

/// <summary>
/// Writes what has changed of an item. A NodeId has its namespace's URI, because indexes change over restarts.
/// <code>
/// Id | parts | [settings] | [last value] | [events] | First | bits of the first entry | Start | count | entries
/// </code>
/// Entries lie at the positions from Start on; what the file has from there on is no longer true, nor is what it has
/// before First.
/// </summary>
internal static class ItemRecord
{
    /// <summary>A larger last value is not kept: it may come again after a restart.</summary>
    private const int MaxLastBytes = 1024;

    /// <summary>One slice; the rest of the queue comes in the next one. Under the shard's lock.</summary>
    /// <param name="writer">Of a record of <see cref="SavedKind.Items"/>.</param>
    /// <param name="item">Of a durable subscription.</param>
    /// <param name="nodes">Where its node is.</param>
    /// <param name="end">Where in the buffer the slice had better end.</param>
    /// <param name="work">Entries that may be written; counted down.</param>
    /// <returns>True: all of it is written.</returns>
    public static bool Write(ref UaBinaryWriter writer, MonitoredItem item, NodeTable nodes, int end, ref int work)
    {
        var durable = item.ExtrasOrNull!.Durable!;
        var count = item.Queue.Count;
        var start = Math.Max(durable.First, durable.Saved);
        writer.WriteUInt32(item.Id);
        var parts = durable.HasNewSettings ? SavedParts.Settings : SavedParts.None;
        var isNewest = count > 0 && ReferenceEquals(item.Queue.At(count - 1).Value, item.Last);
        if (isNewest)
            parts |= SavedParts.LastIsNewest;
        else if (item.Last is { } last && DurableItem.BytesOf(last) <= MaxLastBytes)
            parts |= SavedParts.Last;
        var watch = item.ExtrasOrNull!.Event;
        if (watch is not null)
            parts |= SavedParts.Events;
        writer.WriteByte((byte)parts);
        if (parts.HasFlag(SavedParts.Settings))
            WriteSettings(ref writer, item, nodes);
        if (parts.HasFlag(SavedParts.Last))
            WriteValue(ref writer, item.Last!);
        if (watch is not null)
            SavedEvents.Write(ref writer, watch, nodes);
        writer.WriteInt64(durable.First);
        writer.WriteUInt16(count > 0 ? (ushort)item.Queue.Peek().Bits : (ushort)0);
        writer.WriteInt64(start);
        var countAt = writer.Position;
        writer.WriteInt32(0);
        var written = 0;
        for (; start + written < durable.End && work > 0 && (written == 0 || writer.Position < end); written++, work--)
        {
            var entry = item.Queue.At((int)(start + written - durable.First));
            writer.WriteUInt16((ushort)entry.Bits);
            WriteValue(ref writer, entry.Value);
        }

        writer.PatchUInt32(countAt, (uint)written);
        durable.OnSaved(start + written);
        work--;
        return start + written == durable.End;
    }

    private static void WriteSettings(ref UaBinaryWriter writer, MonitoredItem item, NodeTable nodes)
    {
        WriteNode(ref writer, item, nodes);
        writer.WriteUInt32(item.ClientHandle);
        writer.WriteByte((byte)item.Attribute);
        writer.WriteByte((byte)item.Mode);
        writer.WriteByte((byte)item.Timestamps);
        writer.WriteBoolean(item.DiscardOldest);
        writer.WriteInt32(item.Queue.Size);
        writer.WriteInt64(item.SamplingTicks);
        writer.WriteByte((byte)item.Condition.Trigger);
        writer.WriteDouble(item.Condition.AbsoluteDeadband);
        var extras = item.ExtrasOrNull!;
        writer.WriteDouble(extras.PercentDeadband);
        writer.WriteString(extras.Range.IsEmpty ? null : NumericRangeText.Format(extras.Range));
        writer.WriteInt32(extras.Triggered?.Count ?? 0);
        foreach (var triggered in extras.Triggered ?? [])
            writer.WriteUInt32(triggered.Id);
        writer.WriteByteString(extras.Event?.Filter.Key ?? ReadOnlySpan<byte>.Empty);
    }

    /// <summary>An item whose node has never come back has its NodeId from the file before.</summary>
    private static void WriteNode(ref UaBinaryWriter writer, MonitoredItem item, NodeTable nodes)
    {
        if (item.Node.IsNone)
        {
            var (uri, waiting) = item.ExtrasOrNull!.Durable!.MissingNode;
            writer.WriteString(uri);
            writer.WriteNodeId(waiting);
            return;
        }

        var id = nodes.GetNodeId(item.Node);
        writer.WriteString(nodes.Namespaces.GetUri(id.NamespaceIndex));
        writer.WriteNodeId(id.WithNamespace(0));
    }

    private static void WriteValue(ref UaBinaryWriter writer, SharedValue value)
    {
        writer.WriteByteString(value.EncodedVariant);
        writer.WriteStatusCode(value.Status);
        writer.WriteInt64(value.SourceTimestamp.Ticks);
        writer.WriteInt64(value.ServerTimestamp.Ticks);
        writer.WriteUInt16(value.SourcePicoseconds);
    }
}
