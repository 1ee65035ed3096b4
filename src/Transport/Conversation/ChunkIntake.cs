using System.Buffers;
using System.Numerics;
using Gateway.Codec.Binary;

namespace Gateway.Transport.Conversation;

/// <summary>
/// From the bytes that arrived to whole messages: frames, checks, unseals, assembles, hands over. It stops behind an
/// OPN and behind a request that is not finished. Owner: the connection's loop.
/// </summary>
internal sealed class ChunkIntake(UaTcpConnection connection, IConnectionRole role)
{
    private TurnBudget _budget = new(connection.Context);
    private byte[]? _open;
    private long _heldBytes;
    private volatile IUnfinishedRequest? _unfinished;

    /// <summary>The largest chunk that the peer may send.</summary>
    public int ReceiveBufferSize { get; set; } = connection.Context.Limits.ReceiveBufferSizeBytes;

    /// <summary>Others of the same thread are next.</summary>
    public bool IsTurnOver => _budget.IsUsedUp;

    /// <summary>A request that goes on elsewhere; any thread may tell it to leave.</summary>
    public IUnfinishedRequest? Unfinished
    {
        get => _unfinished;
        set => _unfinished = value;
    }

    private bool IsHeld => _open is not null || _unfinished is not null;

    private ChannelReceiver Receiver => connection.Receiver;

    public void BeginTurn() => _budget.Begin();

    /// <summary>The OPN chunk at which the intake stopped, once; null: none.</summary>
    public byte[]? TakeOpen()
    {
        var open = _open;
        _open = null;
        return open;
    }

    /// <summary>Bounded work: as many whole chunks as have arrived, up to the turn's limit. Errors:
    /// SecureChannelException.</summary>
    public Turn Take(ReadOnlySequence<byte> buffer)
    {
        var bytes = buffer.Length;
        var count = 0;
        var more = false;
        while (TryTakeChunk(ref buffer))
        {
            count++;
            if (connection.IsEnding || IsHeld)
                break;
            _budget.Take();
            if (_budget.IsUsedUp && buffer.Length > 0)
            {
                more = true;
                break;
            }
        }

        var left = buffer.Length;
        NoteProgress(count, left, more);
        connection.Context.Counters.Received(count, bytes - left);
        var examined = more || IsHeld ? buffer.Start : buffer.End;
        return new Turn(buffer.Start, examined, more, left > 0);
    }

    /// <summary>The loop is over. Output that waits is the sender's.</summary>
    public void End()
    {
        Receiver.End();
        Hold(0);
    }

    /// <summary>Checks the header before the rest is waited for (R03), and takes the chunk when it is whole.</summary>
    private bool TryTakeChunk(ref ReadOnlySequence<byte> buffer)
    {
        if (!FrameReader.TryReadHeader(buffer, out var header))
            return false;
        if (header.SizeBytes < MessageLayout.MessageHeaderSize)
            ConversationFault.Malformed("a chunk smaller than its header");
        if (header.Kind == MessageKind.Unknown)
            ConversationFault.MessageType("a message of no known type");
        if (header.SizeBytes > ReceiveBufferSize)
            ConversationFault.TooLarge("a chunk over the receive buffer");
        if (!header.HasKnownChunkType)
            ConversationFault.MessageType("a chunk of no known kind");
        if (header.Kind != MessageKind.Error)
            role.CheckFrame(header);
        if (header.Kind is MessageKind.Message)
            Receiver.Assembler.CheckNext(header.SizeBytes, role.MessageLimits);
        if (header.SizeBytes > buffer.Length)
            return false;
        var chunk = buffer.Slice(0, header.SizeBytes);
        OnChunk(header, chunk);
        buffer = buffer.Slice(chunk.End);
        return true;
    }

    private void OnChunk(in FrameHeader header, in ReadOnlySequence<byte> sequence)
    {
        var size = (int)header.SizeBytes;
        if (header.Chunk != ChunkType.Intermediate)
            connection.Deadlines.MessageEnded();
        if (header.Kind == MessageKind.OpenSecureChannel)
        {
            _open = sequence.ToArray();
            return;
        }

        var scratch = ScratchBuffer.Take(size);
        try
        {
            var chunk = scratch.AsSpan(0, size);
            sequence.CopyTo(chunk);
            if (header.Kind is MessageKind.Message or MessageKind.CloseSecureChannel)
                OnSecuredChunk(header, chunk);
            else
                OnTransportMessage(header.Kind, chunk[MessageLayout.MessageHeaderSize..]);
        }
        finally
        {
            // Decrypted in place: a password may have been in it, and the thread keeps the array (R39).
            scratch.AsSpan(0, size).Clear();
            ScratchBuffer.Return(scratch);
        }
    }

    private void OnTransportMessage(MessageKind kind, ReadOnlySpan<byte> body)
    {
        var reader = new UaBinaryReader(body);
        if (kind == MessageKind.Error)
            ConversationFault.Peer(ErrorMessage.Read(ref reader));
        role.OnHello(ref reader);
    }

    private void OnSecuredChunk(in FrameHeader header, Span<byte> chunk)
    {
        var body = Receiver.Unseal(chunk, out var requestId, out var ended);
        if (ended is not null)
        {
            ended.Incoming.Dispose();
            connection.Sender.UseToken(Receiver.Tokens.Current!);
        }

        if (header.Kind == MessageKind.CloseSecureChannel)
        {
            role.OnCloseRequested();
            return;
        }

        var handler = connection.Handler;
        var channel = connection.Channel!;
        var assembler = Receiver.Assembler;
        switch (header.Chunk)
        {
            case ChunkType.Final when !assembler.IsStarted:
                handler.OnMessage(channel, requestId, body);
                break;
            case ChunkType.Final:
                assembler.Add(requestId, body, role.MessageLimits.MaxMessageBytes);
                handler.OnMessage(channel, requestId, assembler.Join());
                assembler.Reset();
                break;
            case ChunkType.Intermediate:
                assembler.Add(requestId, body, role.MessageLimits.MaxMessageBytes);
                break;
            default:
                assembler.Reset();
                var reader = new UaBinaryReader(body);
                handler.OnMessageAborted(channel, requestId, ErrorMessage.Read(ref reader).Error);
                break;
        }
    }

    private void NoteProgress(int chunks, long leftBytes, bool more)
    {
        var assembler = Receiver.Assembler;
        var partial = (leftBytes > 0 && !more && !IsHeld) || assembler.IsStarted;
        connection.Deadlines.Received(chunks, partial, assembler.Length + leftBytes);
        Hold((partial ? HeldBy(leftBytes) : 0) + assembler.HeldBytes);
    }

    private void Hold(long bytes)
    {
        if (bytes == _heldBytes)
            return;
        connection.AddHeldBytes(bytes - _heldBytes);
        _heldBytes = bytes;
    }

    /// <summary>The memory that a transport holds for bytes that wait for more (R43).</summary>
    private static long HeldBy(long bytes) => bytes == 0 ? 0 : (long)BitOperations.RoundUpToPowerOf2((ulong)bytes);
}
