namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Chunks with the same key belong together.</summary>
/// <param name="Publisher">Null: the messages do not say.</param>
/// <param name="MessageType">Bits of ExtendedFlags2.</param>
/// <param name="WriterGroupId">0: none.</param>
/// <param name="Writer">DataSetWriterId, or NetworkMessageNumber where the message has no payload header.</param>
/// <param name="SequenceNumber">MessageSequenceNumber.</param>
internal readonly record struct UadpChunkKey(
    UadpPublisherId? Publisher, int MessageType, ushort WriterGroupId, ushort Writer, ushort SequenceNumber);
