namespace Gateway.Transport.Conversation;

/// <param name="Kind">Unknown where the letters are none of the protocol's.</param>
/// <param name="Chunk">As it came, also where it is none of the three.</param>
/// <param name="SizeBytes">Of the whole chunk, header included, as declared.</param>
internal readonly record struct FrameHeader(MessageKind Kind, ChunkType Chunk, uint SizeBytes)
{
    /// <summary>Only a MSG may have more than one chunk, or be aborted.</summary>
    public bool HasKnownChunkType => Chunk is ChunkType.Final ||
        (Kind == MessageKind.Message && Chunk is ChunkType.Intermediate or ChunkType.Abort);
}
