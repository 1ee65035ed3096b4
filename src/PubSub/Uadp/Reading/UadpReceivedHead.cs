using System.Buffers.Binary;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>The head of a NetworkMessage that came in; see <see cref="UadpHead"/> for its shape. Nothing of it is true
/// before the signature is checked.</summary>
internal struct UadpReceivedHead
{
    public int MessageType;
    public bool IsChunk;
    public bool HasPayloadHeader;
    public UadpPublisherId? PublisherId;
    public Guid? ClassId;
    public ushort? WriterGroupId;
    public uint? GroupVersion;
    public ushort? NetworkMessageNumber;
    public ushort? SequenceNumber;
    public DateTime? Timestamp;
    public int SecurityFlags;
    public uint TokenId;
    public int NonceBytes;
    public int FooterBytes;

    /// <summary>Where the payload starts.</summary>
    public int Size;

    /// <summary>Of the payload header.</summary>
    public int WriterCount;

    private int _writerIdsAt;
    private int _nonceAt;

    public readonly ushort WriterId(ReadOnlySpan<byte> message, int index) =>
        BinaryPrimitives.ReadUInt16LittleEndian(message[(_writerIdsAt + (index * sizeof(ushort)))..]);

    public readonly ReadOnlySpan<byte> Nonce(ReadOnlySpan<byte> message) => message.Slice(_nonceAt, NonceBytes);

    /// <summary>Errors: Malformed, Unsupported.</summary>
    public static UadpReadProblem Read(ReadOnlySpan<byte> message, DecodingLimits limits, out UadpReceivedHead head)
    {
        head = default;
        var reader = new UaBinaryReader(message, limits);
        var flags = reader.ReadByte();
        var flags1 = (flags & UadpFlags.ExtendedFlags1) != 0 ? reader.ReadByte() : 0;
        var flags2 = (flags1 & UadpFlags.ExtendedFlags2) != 0 ? reader.ReadByte() : 0;
        if (reader.Failed)
            return UadpReadProblem.Malformed;
        head.MessageType = flags2 & UadpFlags.MessageTypeMask;
        if ((flags & UadpFlags.VersionMask) != UadpFlags.Version || (flags2 & UadpFlags.ReservedExtendedFlags2) != 0 ||
            head.MessageType > UadpFlags.DiscoveryAnnouncement)
            return UadpReadProblem.Unsupported;
        head.IsChunk = (flags2 & UadpFlags.Chunk) != 0;
        if ((flags & UadpFlags.PublisherId) != 0 && !head.TryReadPublisherId(ref reader, flags1))
            return reader.Failed ? UadpReadProblem.Malformed : UadpReadProblem.Unsupported;
        if ((flags1 & UadpFlags.DataSetClassId) != 0)
            head.ClassId = reader.ReadGuid();
        if ((flags & UadpFlags.GroupHeader) != 0)
            head.ReadGroup(ref reader);
        head.HasPayloadHeader = (flags & UadpFlags.PayloadHeader) != 0;
        if (head.HasPayloadHeader)
            head.ReadPayloadHeader(ref reader);
        head.ReadExtended(ref reader, flags1, flags2);
        if ((flags1 & UadpFlags.Security) != 0)
            head.ReadSecurity(ref reader);
        head.Size = reader.Position;
        return reader.Failed ? UadpReadProblem.Malformed : UadpReadProblem.None;
    }

    /// <summary>As the flags say; Invalid: encrypted but not signed.</summary>
    public readonly MessageSecurityMode SecurityMode =>
        (SecurityFlags & (UadpFlags.Signed | UadpFlags.Encrypted)) switch
        {
            0 => MessageSecurityMode.None,
            UadpFlags.Signed => MessageSecurityMode.Sign,
            UadpFlags.Signed | UadpFlags.Encrypted => MessageSecurityMode.SignAndEncrypt,
            _ => MessageSecurityMode.Invalid,
        };

    private bool TryReadPublisherId(ref UaBinaryReader reader, int flags1)
    {
        PublisherId = (flags1 & UadpFlags.PublisherIdTypeMask) switch
        {
            0 => UadpPublisherId.Of(reader.ReadByte()),
            1 => UadpPublisherId.Of(reader.ReadUInt16()),
            2 => UadpPublisherId.Of(reader.ReadUInt32()),
            3 => UadpPublisherId.Of(reader.ReadUInt64()),
            4 => UadpPublisherId.Of(reader.ReadString() ?? string.Empty),
            _ => null,
        };
        return !reader.Failed && PublisherId is { } id &&
            (id.Text is null || id.SizeBytes <= UadpPublisherId.MaxTextBytes + sizeof(int));
    }

    private void ReadGroup(ref UaBinaryReader reader)
    {
        var flags = reader.ReadByte();
        if ((flags & UadpFlags.WriterGroupId) != 0)
            WriterGroupId = reader.ReadUInt16();
        if ((flags & UadpFlags.GroupVersion) != 0)
            GroupVersion = reader.ReadUInt32();
        if ((flags & UadpFlags.NetworkMessageNumber) != 0)
            NetworkMessageNumber = reader.ReadUInt16();
        if ((flags & UadpFlags.SequenceNumber) != 0)
            SequenceNumber = reader.ReadUInt16();
    }

    private void ReadPayloadHeader(ref UaBinaryReader reader)
    {
        WriterCount = IsChunk ? 1 : reader.ReadByte();
        _writerIdsAt = reader.Position;
        reader.Skip(WriterCount * sizeof(ushort));
    }

    private void ReadExtended(ref UaBinaryReader reader, int flags1, int flags2)
    {
        if ((flags1 & UadpFlags.Timestamp) != 0)
            Timestamp = reader.ReadDateTime();
        if ((flags1 & UadpFlags.PicoSeconds) != 0)
            reader.Skip(sizeof(ushort));
        if ((flags2 & UadpFlags.PromotedFields) != 0)
            reader.Skip(reader.ReadUInt16());
    }

    private void ReadSecurity(ref UaBinaryReader reader)
    {
        SecurityFlags = reader.ReadByte();
        TokenId = reader.ReadUInt32();
        NonceBytes = reader.ReadByte();
        _nonceAt = reader.Position;
        reader.Skip(NonceBytes);
        if ((SecurityFlags & UadpFlags.SecurityFooter) != 0)
            FooterBytes = reader.ReadUInt16();
    }
}
