using Gateway.Codec.Pooling;

namespace Gateway.Transport.Conversation;

/// <summary>Joins the chunks of one message. Holds arrays only between a message's first chunk and its last, and gives
/// them back cleared: an ActivateSession may have been in them (R39). In one piece is a message only while it is
/// handled. Owner: the read loop.</summary>
internal sealed class MessageAssembler : IDisposable
{
    private ByteChain? _parts;
    private byte[]? _joined;
    private int _joinedLength;

    /// <summary>True between the first chunk and the last.</summary>
    public bool IsStarted => _parts is not null;

    public int ChunkCount { get; private set; }

    public int Length => _parts?.Length ?? 0;

    /// <summary>Of the whole arrays, not only of their content (R43).</summary>
    public int HeldBytes => _parts?.CapacityBytes ?? 0;

    public uint RequestId { get; private set; }

    /// <summary>Errors: SecureChannelException; chunks of two messages must not mix, the sum is limited (R03), and
    /// memory may be short (R40).</summary>
    public void Add(uint requestId, ReadOnlySpan<byte> body, int maxMessageBytes)
    {
        if (_parts is null)
        {
            RequestId = requestId;
            _parts = new ByteChain(secret: true);
        }

        if (requestId != RequestId)
            ConversationFault.Malformed("a chunk of another message inside a message");
        if (_parts.Length + body.Length > maxMessageBytes)
            ConversationFault.TooLarge("a message of too many bytes");
        try
        {
            _parts.Write(body);
        }
        catch (InsufficientMemoryException)
        {
            ConversationFault.NoMemory();
        }

        ChunkCount++;
    }

    /// <summary>The whole message, valid until <see cref="Reset"/>. Its parts are given back while it is joined.
    /// Errors: SecureChannelException where memory is short (R40).</summary>
    public ReadOnlySpan<byte> Join()
    {
        var parts = _parts!;
        if (parts.IsOnePart)
            return parts.First;
        _joinedLength = parts.Length;
        try
        {
            _joined = ByteArrays.Rent(_joinedLength);
        }
        catch (InsufficientMemoryException)
        {
            ConversationFault.NoMemory();
        }

        parts.MoveTo(_joined);
        return _joined.AsSpan(0, _joinedLength);
    }

    /// <summary>The caller owns the message that <see cref="Join"/> returned; null if the message is in one part.
    /// </summary>
    public PooledBuffer? Take()
    {
        if (_joined is null)
            return null;
        var taken = new PooledBuffer(_joined, _joinedLength, secret: true);
        _joined = null;
        return taken;
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
        if (_joined is not null)
            ByteArrays.Return(_joined, clear: true);
        _joined = null;
        _parts?.Dispose();
        _parts = null;
        ChunkCount = 0;
    }

    public void Dispose() => Reset();
}
