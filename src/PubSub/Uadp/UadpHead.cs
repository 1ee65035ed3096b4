using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp.Security;

namespace Gateway.PubSub.Uadp;

/// <summary>
/// All that stands before the payload of a NetworkMessage with data. Shape: <c>Version and flags [ExtendedFlags1
/// [ExtendedFlags2]] [PublisherId] [DataSetClassId] [GroupFlags, WriterGroupId, GroupVersion, NetworkMessageNumber,
/// SequenceNumber] [Count, DataSetWriterIds; of a chunk one id alone] [Timestamp [PicoSeconds]] [size, promoted
/// fields] [SecurityHeader]</c>. Extended flags that are 0 are left out. Owner: one writer. Source: Part 14 §7.2.4.4.2.
/// </summary>
internal sealed class UadpHead
{
    private readonly UadpNetworkMessageContentMask _mask;
    private readonly UadpPublisherId _publisherId;
    private readonly GroupDescription _group;
    private readonly ushort _networkMessageNumber;
    private readonly int _groupFlags;
    private readonly int _fixedBytes;
    private readonly bool _isSealed;

    public UadpHead(GroupDescription group, UadpWriterOptions options, bool isSealed)
    {
        _isSealed = isSealed;
        (_group, _mask, _publisherId) = (group, group.UadpMask, options.PublisherId);
        GroupVersion = group.GroupVersion;
        _networkMessageNumber = options.NetworkMessageNumber;
        _groupFlags = Has(UadpNetworkMessageContentMask.GroupHeader)
            ? Bit(UadpNetworkMessageContentMask.WriterGroupId, UadpFlags.WriterGroupId) |
                Bit(UadpNetworkMessageContentMask.GroupVersion, UadpFlags.GroupVersion) |
                Bit(UadpNetworkMessageContentMask.NetworkMessageNumber, UadpFlags.NetworkMessageNumber) |
                Bit(UadpNetworkMessageContentMask.SequenceNumber, UadpFlags.SequenceNumber)
            : 0;
        _fixedBytes = 1 + GroupBytes() +
            (Has(UadpNetworkMessageContentMask.PublisherId) ? _publisherId.SizeBytes : 0) +
            (Has(UadpNetworkMessageContentMask.DataSetClassId) ? 16 : 0) +
            (Has(UadpNetworkMessageContentMask.Timestamp) ? sizeof(long) : 0) +
            (HasPicoSeconds ? sizeof(ushort) : 0) + (isSealed ? UadpSealer.SizeBytes : 0);
    }

    public ushort NextSequenceNumber { get; set; }

    public uint GroupVersion { get; set; }

    private bool HasPicoSeconds =>
        Has(UadpNetworkMessageContentMask.Timestamp) && Has(UadpNetworkMessageContentMask.PicoSeconds);

    /// <summary>With the signature behind the payload.</summary>
    public int SizeBytes(int count, int promotedBytes, bool isChunk)
    {
        var flags2 = Flags2(isChunk);
        var payloadHeader = isChunk ? sizeof(ushort) : 1 + (count * sizeof(ushort));
        return _fixedBytes + (Flags1(flags2) != 0 ? 1 : 0) + (flags2 != 0 ? 1 : 0) +
            (Has(UadpNetworkMessageContentMask.PayloadHeader) ? payloadHeader : 0) +
            (Has(UadpNetworkMessageContentMask.PromotedFields) ? sizeof(ushort) + promotedBytes : 0);
    }

    /// <summary>Takes the next sequence number.</summary>
    public void Write(ref UaBinaryWriter writer, in UadpHeadParts parts, in UadpSeal seal)
    {
        var flags2 = Flags2(parts.IsChunk);
        var flags1 = Flags1(flags2);
        writer.WriteByte((byte)(UadpFlags.Version |
            Bit(UadpNetworkMessageContentMask.PublisherId, UadpFlags.PublisherId) |
            Bit(UadpNetworkMessageContentMask.GroupHeader, UadpFlags.GroupHeader) |
            Bit(UadpNetworkMessageContentMask.PayloadHeader, UadpFlags.PayloadHeader) |
            (flags1 != 0 ? UadpFlags.ExtendedFlags1 : 0)));
        if (flags1 != 0)
            writer.WriteByte((byte)flags1);
        if (flags2 != 0)
            writer.WriteByte((byte)flags2);
        if (Has(UadpNetworkMessageContentMask.PublisherId))
            _publisherId.Write(ref writer);
        if (Has(UadpNetworkMessageContentMask.DataSetClassId))
            writer.WriteGuid(parts.ClassId);
        WriteGroup(ref writer);
        WritePayloadHeader(ref writer, parts);
        if (Has(UadpNetworkMessageContentMask.Timestamp))
            writer.WriteDateTime(parts.Timestamp);
        if (HasPicoSeconds)
            writer.WriteUInt16(0);
        if (Has(UadpNetworkMessageContentMask.PromotedFields))
        {
            writer.WriteUInt16((ushort)parts.Promoted.Length);
            writer.WriteRaw(parts.Promoted);
        }

        if (_isSealed)
            seal.WriteHeader(ref writer);
    }

    private bool Has(UadpNetworkMessageContentMask member) => (_mask & member) != 0;

    private int Bit(UadpNetworkMessageContentMask member, int flag) => Has(member) ? flag : 0;

    private int Flags2(bool isChunk) => (isChunk ? UadpFlags.Chunk : 0) |
        Bit(UadpNetworkMessageContentMask.PromotedFields, UadpFlags.PromotedFields);

    private int Flags1(int flags2) =>
        (Has(UadpNetworkMessageContentMask.PublisherId) ? (int)_publisherId.Type : 0) |
        Bit(UadpNetworkMessageContentMask.DataSetClassId, UadpFlags.DataSetClassId) |
        (_isSealed ? UadpFlags.Security : 0) |
        Bit(UadpNetworkMessageContentMask.Timestamp, UadpFlags.Timestamp) |
        (HasPicoSeconds ? UadpFlags.PicoSeconds : 0) | (flags2 != 0 ? UadpFlags.ExtendedFlags2 : 0);

    private int GroupBytes() => !Has(UadpNetworkMessageContentMask.GroupHeader)
        ? 0
        : 1 + ((_groupFlags & UadpFlags.WriterGroupId) != 0 ? 2 : 0) +
            ((_groupFlags & UadpFlags.GroupVersion) != 0 ? 4 : 0) +
            ((_groupFlags & UadpFlags.NetworkMessageNumber) != 0 ? 2 : 0) +
            ((_groupFlags & UadpFlags.SequenceNumber) != 0 ? 2 : 0);

    private void WriteGroup(ref UaBinaryWriter writer)
    {
        var sequenceNumber = NextSequenceNumber++;
        if (!Has(UadpNetworkMessageContentMask.GroupHeader))
            return;
        writer.WriteByte((byte)_groupFlags);
        if ((_groupFlags & UadpFlags.WriterGroupId) != 0)
            writer.WriteUInt16(_group.WriterGroupId);
        if ((_groupFlags & UadpFlags.GroupVersion) != 0)
            writer.WriteUInt32(GroupVersion);
        if ((_groupFlags & UadpFlags.NetworkMessageNumber) != 0)
            writer.WriteUInt16(_networkMessageNumber);
        if ((_groupFlags & UadpFlags.SequenceNumber) != 0)
            writer.WriteUInt16(sequenceNumber);
    }

    private void WritePayloadHeader(ref UaBinaryWriter writer, in UadpHeadParts parts)
    {
        if (!Has(UadpNetworkMessageContentMask.PayloadHeader))
            return;
        if (!parts.IsChunk)
            writer.WriteByte((byte)parts.WriterIds.Length);
        foreach (var id in parts.WriterIds)
            writer.WriteUInt16(id);
    }
}
