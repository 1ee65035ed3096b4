namespace Gateway.Transport.Conversation;

/// <param name="SequenceNumber">As it came.</param>
/// <param name="RequestId">As it came.</param>
/// <param name="Body">TypeId and structure.</param>
internal readonly record struct OpenedChunk(uint SequenceNumber, uint RequestId, ReadOnlyMemory<byte> Body);
