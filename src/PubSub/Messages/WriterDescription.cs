using Gateway.Codec.Structures;

namespace Gateway.PubSub.Messages;

/// <summary>The common parts of a DataSetWriter's messages. A change of its DataSet makes a new one. Immutable.
/// Source: Part 14 §6.2.4, §6.3.1.3, §6.3.2.3.</summary>
public sealed record WriterDescription
{
    public required string Name { get; init; }

    /// <summary>Unique within the PublisherId, not 0.</summary>
    public required ushort DataSetWriterId { get; init; }

    /// <summary>With its ConfigurationVersion.</summary>
    public required DataSetMetaDataType MetaData { get; init; }

    /// <summary>None: Variants. RawData: raw values. Otherwise DataValues with the members named.</summary>
    public DataSetFieldContentMask FieldContentMask { get; init; }

    public JsonDataSetMessageContentMask JsonMask { get; init; }

    public UadpDataSetMessageContentMask UadpMask { get; init; }

    /// <summary>Its messages are key frames, as RawData in UADP demands it.</summary>
    public bool HasKeyFramesOnly { get; init; }

    /// <summary>Each publishing interval has a key frame.</summary>
    public bool IsPeriodic { get; init; }

    /// <summary>Bytes that each of its UADP messages takes, filled up with zeros; a larger one is not written. 0: what
    /// it needs. Source: Part 14 §6.3.1.3.3.</summary>
    public ushort UadpConfiguredSize { get; init; }
}
