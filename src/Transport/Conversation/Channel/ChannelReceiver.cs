using System.Buffers.Binary;
using Gateway.Transport.Hosting;

namespace Gateway.Transport.Conversation;

/// <summary>One direction in: checks channel, token, seal and sequence number of symmetric chunks (R26, R27), in place
/// in the caller's scratch. Owner: the read loop, and the lane worker that it waits for.</summary>
internal sealed class ChannelReceiver(TransportContext context)
{
    private bool _legacySequence = true;
    private bool _anySequence;
    private uint _lastSequenceNumber;

    public ChannelTokens Tokens { get; } = new(context.Time);

    public MessageAssembler Assembler { get; } = new();

    public uint ChannelId { get; private set; }

    public void SetChannel(uint channelId, bool legacySequence)
    {
        ChannelId = channelId;
        _legacySequence = legacySequence;
    }

    /// <summary>Errors: SecureChannelException.</summary>
    /// <param name="chunk">Whole; decrypted in place.</param>
    /// <param name="requestId">As it came.</param>
    /// <param name="ended">The token that this chunk, the first on a newer one, has ended; or null.</param>
    /// <returns>The body, inside the chunk.</returns>
    public Span<byte> Unseal(Span<byte> chunk, out uint requestId, out IssuedToken? ended)
    {
        if (chunk.Length < MessageLayout.Headroom)
            ConversationFault.Malformed("a chunk shorter than its headers");
        if (BinaryPrimitives.ReadUInt32LittleEndian(chunk[MessageLayout.SecureChannelIdOffset..]) != ChannelId)
            ConversationFault.ChannelUnknown("a message for another SecureChannelId");
        var token = Tokens.Find(BinaryPrimitives.ReadUInt32LittleEndian(chunk[MessageLayout.TokenIdOffset..]));
        if (!token.Incoming.TryUnseal(chunk, out var bodyEnd))
            ConversationFault.Security("a message whose seal is wrong");
        CheckSequence(BinaryPrimitives.ReadUInt32LittleEndian(chunk[MessageLayout.SequenceNumberOffset..]));
        requestId = BinaryPrimitives.ReadUInt32LittleEndian(chunk[MessageLayout.RequestIdOffset..]);
        ended = Tokens.Confirm(token);
        return chunk[MessageLayout.Headroom..bodyEnd];
    }

    /// <summary>Errors: SecureChannelException on a gap or a repeat.</summary>
    public void CheckSequence(uint number)
    {
        if (_anySequence && !SequenceNumber.Follows(_lastSequenceNumber, number, _legacySequence))
            ConversationFault.SequenceNumber(_lastSequenceNumber + 1, number);
        _anySequence = true;
        _lastSequenceNumber = number;
    }

    public void End()
    {
        Tokens.Clear();
        Assembler.Dispose();
    }
}
