using Gateway.Codec.Pooling;

namespace Gateway.Transport.Conversation;

/// <summary>Joins the chunks of one message. Holds a buffer only between a message's first chunk and its last, and
/// gives it back cleared: an ActivateSession may have been in it (R39). Owner: the read loop.</summary>
internal sealed class MessageAssembler : IDisposable
{
    private PooledBuffer? _parts;

    /// <summary>True between the first chunk and the last.</summary>
    public bool IsStarted => _parts is not null;

    public int ChunkCount { get; private set; }

    public int Length => _parts?.Length ?? 0;

    public int HeldBytes => _parts?.Length ?? 0;

    public uint RequestId { get; private set; }

    public ReadOnlySpan<byte> Message => _parts!.WrittenSpan;

    /// <summary>Errors: SecureChannelException; chunks of two messages must not mix, and the sum is limited (R03).
    /// </summary>
    public void Add(uint requestId, ReadOnlySpan<byte> body, int maxMessageBytes)
    {
        if (_parts is null)
        {
            RequestId = requestId;
            _parts = new PooledBuffer(0, maxMessageBytes, secret: true);
        }

        if (requestId != RequestId)
            ConversationFault.Malformed("a chunk of another message inside a message");
        if (_parts.Length + body.Length > maxMessageBytes)
            ConversationFault.TooLarge("a message of too many bytes");
        if (body.Length > _parts.FreeSpan.Length && !_parts.TryGrow(0, body.Length))
            ConversationFault.TooLarge("a message of too many bytes");
        _parts.Write(body);
        ChunkCount++;
    }

    /// <summary>Errors: SecureChannelException, by what the header of the next chunk declares.</summary>
    public void CheckNext(uint chunkBytes, in MessageLimits limits)
    {
        if (ChunkCount + 1 > limits.MaxChunkCount)
            ConversationFault.TooLarge("a message of too many chunks");
        // Headers, padding and signature are not part of the message: allowed for, so that a message of just the limit
        // passes.
        if (Length + (long)chunkBytes > limits.MaxMessageBytes + MessageLimits.SealAllowanceBytes)
            ConversationFault.TooLarge("a message of too many bytes");
    }

    public void Reset()
    {
        _parts?.Dispose();
        _parts = null;
        ChunkCount = 0;
    }

    public void Dispose() => Reset();
}
