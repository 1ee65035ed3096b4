namespace Gateway.Transport;

/// <summary>
/// The bytes in front of the body of a MSG or CLO chunk (Part 6 §6.7.2), all little-endian:
/// <code>
///  0  MessageType  3 × ASCII      8  SecureChannelId  UInt32     16  SequenceNumber  UInt32
///  3  IsFinal      F, C or A     12  TokenId          UInt32     20  RequestId       UInt32
///  4  MessageSize  UInt32                                        24  body
/// </code>
/// </summary>
public static class MessageLayout
{
    public const int MessageSizeOffset = 4;

    public const int SecureChannelIdOffset = 8;

    public const int TokenIdOffset = 12;

    public const int SequenceNumberOffset = 16;

    public const int RequestIdOffset = 20;

    public const int MessageHeaderSize = 8;

    public const int SecureChannelHeaderSize = 12;

    public const int SymmetricSecurityHeaderSize = 4;

    public const int SequenceHeaderSize = 8;

    /// <summary>Where the sequence header of a symmetric chunk starts: all before it is signed and never encrypted.
    /// </summary>
    public const int SymmetricHeaderSize = SecureChannelHeaderSize + SymmetricSecurityHeaderSize;

    /// <summary>The bytes that a PooledBuffer for <see cref="Conversation.SecureChannel.Send"/> keeps free in
    /// front of the TypeId.</summary>
    public const int Headroom = SymmetricHeaderSize + SequenceHeaderSize;
}
