namespace Gateway.PubSub.Uadp;

/// <summary>Bits of the headers. Source: Part 14 §7.2.4.4.2, §7.2.4.5.4.</summary>
internal static class UadpFlags
{
    // The first byte; its four lowest bits are the version.
    public const int VersionMask = 0x0F;
    public const int Version = 1;
    public const int PublisherId = 0x10;
    public const int GroupHeader = 0x20;
    public const int PayloadHeader = 0x40;
    public const int ExtendedFlags1 = 0x80;

    // ExtendedFlags1; its three lowest bits are the type of the PublisherId.
    public const int PublisherIdTypeMask = 0x07;
    public const int DataSetClassId = 0x08;
    public const int Security = 0x10;
    public const int Timestamp = 0x20;
    public const int PicoSeconds = 0x40;
    public const int ExtendedFlags2 = 0x80;

    // ExtendedFlags2; bits 2 to 4 are the type of the NetworkMessage.
    public const int Chunk = 0x01;
    public const int PromotedFields = 0x02;
    public const int MessageTypeMask = 0x1C;
    public const int DataSets = 0x00;
    public const int DiscoveryProbe = 0x04;
    public const int DiscoveryAnnouncement = 0x08;
    public const int ReservedExtendedFlags2 = 0xE0;

    // GroupFlags.
    public const int WriterGroupId = 0x01;
    public const int GroupVersion = 0x02;
    public const int NetworkMessageNumber = 0x04;
    public const int SequenceNumber = 0x08;

    // SecurityFlags.
    public const int Signed = 0x01;
    public const int Encrypted = 0x02;
    public const int SecurityFooter = 0x04;
    public const int ForceKeyReset = 0x08;

    // DataSetFlags1; bits 1 and 2 are the encoding of the fields.
    public const int Valid = 0x01;
    public const int FieldEncodingMask = 0x06;
    public const int VariantFields = 0x00;
    public const int RawFields = 0x02;
    public const int DataValueFields = 0x04;
    public const int DataSetSequenceNumber = 0x08;
    public const int DataSetStatus = 0x10;
    public const int MajorVersion = 0x20;
    public const int MinorVersion = 0x40;
    public const int DataSetFlags2 = 0x80;

    // DataSetFlags2; its four lowest bits are the kind.
    public const int KindMask = 0x0F;
    public const int KeyFrame = 0x00;
    public const int DeltaFrame = 0x01;
    public const int Event = 0x02;
    public const int KeepAlive = 0x03;
    public const int DataSetTimestamp = 0x10;
    public const int DataSetPicoSeconds = 0x20;
}
