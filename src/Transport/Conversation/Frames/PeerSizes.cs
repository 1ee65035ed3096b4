namespace Gateway.Transport.Conversation;

/// <summary>The sizes that HEL and ACK settled for one direction. Bytes; 0 for no limit in the last two.</summary>
/// <param name="ChunkSize">The largest chunk.</param>
/// <param name="MaxMessageSize">TypeId and body, before sealing.</param>
/// <param name="MaxChunkCount">Of one message.</param>
internal readonly record struct PeerSizes(int ChunkSize, uint MaxMessageSize, uint MaxChunkCount);
