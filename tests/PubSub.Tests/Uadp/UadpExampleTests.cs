using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>Messages against bytes that were worked out by hand; the derivation stands beside each.</summary>
public sealed class UadpExampleTests
{
    /// <summary>
    /// Periodic-Fixed, PublisherId UInt16 0x0A0B, one writer with an Int32 of 5 and a Boolean of true.
    /// <code>
    /// B1          version 1 | PublisherId 0x10 | GroupHeader 0x20 | ExtendedFlags1 0x80
    /// 01          ExtendedFlags1: PublisherId is an UInt16
    /// 0B 0A       PublisherId
    /// 0F          GroupFlags: WriterGroupId, GroupVersion, NetworkMessageNumber, SequenceNumber
    /// 02 01       WriterGroupId 0x0102
    /// 06 05 04 03 GroupVersion 0x03040506
    /// 01 00       NetworkMessageNumber
    /// 00 00       SequenceNumber, the first
    /// 1B          DataSetFlags1: valid 0x01 | RawData 0x02 | SequenceNumber 0x08 | Status 0x10
    /// 11 00       DataSetMessageSequenceNumber 17
    /// 00 00       Status Good, its upper half
    /// 05 00 00 00 the Int32
    /// 01          the Boolean
    /// </code>
    /// </summary>
    [Fact]
    public void PeriodicFixed_TwoRawFields_AsDerived()
    {
        var layout = PubSub.Uadp.UadpLayout.PeriodicFixed;
        var description = Writer(
            3, DataSetFieldContentMask.RawData, layout.DataSetMask, MetaOf(BuiltInType.Int32),
            MetaOf(BuiltInType.Boolean));
        using var writer = MessageWriter(layout.NetworkMask);

        var bytes = Message(
            writer, new FrameOf(description, FrameKind.KeyFrame, 17, Field(0, new(5)), Field(1, new(true))));

        Assert.Equal("B1010B0A0F0201060504030100" + "0000" + "1B11000000" + "0500000001", Convert.ToHexString(bytes));
    }

    /// <summary>
    /// Dynamic, a delta frame: field 1 has changed to an Int16 of −2, field 3 is bad.
    /// <code>
    /// D1          version 1 | PublisherId 0x10 | PayloadHeader 0x40 | ExtendedFlags1 0x80
    /// 01          ExtendedFlags1: UInt16
    /// 0B 0A       PublisherId
    /// 01          Count
    /// 03 00       DataSetWriterId 3
    /// (no Sizes: there is one DataSetMessage)
    /// D9          DataSetFlags1: valid 0x01 | SequenceNumber 0x08 | Status 0x10 | MinorVersion 0x40 | Flags2 0x80
    /// 11          DataSetFlags2: delta frame 0x01 | Timestamp 0x10
    /// FF FF       DataSetMessageSequenceNumber 65535, of 0x1FFFF
    /// 8 bytes     Timestamp 2026-01-02T03:04:05Z in units of 100 ns since 1601
    /// 00 00       Status
    /// 09 00 00 00 MinorVersion
    /// 02 00       FieldCount
    /// 01 00 04 FE FF            index 1, Variant Int16 −2
    /// 03 00 13 00 00 31 80      index 3, Variant StatusCode Bad_NoCommunication
    /// </code>
    /// The Timestamp: 2026-01-02 is 155,229 days after 1601-01-01 (425 years of 365 days, 103 leap days, one day), so
    /// it is (155,229 · 86,400 + 11,045) · 10,000,000.
    /// </summary>
    [Fact]
    public void Dynamic_DeltaFrame_AsDerived()
    {
        var layout = PubSub.Uadp.UadpLayout.Dynamic;
        var int16 = MetaOf(BuiltInType.Int16);
        var description = Writer(3, DataSetFieldContentMask.None, layout.DataSetMask, int16, int16, int16, int16);
        using var writer = MessageWriter(layout.NetworkMask);

        var bytes = Message(writer, new FrameOf(
            description, FrameKind.DeltaFrame, 0x1FFFF, Field(1, new((short)-2)),
            new FrameField(3, null, StatusCodes.BadNoCommunication)));

        var timestamp = Convert.ToHexString(BitConverter.GetBytes(((155_229L * 86_400) + 11_045) * 10_000_000));
        Assert.Equal(
            "D1010B0A010300" + "D911FFFF" + timestamp + "000009000000" + "0200" + "010004FEFF" + "03001300003180",
            Convert.ToHexString(bytes));
    }

    /// <summary>
    /// Dynamic, an event: a UInt16 of 650, and a field that the event does not have. Its fields are Variants, whatever
    /// the writer's mask says (Part 14 §7.2.4.5.7).
    /// <code>
    /// D1          version 1 | PublisherId 0x10 | PayloadHeader 0x40 | ExtendedFlags1 0x80
    /// 01          ExtendedFlags1: UInt16
    /// 0B 0A       PublisherId
    /// 01          Count
    /// 03 00       DataSetWriterId 3
    /// D9          DataSetFlags1: valid 0x01 | SequenceNumber 0x08 | Status 0x10 | MinorVersion 0x40 | Flags2 0x80
    /// 12          DataSetFlags2: event 0x02 | Timestamp 0x10
    /// 11 00       DataSetMessageSequenceNumber 17
    /// 8 bytes     Timestamp, as above
    /// 00 00       Status
    /// 09 00 00 00 MinorVersion
    /// 02 00       FieldCount
    /// 05 8A 02    Variant UInt16 650
    /// 00          null Variant
    /// </code>
    /// </summary>
    [Fact]
    public void Dynamic_Event_AsDerived()
    {
        var layout = PubSub.Uadp.UadpLayout.Dynamic;
        var description = Writer(
            3, DataSetFieldContentMask.StatusCode, layout.DataSetMask, MetaOf(BuiltInType.UInt16),
            MetaOf(BuiltInType.Boolean));
        using var writer = MessageWriter(layout.NetworkMask);

        var bytes = Message(writer, new FrameOf(
            description, FrameKind.Event, 17, Field(0, new((ushort)650)),
            new FrameField(1, null, StatusCodes.Good)));

        var timestamp = Convert.ToHexString(BitConverter.GetBytes(((155_229L * 86_400) + 11_045) * 10_000_000));
        Assert.Equal(
            "D1010B0A010300" + "D9121100" + timestamp + "000009000000" + "0200" + "058A02" + "00",
            Convert.ToHexString(bytes));
    }

    /// <summary>
    /// Two writers: a keep-alive, and a DataValue with status and SourceTimestamp.
    /// <code>
    /// 41          version 1 | PayloadHeader 0x40; no PublisherId, so no extended flags
    /// 02          Count
    /// 03 00 04 00 DataSetWriterIds
    /// 04 00 12 00 Sizes 4 and 18
    /// 89 03       DataSetFlags1: valid, SequenceNumber, Flags2; DataSetFlags2: keep-alive
    /// 12 00       sequence number of the next message
    /// 05          DataSetFlags1: valid 0x01 | DataValue 0x04
    /// 01 00       FieldCount
    /// 07          DataValue: value, status, source time
    /// 03 2A       Variant Byte 42
    /// 00 00 40 40 Uncertain 0x40400000
    /// …           SourceTimestamp
    /// </code>
    /// The second size: 1 + 2 + 1 + 2 + 4 + 8 = 18.
    /// </summary>
    [Fact]
    public void TwoWriters_KeepAliveAndDataValue_AsDerived()
    {
        var keepAlive = Writer(
            3, DataSetFieldContentMask.None, UadpDataSetMessageContentMask.SequenceNumber, MetaOf(BuiltInType.Byte));
        var values = Writer(
            4, DataSetFieldContentMask.StatusCode | DataSetFieldContentMask.SourceTimestamp,
            UadpDataSetMessageContentMask.None, MetaOf(BuiltInType.Byte));
        using var writer = MessageWriter(UadpNetworkMessageContentMask.PayloadHeader);

        var bytes = Message(
            writer, new FrameOf(keepAlive, FrameKind.KeepAlive, 0x12),
            new FrameOf(values, FrameKind.KeyFrame, 1, Field(0, new((byte)42), 0x40400000)));

        var timestamp = Convert.ToHexString(BitConverter.GetBytes(((155_229L * 86_400) + 11_045) * 10_000_000));
        Assert.Equal(
            "4102" + "03000400" + "04001200" + "89031200" + "050100" + "07032A" + "00004040" + timestamp,
            Convert.ToHexString(bytes));
    }

    /// <summary>
    /// RawData with padding: a String of at most 4 bytes that is "ab", a UInt16[3] of two elements, an Int32 without a
    /// value, and a Byte[2,3] of one row of two.
    /// <code>
    /// 03                DataSetFlags1: valid | RawData; no FieldCount
    /// 02 00 00 00 61 62 00 00          length, "ab", two bytes of padding
    /// 02 00 00 00 01 00 02 00 00 00    length, two elements, one of padding
    /// 00 00 00 00                      the default of an Int32
    /// 02 00 00 00                      number of dimensions
    /// 01 00 00 00 02 00 00 00          their lengths
    /// 07 08 00 00 00 00                a row and its padding, the padding of the other row
    /// </code>
    /// </summary>
    [Fact]
    public void RawData_ShorterThanItsBounds_IsPaddedAsDerived()
    {
        var description = Writer(
            3, DataSetFieldContentMask.RawData, UadpDataSetMessageContentMask.None,
            MetaOf(BuiltInType.String, maxStringLength: 4), MetaOf(BuiltInType.UInt16, 1, [3]),
            MetaOf(BuiltInType.Int32), MetaOf(BuiltInType.Byte, 2, [2, 3]));
        using var writer = MessageWriter(UadpNetworkMessageContentMask.None);

        var bytes = Message(writer, new FrameOf(
            description, FrameKind.KeyFrame, 1, Field(0, new("ab")),
            Field(1, Variant.FromArray(BuiltInType.UInt16, new ushort[] { 1, 2 })), new FrameField(2, null, default),
            Field(3, Variant.FromMatrix(BuiltInType.Byte, new Matrix(new byte[] { 7, 8 }, [1, 2])))));

        Assert.Equal(
            "01" + "03" + "0200000061620000" + "02000000010002000000" + "00000000" +
            "02000000" + "0100000002000000" + "070800000000",
            Convert.ToHexString(bytes));
    }
}
