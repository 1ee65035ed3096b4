using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Messages;
using Gateway.PubSub.Uadp;
using Gateway.PubSub.Uadp.Reading;
using Gateway.Testing;
using static Gateway.PubSub.Tests.Uadp.UadpPlant;

namespace Gateway.PubSub.Tests.Uadp;

/// <summary>What the writer writes, the reader reads: every mask, every encoding, every kind.</summary>
public sealed class UadpRoundTripTests
{
    private const DataSetFieldContentMask AllOfDataValue = DataSetFieldContentMask.StatusCode |
        DataSetFieldContentMask.SourceTimestamp | DataSetFieldContentMask.ServerTimestamp |
        DataSetFieldContentMask.SourcePicoSeconds;

    [Theory]
    [InlineData(DataSetFieldContentMask.None)]
    [InlineData(DataSetFieldContentMask.RawData)]
    [InlineData(AllOfDataValue)]
    public void Read_EveryCombinationOfMasks_IsWhatWasWritten(DataSetFieldContentMask encoding)
    {
        for (var network = 0; network < 2048; network++)
        {
            // Each mask of a DataSetMessage comes with 32 masks of a NetworkMessage.
            var dataSet = (UadpDataSetMessageContentMask)((network * 37) % 64);
            Check((UadpNetworkMessageContentMask)network, dataSet, encoding);
        }
    }

    [Theory]
    [InlineData(FrameKind.DeltaFrame)]
    [InlineData(FrameKind.Event)]
    [InlineData(FrameKind.KeepAlive)]
    public void Read_EachKind_IsWhatWasWritten(FrameKind kind)
    {
        var description = Writer(
            5, DataSetFieldContentMask.None, UadpLayout.Dynamic.DataSetMask, MetaOf(BuiltInType.Int32),
            MetaOf(BuiltInType.Double));
        using var writer = MessageWriter(UadpLayout.Dynamic.NetworkMask);
        using var reader = Reader(new UadpDirectory(description));
        FrameField[] fields = kind switch
        {
            FrameKind.Event => [Field(0, new(7)), Field(1, new(2.5))],
            FrameKind.DeltaFrame => [Field(1, new(2.5))],
            _ => [],
        };

        var dataSet = Assert.Single(
            reader.Read(Message(writer, new FrameOf(description, kind, 9, fields))).Data!.DataSets);

        Assert.Equal(kind, dataSet.Kind);
        Assert.Equal(9u, dataSet.SequenceNumber);
        Assert.Equal(fields.Select(field => field.Index), dataSet.Fields.Select(field => field.Index));
    }

    [Fact]
    public void Read_BadAndUncertainVariants_HaveTheirStatus()
    {
        var description = Writer(
            5, DataSetFieldContentMask.None, UadpDataSetMessageContentMask.None, MetaOf(BuiltInType.Int32),
            MetaOf(BuiltInType.Int32), MetaOf(BuiltInType.StatusCode));
        using var writer = MessageWriter(UadpNetworkMessageContentMask.PayloadHeader);
        using var reader = Reader(new UadpDirectory(description));

        var bytes = Message(writer, new FrameOf(
            description, FrameKind.KeyFrame, 1, Field(0, new(1), StatusCodes.BadNoCommunication),
            Field(1, new(2), StatusCodes.UncertainSubNormal), Field(2, new(new StatusCode(StatusCodes.BadTimeout)))));
        var fields = Assert.Single(reader.Read(bytes).Data!.DataSets).Fields;

        Assert.Equal(new DataValue(StatusCodes.BadNoCommunication), fields[0].Value);
        Assert.Equal(new DataValue(new Variant(2), StatusCodes.UncertainSubNormal), fields[1].Value);
        Assert.Equal(StatusCodes.BadTimeout, fields[2].Value.Value.AsStatusCode().Code);
        Assert.True(fields[2].Value.Status.IsGood);
    }

    [Fact]
    public void Read_PublisherIdOfEachType_IsKept()
    {
        UadpPublisherId[] ids =
        [
            UadpPublisherId.Of((byte)200), UadpPublisherId.Of((ushort)60000), UadpPublisherId.Of(4_000_000_000u),
            UadpPublisherId.Of(ulong.MaxValue), UadpPublisherId.Of("pläne/1"),
        ];
        var description = Writer(1, default, default, MetaOf(BuiltInType.Int32));
        foreach (var id in ids)
        {
            using var writer = new UadpNetworkMessageWriter(
                Group(UadpNetworkMessageContentMask.PublisherId), new UadpWriterOptions { PublisherId = id });
            using var reader = Reader(new UadpDirectory());

            var bytes = Message(writer, new FrameOf(description, FrameKind.KeyFrame, 1, Field(0, new(1))));

            Assert.Equal(id.ToString(), reader.Read(bytes).Data!.PublisherId);
            Assert.True(UadpPublisherId.TryParse(id.ToString(), id.Type, out var parsed) && parsed == id);
        }

        Assert.False(UadpPublisherId.TryParse("256", UadpPublisherIdType.Byte, out _));
    }

    [Fact]
    public void Read_FixedLayout_FindsEachWriterByItsPlace()
    {
        var layout = UadpLayout.PeriodicFixed;
        var first = Writer(1, DataSetFieldContentMask.RawData, layout.DataSetMask, MetaOf(BuiltInType.Int32)) with
        {
            UadpConfiguredSize = 20,
        };
        var second = Writer(
            2, DataSetFieldContentMask.RawData, layout.DataSetMask, MetaOf(BuiltInType.String, maxStringLength: 8));
        using var writer = MessageWriter(layout.NetworkMask);
        using var reader = Reader(new UadpDirectory(first, second) { Slots = [new(1, 20), new(2, 0)] });

        var data = reader.Read(Message(
            writer, new FrameOf(first, FrameKind.KeyFrame, 1, Field(0, new(-3))),
            new FrameOf(second, FrameKind.KeyFrame, 1, Field(0, new("héé"))))).Data!;

        Assert.Equal([1, 2], data.DataSets.Select(dataSet => (int)dataSet.DataSetWriterId));
        Assert.Equal(-3, data.DataSets[0].Fields[0].Value.Value.AsInt32());
        Assert.Equal("héé", data.DataSets[1].Fields[0].Value.Value.AsString());
    }

    [Fact]
    public void Read_RawFieldsOfEachType_AreWhatWasWritten()
    {
        var random = new Random(5);
        (FieldMetaData MetaData, Variant Value)[] fields =
        [
            (MetaOf(BuiltInType.Boolean), new(true)), (MetaOf(BuiltInType.SByte), new((sbyte)-1)),
            (MetaOf(BuiltInType.Byte), new((byte)2)), (MetaOf(BuiltInType.UInt16), new((ushort)3)),
            (MetaOf(BuiltInType.UInt32), new(4u)), (MetaOf(BuiltInType.Int64), new(-5L)),
            (MetaOf(BuiltInType.UInt64), new(6UL)), (MetaOf(BuiltInType.Float), new(7.5f)),
            (MetaOf(BuiltInType.Double), new(8.25)), (MetaOf(BuiltInType.DateTime), new(Timestamp)),
            (MetaOf(BuiltInType.Guid), new(ClassId)), (MetaOf(BuiltInType.StatusCode), new((StatusCode)0x80010000)),
            (MetaOf(BuiltInType.String), new("no bound")), (MetaOf(BuiltInType.String, maxStringLength: 9), new("")),
            (MetaOf(BuiltInType.ByteString, maxStringLength: 9), Variant.FromByteString([1, 2])),
            (MetaOf(BuiltInType.String, 1, [4], 3), Strings("a", null, "abc")),
            (MetaOf(BuiltInType.Double, 1), Variant.FromArray(BuiltInType.Double, new[] { random.NextDouble(), 1 })),
            (MetaOf(BuiltInType.Int32, 1, [3]), Variant.FromArray(BuiltInType.Int32, null)),
            (MetaOf(BuiltInType.Int16, 3, [2, 3, 2]), Variant.FromMatrix(
                BuiltInType.Int16, new Matrix(new short[] { 1, 2, 3, 4 }, [2, 2, 1]))),
            (MetaOf(BuiltInType.Int16, 2), Variant.FromMatrix(
                BuiltInType.Int16, new Matrix(new short[] { 1, 2, 3, 4 }, [2, 2]))),
        ];
        var description = Writer(
            1, DataSetFieldContentMask.RawData, default, [.. fields.Select(field => field.MetaData)]);
        using var writer = MessageWriter(UadpNetworkMessageContentMask.PayloadHeader);
        using var reader = Reader(new UadpDirectory(description));

        var bytes = Message(writer, new FrameOf(
            description, FrameKind.KeyFrame, 1, [.. fields.Select((field, i) => Field(i, field.Value))]));
        var dataSet = Assert.Single(reader.Read(bytes).Data!.DataSets);

        Assert.Equal(UadpDataSetProblem.None, dataSet.Problem);
        for (var i = 0; i < fields.Length; i++)
            Assert.Equal(Value(fields[i].Value).EncodedVariant, Value(dataSet.Fields[i].Value.Value).EncodedVariant);
    }

    [Fact]
    public void TryAdd_ValueThatTheMetaDataForbids_IsRefusedAndTheMessageStands()
    {
        using var writer = MessageWriter(UadpNetworkMessageContentMask.PayloadHeader);
        (FieldMetaData MetaData, Variant Value)[] refused =
        [
            (MetaOf(BuiltInType.Int32), new(1.5)), (MetaOf(BuiltInType.String, maxStringLength: 2), new("abc")),
            (MetaOf(BuiltInType.Int32, 1, [1]), Variant.FromArray(BuiltInType.Int32, new[] { 1, 2 })),
            (MetaOf(BuiltInType.Int32), Variant.FromArray(BuiltInType.Int32, new[] { 1 })),
            (MetaOf(BuiltInType.NodeId), new(new NodeId(1))), (MetaOf(BuiltInType.Int32, -2), new(1)),
        ];
        writer.Begin(Guid.Empty, Timestamp);
        var good = Writer(1, DataSetFieldContentMask.RawData, default, MetaOf(BuiltInType.Int32));
        Assert.True(writer.TryAdd(Frame(good, FrameKind.KeyFrame, 1, Field(0, new(1)))));
        var length = writer.Length;

        foreach (var (metaData, value) in refused)
        {
            var bad = Writer(2, DataSetFieldContentMask.RawData, default, metaData);
            Assert.False(writer.TryAdd(Frame(bad, FrameKind.KeyFrame, 1, Field(0, value))));
            Assert.Equal(UadpWriteProblem.ValueNotRaw, writer.Problem);
            Assert.Equal(length, writer.Length);
        }

        Assert.Equal(length, writer.End().Length);
    }

    [Fact]
    public void WriteAMessage_Warm_AllocatesNothing()
    {
        var metaData = Enumerable.Range(0, 100).Select(_ => MetaOf(BuiltInType.Double)).ToArray();
        var fields = Enumerable.Range(0, 100).Select(i => Field(i, new(i * 1.5))).ToArray();
        foreach (var mask in new[] { DataSetFieldContentMask.None, DataSetFieldContentMask.RawData, AllOfDataValue })
        {
            var description = Writer(1, mask, UadpLayout.Dynamic.DataSetMask, metaData);
            using var writer = MessageWriter(UadpLayout.Dynamic.NetworkMask, UadpWriterOptions.Ipv4MessageBytes);

            Assert.Equal(0, Allocations.OfThousand(() =>
            {
                writer.Begin(Guid.Empty, Timestamp);
                writer.TryAdd(new DataSetFrame
                {
                    Writer = description,
                    Kind = FrameKind.KeyFrame,
                    SequenceNumber = 1,
                    Timestamp = Timestamp,
                    Fields = fields,
                });
                writer.End();
            }));
        }
    }

    private static Variant Strings(params string?[] values) => Variant.FromArray(BuiltInType.String, values);

    private static UadpNetworkMessageReader Reader(IUadpDirectory directory) =>
        new(new UadpReaderOptions(), directory, null, TimeProvider.System);

    private static void Check(
        UadpNetworkMessageContentMask network, UadpDataSetMessageContentMask dataSet, DataSetFieldContentMask encoding)
    {
        var first = Writer(
            1, encoding, dataSet, MetaOf(BuiltInType.Int32, isPromoted: true), MetaOf(BuiltInType.Double));
        var second = Writer(2, encoding, dataSet, MetaOf(BuiltInType.Boolean));
        using var writer = MessageWriter(network);
        using var reader = Reader(new UadpDirectory(first, second) { Slots = [new(1, 0), new(2, 0)] });
        var hasPromoted = (network & UadpNetworkMessageContentMask.PromotedFields) != 0;
        writer.Begin(Guid.Empty, Timestamp);
        Assert.True(writer.TryAdd(Frame(first, FrameKind.KeyFrame, 3, Field(0, new(11)), Field(1, new(2.5)))));
        Assert.Equal(!hasPromoted, writer.TryAdd(Frame(second, FrameKind.KeyFrame, 4, Field(0, new(true)))));
        var length = writer.Length;
        var bytes = writer.End();
        Assert.Equal(length, bytes.Length);

        var result = hasPromoted ? ReadOne(first, bytes.Span) : reader.Read(bytes.Span);

        var data = result.Data!;
        Assert.Equal((network & UadpNetworkMessageContentMask.PublisherId) != 0, data.PublisherId == "2571");
        var hasGroup = (network & UadpNetworkMessageContentMask.GroupHeader) != 0;
        Assert.Equal(
            hasGroup && (network & UadpNetworkMessageContentMask.WriterGroupId) != 0, data.WriterGroupId == 0x0102);
        Assert.Equal((network & UadpNetworkMessageContentMask.Timestamp) != 0, data.Timestamp == Timestamp);
        Assert.Equal(hasPromoted ? 1 : 2, data.DataSets.Count);
        Assert.Equal(UadpDataSetProblem.None, data.DataSets[0].Problem);
        Assert.Equal(11, data.DataSets[0].Fields[0].Value.Value.AsInt32());
        Assert.Equal(2.5, data.DataSets[0].Fields[1].Value.Value.AsDouble());
        Assert.Equal(
            (dataSet & UadpDataSetMessageContentMask.MinorVersion) != 0, data.DataSets[0].MinorVersion == 9);
    }

    private static UadpReadResult ReadOne(WriterDescription writer, ReadOnlySpan<byte> bytes)
    {
        using var reader = Reader(new UadpDirectory(writer) { Slots = [new(1, 0)] });
        return reader.Read(bytes);
    }
}
