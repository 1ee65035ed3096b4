namespace Gateway.Transport.Conversation;

/// <summary>The fourth letter of a chunk. Source: Part 6 §6.7.2.2.</summary>
internal enum ChunkType : byte
{
    Intermediate = (byte)'C',
    Final = (byte)'F',
    Abort = (byte)'A',
}
