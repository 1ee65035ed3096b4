using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp;

/// <summary>A header layout of the standard: the masks that all of its messages have. Source: Part 14 §A.2.</summary>
internal sealed record UadpLayout
{
    /// <summary>The HeaderLayoutUri of a WriterGroup.</summary>
    public required string Uri { get; init; }

    public required UadpNetworkMessageContentMask NetworkMask { get; init; }

    public required UadpDataSetMessageContentMask DataSetMask { get; init; }

    /// <summary>Null: any.</summary>
    public DataSetFieldContentMask? FieldMask { get; init; }

    /// <summary>Each DataSetMessage at one place: raw fields, key frames only, no payload header. 0x3F, 0x24, 0x20.
    /// The PublisherId is an UInt16 or UInt64. Source: Part 14 §A.2.1.</summary>
    public static UadpLayout PeriodicFixed { get; } = new()
    {
        Uri = "http://opcfoundation.org/UA/PubSub-Layouts/UADP-Periodic-Fixed",
        NetworkMask = UadpNetworkMessageContentMask.PublisherId | UadpNetworkMessageContentMask.GroupHeader |
            UadpNetworkMessageContentMask.WriterGroupId | UadpNetworkMessageContentMask.GroupVersion |
            UadpNetworkMessageContentMask.NetworkMessageNumber | UadpNetworkMessageContentMask.SequenceNumber,
        DataSetMask = UadpDataSetMessageContentMask.Status | UadpDataSetMessageContentMask.SequenceNumber,
        FieldMask = DataSetFieldContentMask.RawData,
    };

    /// <summary>DataSetMessages of any kind, told apart by the payload header. 0x41, 0x35. The PublisherId is an
    /// UInt64. Source: Part 14 §A.2.2.</summary>
    public static UadpLayout Dynamic { get; } = new()
    {
        Uri = "http://opcfoundation.org/UA/PubSub-Layouts/UADP-Dynamic",
        NetworkMask = UadpNetworkMessageContentMask.PublisherId | UadpNetworkMessageContentMask.PayloadHeader,
        DataSetMask = UadpDataSetMessageContentMask.Timestamp | UadpDataSetMessageContentMask.Status |
            UadpDataSetMessageContentMask.MinorVersion | UadpDataSetMessageContentMask.SequenceNumber,
    };
}
