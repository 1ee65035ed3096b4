using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>The knowledge of a reader beside the message: from discovery, a retained topic or the configuration.
/// Threads: the reader's.</summary>
internal interface IUadpDirectory
{
    /// <summary>Null: unknown.</summary>
    DataSetMetaDataType? FindMetaData(in UadpPublisherId? publisher, ushort writerGroupId, ushort dataSetWriterId);

    /// <summary>The DataSetMessages of a message without a payload header, in their order. Empty: unknown, it holds
    /// one.</summary>
    ReadOnlySpan<UadpSlot> FindSlots(in UadpPublisherId? publisher, ushort writerGroupId, ushort networkMessageNumber);
}
