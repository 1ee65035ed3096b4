using System.Buffers.Binary;
using System.IO.Pipelines;
using Gateway.Codec.Binary;
using Gateway.Codec.Pooling;
using Gateway.Codec.Types;
using Gateway.Transport.Security;

namespace Gateway.Transport.Conversation;

/// <summary>
/// One direction out: takes the sequence number, seals in the caller's buffer, copies once into the output queue. All
/// of that under one lock a connection, so that numbers, seals and bytes have one order. Any thread; the lock is a
/// leaf.
/// </summary>
internal sealed class ChannelSender
{
    private readonly Lock _lock;
    private readonly OutputQueue _output;
    private readonly StatusCode _tooLarge;
    private IssuedToken? _token;
    private PeerSizes _sizes = new(Hosting.TransportLimits.MinBufferSizeBytes, 0, 0);
    private int _maxBodyBytes;
    private uint _channelId;
    private uint _lastSequenceNumber;
    private bool _legacySequence = true;
    private bool _anySequence;
    private bool _closed;

    /// <param name="output">Owned: ended with this.</param>
    /// <param name="tooLarge">The status for a message that the peer cannot take.</param>
    public ChannelSender(OutputQueue output, StatusCode tooLarge)
    {
        _output = output;
        _lock = output.Lock;
        _tooLarge = tooLarge;
    }

    public long StalledSince => _output.StalledSince;

    public static ChannelSender Create(
        PipeWriter pipe, Hosting.TransportContext context, ISenderOwner owner, StatusCode tooLarge) =>
        new(new OutputQueue(pipe, context, owner), tooLarge);

    /// <summary>TypeId and body; the most that the peer's limits on message and chunks allow.</summary>
    public int MaxMessageBytes
    {
        get
        {
            lock (_lock)
                return (int)Math.Min(MaxMessageBytesUnderLock(), int.MaxValue);
        }
    }

    public void SetSizes(PeerSizes sizes)
    {
        lock (_lock)
            _sizes = sizes;
    }

    public void SetChannel(uint channelId, bool legacySequence)
    {
        lock (_lock)
        {
            _channelId = channelId;
            _legacySequence = legacySequence;
        }
    }

    /// <summary>Seals with this token from now on; the one before is over for this direction.</summary>
    public void UseToken(IssuedToken token)
    {
        lock (_lock)
        {
            if (_closed)
            {
                token.Outgoing.Dispose();
                return;
            }

            if (!ReferenceEquals(_token, token))
                _token?.Outgoing.Dispose();
            _token = token;
            _maxBodyBytes = token.Outgoing.MaxBodyBytes(_sizes.ChunkSize);
        }
    }

    /// <summary>HEL, ACK: bytes as they are.</summary>
    public void SendRaw(ReadOnlySpan<byte> bytes)
    {
        lock (_lock)
        {
            if (!_closed)
                _output.WriteUnderLock(bytes);
        }
    }

    /// <summary>OPN: sealed under the lock, because its sequence number is inside the signature. That takes a
    /// private-key operation, so only a lane worker calls this; other senders on the same channel wait for
    /// it.</summary>
    public void SendOpen(AsymmetricSealer sealer, uint requestId, ReadOnlySpan<byte> body)
    {
        lock (_lock)
        {
            if (_closed)
                return;
            var last = _lastSequenceNumber;
            try
            {
                _output.WriteUnderLock(sealer.Seal(_channelId, NextSequenceNumberUnderLock(), requestId, body));
            }
            catch (OutOfMemoryException) when (_lastSequenceNumber != last)
            {
                FailUnderLock();
                throw;
            }
        }
    }

    public StatusCode Send(PooledBuffer message, uint requestId, MessageKind kind = MessageKind.Message)
    {
        bool full;
        lock (_lock)
        {
            if (_closed || _token is not { } token)
                return StatusCodes.BadSecureChannelClosed;
            var length = message.Length;
            if (length > MaxMessageBytesUnderLock())
                return _tooLarge;
            var last = _lastSequenceNumber;
            try
            {
                if (length > _maxBodyBytes || !TrySealInPlaceUnderLock(token.Outgoing, message, requestId, kind))
                    SendChunksUnderLock(token.Outgoing, message.WrittenSpan, requestId, kind);
            }
            catch when (_lastSequenceNumber != last)
            {
                FailUnderLock();
                throw;
            }

            full = _output.MessageWrittenUnderLock();
        }

        if (full)
            Flush();
        return StatusCodes.Good;
    }

    public StatusCode SendAbort(uint requestId, StatusCode error, string reason)
    {
        using var body = new PooledBuffer(MessageLayout.Headroom);
        var writer = new UaBinaryWriter(body);
        new ErrorMessage(error, reason).Write(ref writer);
        writer.Complete();
        lock (_lock)
        {
            if (_closed || _token is not { } token)
                return StatusCodes.BadSecureChannelClosed;
            var last = _lastSequenceNumber;
            try
            {
                SealPartUnderLock(
                    token.Outgoing, body.WrittenSpan, requestId, MessageKind.Message, ChunkType.Abort);
            }
            catch when (_lastSequenceNumber != last)
            {
                FailUnderLock();
                throw;
            }
        }

        return StatusCodes.Good;
    }

    public void Flush() => _output.Flush();

    /// <summary>The last bytes (ERR) and no more after them.</summary>
    public void Close(ReadOnlySpan<byte> lastBytes)
    {
        lock (_lock)
        {
            if (_closed)
                return;
            _closed = true;
            if (lastBytes.Length > 0)
                _output.WriteUnderLock(lastBytes);
        }

        _output.Flush();
    }

    /// <summary>The connection is over: frees everything (R37). Returns once all writers have ended.</summary>
    public void End()
    {
        lock (_lock)
        {
            _closed = true;
            _token?.Outgoing.Dispose();
            _token = null;
            _output.EndUnderLock();
        }
    }

    /// <summary>No memory for bytes that have their number (R40): the next message would show the peer a gap (R26), or
    /// be taken for the rest of this one.</summary>
    private void FailUnderLock() => _output.FailUnderLock(Hosting.ChannelCloseReason.MemoryBudget);

    private long MaxMessageBytesUnderLock()
    {
        var bySize = _sizes.MaxMessageSize == 0 ? long.MaxValue : _sizes.MaxMessageSize;
        var byChunks = _sizes.MaxChunkCount == 0 ? long.MaxValue : (long)_sizes.MaxChunkCount * _maxBodyBytes;
        return Math.Min(bySize, byChunks);
    }

    private bool TrySealInPlaceUnderLock(
        ChunkProtection protection, PooledBuffer message, uint requestId, MessageKind kind)
    {
        if (message.Headroom != MessageLayout.Headroom || message.Length == 0)
            return false;
        var trailer = protection.MaxTrailerBytes;
        if (message.FreeSpan.Length < trailer && !message.TryGrow(0, trailer))
            return false;
        var bodyEnd = MessageLayout.Headroom + message.Length;
        message.Advance(trailer);
        var chunk = message.WholeSpan;
        WriteHeadersUnderLock(chunk, requestId, kind, ChunkType.Final);
        var size = protection.Seal(chunk, bodyEnd);
        _output.WriteUnderLock(chunk[..size]);
        return true;
    }

    private void SendChunksUnderLock(
        ChunkProtection protection, ReadOnlySpan<byte> body, uint requestId, MessageKind kind)
    {
        var chunks = ((body.Length - 1) / _maxBodyBytes) + 1;
        // Room for all of it at once: no growing in the pipe.
        if (!_output.IsEager)
            _output.TryReserveUnderLock(
                body.Length + (chunks * (MessageLayout.Headroom + protection.MaxTrailerBytes)), out _);
        do
        {
            var part = body[..Math.Min(_maxBodyBytes, body.Length)];
            body = body[part.Length..];
            SealPartUnderLock(
                protection, part, requestId, kind, body.Length == 0 ? ChunkType.Final : ChunkType.Intermediate);
            if (body.Length > 0)
                _output.SendSomeUnderLock();
        }
        while (body.Length > 0);
    }

    /// <summary>Straight into the pipe; in a scratch buffer only while a flush keeps the pipe.</summary>
    private void SealPartUnderLock(
        ChunkProtection protection, ReadOnlySpan<byte> part, uint requestId, MessageKind kind, ChunkType type)
    {
        var maxBytes = MessageLayout.Headroom + part.Length + protection.MaxTrailerBytes;
        if (_output.TryReserveUnderLock(maxBytes, out var reserved))
        {
            _output.CommitUnderLock(SealUnderLock(reserved, protection, part, requestId, kind, type));
            return;
        }

        var scratch = ScratchBuffer.Take(maxBytes);
        var size = SealUnderLock(scratch, protection, part, requestId, kind, type);
        _output.WriteUnderLock(scratch.AsSpan(0, size));
        ScratchBuffer.Return(scratch);
    }

    private int SealUnderLock(
        Span<byte> chunk, ChunkProtection protection, ReadOnlySpan<byte> part, uint requestId, MessageKind kind,
        ChunkType type)
    {
        part.CopyTo(chunk[MessageLayout.Headroom..]);
        WriteHeadersUnderLock(chunk, requestId, kind, type);
        return protection.Seal(chunk, MessageLayout.Headroom + part.Length);
    }

    private void WriteHeadersUnderLock(Span<byte> chunk, uint requestId, MessageKind kind, ChunkType type)
    {
        FrameWriter.WriteHeader(chunk, kind, type, 0);
        BinaryPrimitives.WriteUInt32LittleEndian(chunk[MessageLayout.SecureChannelIdOffset..], _channelId);
        BinaryPrimitives.WriteUInt32LittleEndian(chunk[MessageLayout.TokenIdOffset..], _token!.TokenId);
        BinaryPrimitives.WriteUInt32LittleEndian(
            chunk[MessageLayout.SequenceNumberOffset..], NextSequenceNumberUnderLock());
        BinaryPrimitives.WriteUInt32LittleEndian(chunk[MessageLayout.RequestIdOffset..], requestId);
    }

    private uint NextSequenceNumberUnderLock()
    {
        _lastSequenceNumber = _anySequence
            ? SequenceNumber.Next(_lastSequenceNumber, _legacySequence)
            : SequenceNumber.First(_legacySequence);
        _anySequence = true;
        return _lastSequenceNumber;
    }
}
