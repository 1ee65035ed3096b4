using System.Text;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;
using DataSetMask = Gateway.Codec.Structures.JsonDataSetMessageContentMask;
using FieldMask = Gateway.Codec.Structures.DataSetFieldContentMask;
using NetworkMask = Gateway.Codec.Structures.JsonNetworkMessageContentMask;
using static Gateway.PubSub.Tests.Json.JsonSamples;

namespace Gateway.PubSub.Tests.Json;

public sealed class JsonNetworkMessageReaderTests
{
    private const DataSetMask AllHeader = (DataSetMask)0x77F;

    private static readonly FieldMetaData[] Fields =
    [
        Field("Double", BuiltInType.Double), Field("Text", BuiltInType.String), Field("Int64", BuiltInType.Int64),
        Field("Matrix", BuiltInType.Int32, 2), Field("Id", BuiltInType.NodeId), Field("Times", BuiltInType.DateTime, 1),
        Field("Localized", BuiltInType.LocalizedText), Field("Range", BuiltInType.ExtensionObject, -1, new NodeId(884)),
        Field("Any", BuiltInType.Variant), Field("State", BuiltInType.StatusCode),
    ];

    private static readonly Variant[] Values =
    [
        new(25.5), new("text"), new(long.MinValue),
        Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4, 5, 6 }, [2, 3])),
        new(new NodeId("Pipe", 2)), Variant.FromArray(BuiltInType.DateTime, new[] { Time, SourceTime }),
        new(new LocalizedText("words", "en")), Variant.FromStructure(new Codec.Structures.Range { Low = 1, High = 2 }),
        new((byte)7), new(new StatusCode(StatusCodes.BadTimeout)),
    ];

    private readonly JsonNetworkMessageReader _reader = new(new JsonFormat { Uris = Uris });

    public static TheoryData<DataSetMask, FieldMask, NetworkMask> Forms()
    {
        var all = new TheoryData<DataSetMask, FieldMask, NetworkMask>();
        foreach (var encoding in new[] { Verbose, Compact, Reversible, NonReversible })
        {
            foreach (var fields in new[] { FieldMask.None, FieldMask.StatusCode | FieldMask.SourceTimestamp })
            {
                foreach (var layout in new[] { Batched, Batched | NetworkMask.SingleDataSetMessage, Bare })
                    all.Add(encoding | AllHeader, fields, layout);
                all.Add(encoding, fields, NetworkMask.SingleDataSetMessage);
                all.Add(encoding, fields, NetworkMask.None);
            }
        }

        return all;
    }

    /// <summary>Each layout and encoding, the text alone says which it is.</summary>
    [Theory]
    [MemberData(nameof(Forms))]
    public void Read_WithMetaData_ValuesOfTheWriter(DataSetMask mask, FieldMask fields, NetworkMask layout)
    {
        var writer = Writer(mask, fields, Fields);
        var text = Write(layout, writer, FrameKind.KeyFrame, [.. Values.Select((value, i) => Value(i, value))]);
        var message = Assert.Single(Data(text, writer.MetaData).DataSets);
        Assert.True(message.IsTyped);
        Assert.Equal(FrameKind.KeyFrame, message.Kind);
        for (var i = 0; i < Values.Length; i++)
        {
            // NonReversible leaves out the locale, and the type of an abstract field.
            if ((mask & Compact) == NonReversible && (i is 6 or 8))
                continue;
            var field = message.Fields[i];
            Assert.Equal((Fields[i].Name, i), (field.Name, field.Index));
            Assert.True(field.Value.Status.IsGood, $"{field.Name}: {field.Value.Status} in {text}");
            Assert.Equal(Text(Values[i]), Text(field.Value.Value));
            Assert.Equal(fields == 0 ? default : SourceTime, field.Value.SourceTimestamp);
        }

        if ((layout & NetworkMask.DataSetMessageHeader) == 0)
            return;
        Assert.Equal((ushort)101, message.DataSetWriterId);
        Assert.Equal(
            (68468u, 672338910u, 672341762u), (message.SequenceNumber, message.MajorVersion, message.MinorVersion));
        Assert.Equal(("Writer101", Time), (message.DataSetWriterName, message.Timestamp));
    }

    [Theory]
    [InlineData(Verbose, FieldMask.None)]
    [InlineData(Verbose, FieldMask.RawData)]
    [InlineData(Compact, FieldMask.None)]
    [InlineData(Reversible, FieldMask.None)]
    [InlineData(NonReversible, FieldMask.None)]
    [InlineData(Verbose, FieldMask.StatusCode)]
    [InlineData(Compact, FieldMask.ServerTimestamp)]
    public void Read_BadValue_ItsStatus(DataSetMask mask, FieldMask fields)
    {
        var writer = Writer(mask, fields, Fields[0]);
        var text = Write(
            Batched, writer, FrameKind.DeltaFrame, new FrameField(0, null, StatusCodes.BadNoCommunication));
        foreach (var metaData in new[] { writer.MetaData, null })
        {
            var value = Assert.Single(Assert.Single(Data(text, metaData).DataSets).Fields).Value;
            Assert.Equal(StatusCodes.BadNoCommunication, value.Status.Code);
            Assert.True(value.Value.IsNull);
        }
    }

    /// <summary>JSON writes them as null, or not at all. A null without a type stays what it is where the field's type
    /// has no null.</summary>
    [Theory]
    [InlineData(Verbose, FieldMask.SourceTimestamp)]
    [InlineData(Compact, FieldMask.SourceTimestamp)]
    [InlineData(Verbose, FieldMask.None)]
    [InlineData(Verbose, FieldMask.RawData)]
    [InlineData(Compact, FieldMask.RawData)]
    public void Read_NullOfATypedField_HasItsType(DataSetMask mask, FieldMask fields)
    {
        (FieldMetaData Field, Variant Value)[] all =
        [
            (Field("String", BuiltInType.String), new((string?)null)),
            (Field("Guid", BuiltInType.Guid), new(Guid.Empty)),
            (Field("ByteString", BuiltInType.ByteString), Variant.FromByteString(null)),
            (Field("XmlElement", BuiltInType.XmlElement), new(default(XmlElement))),
            (Field("NodeId", BuiltInType.NodeId), new(default(NodeId))),
            (Field("ExpandedNodeId", BuiltInType.ExpandedNodeId), new(default(ExpandedNodeId))),
            (Field("QualifiedName", BuiltInType.QualifiedName), new(default(QualifiedName))),
            (Field("LocalizedText", BuiltInType.LocalizedText), new(default(LocalizedText))),
            (Field("String[]", BuiltInType.String, 1), Variant.FromArray(BuiltInType.String, null)),
            (Field("Double[]", BuiltInType.Double, 1), Variant.FromArray(BuiltInType.Double, null)),
            (Field("Double", BuiltInType.Double), new(0d)),
            (Field("StatusCode", BuiltInType.StatusCode), new(StatusCode.Good)),
            (Field("Boolean", BuiltInType.Boolean), new(false)),
            (Field("None", BuiltInType.Double), default),
        ];
        var writer = Writer(mask, fields, [.. all.Select(static one => one.Field)]);
        var text = Write(
            Batched, writer, FrameKind.KeyFrame, [.. all.Select(static (one, i) => Value(i, one.Value))]);

        var read = Assert.Single(Data(text, writer.MetaData).DataSets).Fields;

        Assert.All(all.Zip(read), pair => Assert.Equal(
            (pair.First.Field.Name, pair.First.Value.Type, pair.First.Value.IsScalar, true),
            (pair.Second.Name, pair.Second.Value.Value.Type, pair.Second.Value.Value.IsScalar,
                pair.Second.Value.Status.IsGood)));
    }

    /// <summary>Without metadata JSON itself says the types.</summary>
    [Theory]
    [InlineData("25.5", BuiltInType.Double)]
    [InlineData("25", BuiltInType.Int64)]
    [InlineData("true", BuiltInType.Boolean)]
    [InlineData("\"x\"", BuiltInType.String)]
    [InlineData("[1,2.5]", BuiltInType.Double)]
    [InlineData("[[1,2],[3,4]]", BuiltInType.Int64)]
    [InlineData("{\"Value\":1.5,\"SourceTimestamp\":\"2021-09-27T11:32:38Z\"}", BuiltInType.Double)]
    [InlineData("{\"Array\":[1,2,3,4],\"Dimensions\":[2,2]}", BuiltInType.Int64)]
    [InlineData("{\"UaType\":3,\"Value\":1}", BuiltInType.Byte)]
    [InlineData("{\"Type\":3,\"Body\":1}", BuiltInType.Byte)]
    [InlineData("{\"Text\":\"a\",\"Locale\":\"en\"}", BuiltInType.LocalizedText)]
    public void Read_WithoutMetaData_TypesOfJson(string value, BuiltInType type)
    {
        var text = $"{{\"Messages\":[{{\"Payload\":{{\"A\":{value}}}}}],\"MessageType\":\"ua-data\"}}";
        var message = Assert.Single(Data(text, null).DataSets);
        var field = Assert.Single(message.Fields);
        Assert.Equal((type, -1, false), (field.Value.Value.Type, field.Index, message.IsTyped));
        Assert.True(field.Value.Status.IsGood);
    }

    /// <summary>Part 14 §5.4.2.1: what a subscriber does not know.</summary>
    [Fact]
    public void Read_UnknownMembersAndTypes_Ignored()
    {
        var text = """
            { "New": {"a":[1]}, "Messages": [ { "Payload": {"Temperature": 1, "Other": {"x": 1}}, "Later": [],
            "DataSetWriterId": "101", "MessageType": "ua-condition" } ], "PublisherId": 17,
            "MessageType": "ua-data", "MessageId": "1" }
            """;
        var data = Data(text, null);
        Assert.Equal("17", data.PublisherId);
        var message = Assert.Single(data.DataSets);
        Assert.Equal(((ushort)101, "17"), (message.DataSetWriterId, message.PublisherId));
        Assert.Equal(StatusCodes.BadDataTypeIdUnknown, message.Fields[1].Value.Status.Code);
        var other = _reader.Read("""{"MessageId":"1","MessageType":"ua-action-request"}"""u8, null, out _);
        Assert.Equal("ua-action-request", Assert.IsType<ReceivedOther>(other).MessageType);
    }

    [Fact]
    public void Read_FieldOfAnotherType_OnlyThatFieldIsBad()
    {
        var metaData = Writer(Verbose, default, Fields[0], Fields[1]).MetaData;
        var message = Assert.Single(Data("""{"Double":"no","Text":"yes","Int64":1}""", metaData).DataSets);
        Assert.Equal(StatusCodes.BadDecodingError, message.Fields[0].Value.Status.Code);
        Assert.Equal("yes", message.Fields[1].Value.Value.AsString());
        Assert.Equal(-1, message.Fields[2].Index);
    }

    [Fact]
    public void Read_KeepAliveAndDelta_Kinds()
    {
        var metaData = Writer(Verbose, default, Fields[0], Fields[1]).MetaData;
        var keepAlive = Data("""{"DataSetWriterId":1,"SequenceNumber":5}""", metaData);
        Assert.Equal(FrameKind.KeepAlive, Assert.Single(keepAlive.DataSets).Kind);
        Assert.Equal(FrameKind.DeltaFrame, Assert.Single(Data("""{"Double":1}""", metaData).DataSets).Kind);
        var other = """{"DataSetWriterId":1,"MetaDataVersion":{"MajorVersion":9},"Payload":{"Double":1}}""";
        Assert.False(Assert.Single(Data(other, metaData).DataSets).IsTyped);
    }

    [Theory]
    [InlineData("", ReceiveProblem.Malformed)]
    [InlineData("{", ReceiveProblem.Malformed)]
    [InlineData("{} {}", ReceiveProblem.Malformed)]
    [InlineData("17", ReceiveProblem.Malformed)]
    [InlineData("[1]", ReceiveProblem.WrongMember)]
    [InlineData("{\"a\":1,\"a\":2}", ReceiveProblem.WrongMember)]
    [InlineData("{\"\\ud800\":1}", ReceiveProblem.Malformed)]
    [InlineData("{\"MessageId\":\"1\",\"MessageType\":\"ua-data\"}", ReceiveProblem.WrongMember)]
    [InlineData("{\"MessageId\":\"1\",\"MessageType\":\"ua-data\",\"Messages\":7}", ReceiveProblem.WrongMember)]
    [InlineData("{\"MessageId\":\"1\",\"MessageType\":\"ua-status\",\"Status\":\"x\"}", ReceiveProblem.WrongMember)]
    [InlineData("{\"DataSetWriterId\":70000,\"Payload\":{}}", ReceiveProblem.WrongMember)]
    [InlineData("{\"DataSetWriterId\":1,\"DataSetWriterId\":1,\"Payload\":{}}", ReceiveProblem.WrongMember)]
    [InlineData("[{},{},{},{}]", ReceiveProblem.TooManyDataSets)]
    [InlineData("{\"a\":1,\"b\":1,\"c\":1,\"d\":1}", ReceiveProblem.TooManyFields)]
    [InlineData("{\"a\":[[[[[[[[[[]]]]]]]]]]}", ReceiveProblem.TooDeep)]
    [InlineData(
        "[                                                                                       ]",
        ReceiveProblem.TooLong)]
    public void Read_Hostile_ItsProblem(string text, ReceiveProblem expected)
    {
        var limits = new JsonReaderLimits { MaxDataSets = 3, MaxFields = 3, MaxJsonDepth = 8, MaxMessageBytes = 80 };
        var reader = new JsonNetworkMessageReader(new JsonFormat(), limits);
        Assert.Null(reader.Read(Encoding.UTF8.GetBytes(text), null, out var problem));
        Assert.Equal(expected, problem);
    }

    /// <summary>Seeded: messages with bytes changed, cut and doubled give a message or a problem, and never an
    /// exception.</summary>
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void Read_Mutated_MessageOrProblem(int seed)
    {
        var random = new Random(seed);
        var values = Values.Select((value, i) => Value(i, value)).ToArray();
        var (messages, problems) = (0, 0);
        for (var i = 0; i < 4_000; i++)
        {
            var mask = (DataSetMask)random.Next(0x1000);
            var writer = Writer(mask, (FieldMask)random.Next(0x40), Fields);
            var layout = (NetworkMask)random.Next(0x80);
            var text = Encoding.UTF8.GetBytes(Write(layout, writer, FrameKind.KeyFrame, values));
            for (var change = random.Next(4); change >= 0; change--)
                text = Mutate(text, random);
            var message = _reader.Read(text, new Known(writer.MetaData), out var problem);
            Assert.Equal(message is null, problem != ReceiveProblem.None);
            _ = message is null ? problems++ : messages++;
        }

        Assert.True(messages > 100 && problems > 100, $"{messages} messages, {problems} problems");
    }

    private static byte[] Mutate(byte[] text, Random random)
    {
        if (text.Length == 0)
            return text;
        var (at, other) = (random.Next(text.Length), random.Next(text.Length));
        var changed = text.ToArray();
        switch (random.Next(5))
        {
            case 0:
                changed[at] = (byte)random.Next(256);
                return changed;
            case 1:
                changed[at] = "{}[]\",:019-eE\\u"u8[random.Next(15)];
                return changed;
            case 2:
                return random.Next(4) == 0 ? changed[..at] : changed;
            case 3:
                (changed[at], changed[other]) = (changed[other], changed[at]);
                return changed;
            default:
                var (first, last) = (Math.Min(at, other), Math.Max(at, other));
                return [.. text[..last], .. text[first..]];
        }
    }

    private ReceivedData Data(string text, DataSetMetaDataType? metaData)
    {
        var message = _reader.Read(
            Encoding.UTF8.GetBytes(text), metaData is null ? null : new Known(metaData), out var problem);
        Assert.Equal(ReceiveProblem.None, problem);
        return Assert.IsType<ReceivedData>(message);
    }

    private static string Text(Variant value)
    {
        var writer = UaJsonWriter.Rent(new JsonFormat { Uris = Uris });
        writer.WriteVariant(value);
        var text = Encoding.UTF8.GetString(writer.WrittenSpan);
        writer.Return();
        return text;
    }

    private sealed class Known(DataSetMetaDataType metaData) : IMetaDataLookup
    {
        public DataSetMetaDataType? Find(ReceivedDataSet message) => metaData;
    }
}
