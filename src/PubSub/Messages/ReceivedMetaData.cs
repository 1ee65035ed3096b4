using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>The metadata of a DataSetWriter. Source: Part 14 §7.2.5.5.2.</summary>
public sealed record ReceivedMetaData : ReceivedMessage
{
    public required ushort DataSetWriterId { get; init; }

    public string? WriterGroupName { get; init; }

    public string? DataSetWriterName { get; init; }

    public DateTime? Timestamp { get; init; }

    public required DataSetMetaDataType MetaData { get; init; }
}
