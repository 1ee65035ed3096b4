using Gateway.Store.Records;

namespace Gateway.Store;

/// <summary>A record in the consumer's hands. Its memory is the log's, and valid until the consumer ends it by
/// <see cref="StoreLog.Acknowledge"/>, <see cref="StoreLog.Return"/> or <see cref="StoreLog.Discard"/>.</summary>
public readonly record struct StoredMessage
{
    /// <summary>1 for the first record of a directory; never used again for another record that was offered.</summary>
    public long Sequence { get; internal init; }

    /// <summary>Of the append, UTC.</summary>
    public DateTime Time { get; internal init; }

    public ushort Writer { get; internal init; }

    public byte Kind { get; internal init; }

    public ReadOnlyMemory<byte> Topic { get; internal init; }

    public ReadOnlyMemory<byte> Payload { get; internal init; }

    internal static StoredMessage At(Block block, int offset)
    {
        var header = block.HeaderAt(offset);
        var topicAt = offset + RecordHeader.Bytes;
        var payloadAt = topicAt + header.TopicLength;
        return new StoredMessage
        {
            Sequence = header.Sequence,
            Time = new DateTime(header.Ticks, DateTimeKind.Utc),
            Writer = header.Writer,
            Kind = header.Kind,
            Topic = block.Array.AsMemory(topicAt, header.TopicLength),
            Payload = block.Array.AsMemory(payloadAt, offset + header.Length - payloadAt),
        };
    }
}
