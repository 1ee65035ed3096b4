using System.Text;
using System.Text.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.PubSub.Json;
using Gateway.PubSub.Messages;
using Gateway.Testing;
using DataSetMask = Gateway.Codec.Structures.JsonDataSetMessageContentMask;
using FieldMask = Gateway.Codec.Structures.DataSetFieldContentMask;
using NetworkMask = Gateway.Codec.Structures.JsonNetworkMessageContentMask;
using static Gateway.PubSub.Tests.Json.JsonSamples;

namespace Gateway.PubSub.Tests.Json;

/// <summary>Texts that are derived by hand from the tables of Part 14 §7.2.5 and Part 6 §5.4.</summary>
public sealed class JsonNetworkMessageWriterTests
{
    private const DataSetMask AllHeader = DataSetMask.DataSetWriterId | DataSetMask.MetaDataVersion |
        DataSetMask.SequenceNumber | DataSetMask.Timestamp | DataSetMask.Status | DataSetMask.MessageType |
        DataSetMask.DataSetWriterName | DataSetMask.PublisherId | DataSetMask.WriterGroupName |
        DataSetMask.MinorVersion;

    private static readonly FieldMetaData[] DataSet1 =
    [
        Field("Active", BuiltInType.Boolean), Field("Temperature", BuiltInType.Double),
        Field("Counter", BuiltInType.UInt32), Field("AdditionalInfo", BuiltInType.String),
    ];

    private static FrameField[] Values1() =>
    [
        Value(0, new Variant(true)), Value(1, new Variant(25.5)), Value(2, new Variant(0u)),
        Value(3, new Variant("The system is running normally (1)")),
    ];

    /// <summary>The layout of Part 14 §A.3.4 with its default masks.</summary>
    [Fact]
    public void Batched_Verbose_HeaderAndCollapsedValues()
    {
        var mask = Verbose | DataSetMask.DataSetWriterId | DataSetMask.SequenceNumber | DataSetMask.MinorVersion |
            DataSetMask.Timestamp | DataSetMask.Status;
        var text = Write(Batched | NetworkMask.PublisherId, Writer(mask, default, DataSet1), FrameKind.KeyFrame,
            Values1());
        Assert.Equal(
            """{"MessageId":"9279c0b3-da88-45a4-af74-451cebf82db0","MessageType":"ua-data",""" +
            "\"PublisherId\":\"MyPublisher\",\"Messages\":[{\"DataSetWriterId\":101,\"SequenceNumber\":68468," +
            "\"MinorVersion\":672341762,\"Timestamp\":\"2021-09-27T18:45:19.555Z\",\"Payload\":{\"Active\":true," +
            "\"Temperature\":25.5,\"Counter\":0,\"AdditionalInfo\":\"The system is running normally (1)\"}}]}",
            text);
    }

    /// <summary>All members that a DataSetMessage has where no NetworkMessage header has them: Table 185.</summary>
    [Fact]
    public void Bare_AllMembers_InTheOrderOfTheTable()
    {
        var writer = Writer(Verbose | AllHeader, default, DataSet1[1]);
        using var json = new JsonNetworkMessageWriter(Group(Bare));
        json.Begin(MessageId, Time);
        var fields = new[] { Value(0, new Variant(25.5)) };
        Assert.True(json.TryAdd(Frame(writer, FrameKind.DeltaFrame, fields, StatusCodes.Uncertain)));
        Assert.Equal(
            """{"DataSetWriterId":101,"DataSetWriterName":"Writer101","PublisherId":"MyPublisher",""" +
            "\"WriterGroupName\":\"WriterGroup1\",\"SequenceNumber\":68468," +
            "\"MetaDataVersion\":{\"MajorVersion\":672338910," +
            "\"MinorVersion\":672341762},\"Timestamp\":\"2021-09-27T18:45:19.555Z\",\"Status\":{\"Code\":1073741824," +
            "\"Symbol\":\"Uncertain\"},\"MessageType\":\"ua-deltaframe\",\"Payload\":{\"Temperature\":25.5}}",
            Encoding.UTF8.GetString(json.End().Span));
    }

    [Fact]
    public void Batched_WithNamesInItsHeader_OnceOnly()
    {
        var text = Write(
            Batched | NetworkMask.PublisherId | NetworkMask.WriterGroupName, Writer(Verbose | AllHeader, default),
            FrameKind.KeepAlive);
        Assert.Equal(
            """{"MessageId":"9279c0b3-da88-45a4-af74-451cebf82db0","MessageType":"ua-data",""" +
            "\"PublisherId\":\"MyPublisher\",\"WriterGroupName\":\"WriterGroup1\"," +
            "\"Messages\":[{\"DataSetWriterId\":101," +
            "\"DataSetWriterName\":\"Writer101\",\"SequenceNumber\":68468," +
            "\"MetaDataVersion\":{\"MajorVersion\":672338910," +
            "\"MinorVersion\":672341762},\"Timestamp\":\"2021-09-27T18:45:19.555Z\"," +
            "\"MessageType\":\"ua-keepalive\"}]}",
            text);
    }

    /// <summary>An event has all fields, as Variants: Part 14 §7.2.5.4 and Table 185. A field without a value is null,
    /// as Verbose writes it.</summary>
    [Fact]
    public void Event_Verbose_AllFieldsOfOneEvent()
    {
        var mask = Verbose | DataSetMask.DataSetWriterId | DataSetMask.SequenceNumber | DataSetMask.Timestamp |
            DataSetMask.MessageType;
        var text = Write(
            Batched, Writer(
                mask, default, Field("eventId", BuiltInType.ByteString), Field("message", BuiltInType.LocalizedText),
                Field("severity", BuiltInType.UInt16), Field("active", BuiltInType.Boolean)),
            FrameKind.Event, Value(0, Variant.FromByteString([1, 2, 3])),
            Value(1, new Variant(new LocalizedText("off", "en"))), Value(2, new Variant((ushort)650)),
            new FrameField(3, null, StatusCode.Good));
        Assert.Equal(
            """{"MessageId":"9279c0b3-da88-45a4-af74-451cebf82db0","MessageType":"ua-data",""" +
            "\"Messages\":[{\"DataSetWriterId\":101,\"SequenceNumber\":68468," +
            "\"Timestamp\":\"2021-09-27T18:45:19.555Z\",\"MessageType\":\"ua-event\"," +
            "\"Payload\":{\"eventId\":\"AQID\"," +
            "\"message\":{\"Locale\":\"en\",\"Text\":\"off\"},\"severity\":650,\"active\":null}}]}",
            text);
    }

    [Fact]
    public void DataValues_Verbose_OnlyWhatTheMaskNames()
    {
        var fields = FieldMask.StatusCode | FieldMask.SourceTimestamp;
        var text = WritePayload(
            Writer(Verbose, fields, DataSet1[0], DataSet1[1], DataSet1[3]),
            Value(0, new Variant(true), StatusCodes.Uncertain), Value(1, new Variant(25.5)),
            new FrameField(2, null, StatusCodes.BadNoCommunication));
        Assert.Equal(
            """{"Active":{"Value":true,"Status":{"Code":1073741824,"Symbol":"Uncertain"},""" +
            "\"SourceTimestamp\":\"2021-09-27T11:32:38Z\"},\"Temperature\":{\"Value\":25.5," +
            "\"SourceTimestamp\":\"2021-09-27T11:32:38Z\"},\"AdditionalInfo\":{\"Status\":{\"Code\":2150694912," +
            "\"Symbol\":\"BadNoCommunication\"}}}",
            text);
    }

    [Theory]
    [InlineData(FieldMask.ServerTimestamp, """{"UaType":11,"Value":25.5,"ServerTimestamp":"2021-09-27T11:32:39Z"}""")]
    [InlineData(
        FieldMask.SourceTimestamp | FieldMask.SourcePicoSeconds,
        """{"UaType":11,"Value":25.5,"SourceTimestamp":"2021-09-27T11:32:38Z","SourcePicoseconds":7}""")]
    [InlineData(FieldMask.SourcePicoSeconds, """{"UaType":11,"Value":25.5}""")]
    public void DataValues_Compact_OnlyWhatTheMaskNames(FieldMask mask, string expected)
    {
        var text = WritePayload(Writer(Compact, mask, DataSet1[1]), Value(0, new Variant(25.5)));
        Assert.Equal($"{{\"Temperature\":{expected}}}", text);
    }

    [Theory]
    [InlineData(Verbose, FieldMask.None, "25.5")]
    [InlineData(Verbose, FieldMask.RawData, "25.5")]
    [InlineData(Compact, FieldMask.None, """{"UaType":11,"Value":25.5}""")]
    [InlineData(Compact, FieldMask.RawData, """{"UaType":11,"Value":25.5}""")]
    [InlineData(Reversible, FieldMask.None, """{"Type":11,"Body":25.5}""")]
    [InlineData(Reversible, FieldMask.RawData, """{"Type":11,"Body":25.5}""")]
    [InlineData(NonReversible, FieldMask.None, "25.5")]
    [InlineData(Reversible, FieldMask.SourceTimestamp,
        """{"Value":{"Type":11,"Body":25.5},"SourceTimestamp":"2021-09-27T11:32:38Z"}""")]
    [InlineData(NonReversible, FieldMask.SourceTimestamp,
        """{"Value":25.5,"SourceTimestamp":"2021-09-27T11:32:38Z"}""")]
    public void Variant_EachEncoding_ItsForm(DataSetMask encoding, FieldMask mask, string expected) => Assert.Equal(
        $"{{\"Temperature\":{expected}}}",
        WritePayload(Writer(encoding, mask, DataSet1[1]), Value(0, new Variant(25.5))));

    [Theory]
    [InlineData(Verbose, FieldMask.None, """{"UaType":19,"Value":{"Code":2150694912,"Symbol":"BadNoCommunication"}}""")]
    [InlineData(Verbose, FieldMask.RawData, """{"Code":2150694912,"Symbol":"BadNoCommunication"}""")]
    [InlineData(Compact, FieldMask.None, """{"UaType":19,"Value":{"Code":2150694912}}""")]
    [InlineData(Reversible, FieldMask.None, """{"Type":19,"Body":2150694912}""")]
    [InlineData(NonReversible, FieldMask.None, """{"Code":2150694912,"Symbol":"BadNoCommunication"}""")]
    [InlineData(Compact, FieldMask.SourceTimestamp,
        """{"UaType":19,"Value":{"Code":2150694912},"SourceTimestamp":"2021-09-27T11:32:38Z"}""")]
    public void Bad_NoMemberForTheStatus_TheStatusIsTheValue(DataSetMask encoding, FieldMask mask, string expected) =>
        Assert.Equal(
            $"{{\"Temperature\":{expected}}}",
            WritePayload(
                Writer(encoding, mask, DataSet1[1]), Value(0, new Variant(25.5), StatusCodes.BadNoCommunication)));

    /// <summary>Part 14 §7.2.5.4.3: BuiltInType Variant, and the ranks Any and OneOrMoreDimensions.</summary>
    [Theory]
    [InlineData(BuiltInType.Variant, -1, FieldMask.None, """{"UaType":11,"Value":25.5}""")]
    [InlineData(BuiltInType.Double, -2, FieldMask.None, """{"UaType":11,"Value":25.5}""")]
    [InlineData(BuiltInType.Double, 0, FieldMask.None, """{"UaType":11,"Value":25.5}""")]
    [InlineData(BuiltInType.Double, -3, FieldMask.None, "25.5")]
    [InlineData(BuiltInType.Variant, -1, FieldMask.RawData, """{"Value":25.5}""")]
    [InlineData(BuiltInType.Variant, -1, FieldMask.StatusCode, """{"UaType":11,"Value":25.5}""")]
    [InlineData(BuiltInType.Variant, -1, FieldMask.StatusCode | FieldMask.RawData, """{"Value":25.5}""")]
    [InlineData(BuiltInType.Int32, -1, FieldMask.None, """{"UaType":11,"Value":25.5}""")]
    public void Verbose_TypeNotInTheMetaData_FullVariant(BuiltInType type, int rank, FieldMask mask, string expected) =>
        Assert.Equal(
            $"{{\"V\":{expected}}}",
            WritePayload(Writer(Verbose, mask, Field("V", type, rank)), Value(0, new Variant(25.5))));

    [Fact]
    public void Verbose_EachKindOfValue_AsAFieldOfAStructure()
    {
        var id = new NodeId("Pipe", 2);
        var argument = new Argument { Name = "A", DataType = new NodeId(11), ValueRank = -1 };
        var writer = Writer(
            Verbose, default, Field("Int64", BuiltInType.Int64), Field("Matrix", BuiltInType.Int32, 2),
            Field("Node", BuiltInType.NodeId), Field("Null", BuiltInType.String),
            Field("Structure", BuiltInType.ExtensionObject, -1, new NodeId(296)),
            Field("Any", BuiltInType.ExtensionObject, -1, new NodeId(22)),
            Field("Texts", BuiltInType.String, 1));
        var text = WritePayload(
            writer, Value(0, new Variant(long.MaxValue)),
            Value(1, Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4 }, [2, 2]))),
            Value(2, new Variant(id)), new FrameField(3, null, default), Value(4, Variant.FromStructure(argument)),
            Value(5, Variant.FromStructure(argument)),
            Value(6, Variant.FromArray(BuiltInType.String, new[] { "a", null })));
        const string Members =
            "\"Name\":\"A\",\"DataType\":\"i=11\",\"ValueRank\":-1,\"ArrayDimensions\":[],\"Description\":null";
        Assert.Equal(
            """{"Int64":"9223372036854775807","Matrix":{"Array":[1,2,3,4],"Dimensions":[2,2]},""" +
            "\"Node\":\"nsu=http://test.org/UA/Data/;s=Pipe\",\"Null\":null,\"Structure\":{" +
            $"{Members}}},\"Any\":{{\"UaTypeId\":\"i=296\",{Members}}},\"Texts\":[\"a\",null]}}",
            text.Replace("\"ArrayDimensions\":null", "\"ArrayDimensions\":[]")
                .Replace("\"Description\":{}", "\"Description\":null"));
    }

    [Fact]
    public void Verbose_Enumeration_NameAndValue()
    {
        var states = new EnumDescription
        {
            DataTypeId = new NodeId(3002, 2),
            EnumDefinition = new EnumDefinition { Fields = [new EnumField { Name = "Running", Value = 1 }] },
        };
        var fields = new[]
        {
            Field("State", BuiltInType.Int32, -1, states.DataTypeId),
            Field("States", BuiltInType.Int32, 1, states.DataTypeId),
        };
        var metaData = new DataSetMetaDataType { Fields = fields, EnumDataTypes = [states] };
        var writer = Writer(Verbose, default) with { MetaData = metaData };
        var text = WritePayload(
            writer, Value(0, new Variant(1)), Value(1, Variant.FromArray(BuiltInType.Int32, new[] { 1, 2 })));
        Assert.Equal("""{"State":"Running_1","States":["Running_1","2"]}""", text);
        var quality = writer with { FieldContentMask = FieldMask.SourceTimestamp };
        Assert.Equal(
            """{"State":{"Value":"Running_1","SourceTimestamp":"2021-09-27T11:32:38Z"}}""",
            WritePayload(quality, Value(0, new Variant(1))));
    }

    [Theory]
    [InlineData(Verbose, FieldMask.None, """{"UaType":19,"Value":{"Code":2147942400,"Symbol":"BadDecodingError"}}""")]
    [InlineData(Verbose, FieldMask.StatusCode, """{"Status":{"Code":2147942400,"Symbol":"BadDecodingError"}}""")]
    [InlineData(Compact, FieldMask.StatusCode, """{"Status":{"Code":2147942400}}""")]
    public void Value_BytesThatAreNone_BadDecodingErrorAndAWholeMessage(
        DataSetMask encoding, FieldMask mask, string expected)
    {
        var writer = Writer(encoding, mask, DataSet1[1], DataSet1[0]);
        using var json = new JsonNetworkMessageWriter(Group(NetworkMask.SingleDataSetMessage));
        json.Begin(MessageId, Time);
        var fields = new[] { Encoded(0, 11, 1, 2, 3) };
        Assert.True(json.TryAdd(Frame(writer, FrameKind.KeyFrame, fields)));
        Assert.Equal($"{{\"Temperature\":{expected}}}", Encoding.UTF8.GetString(json.End().Span));
        Assert.Equal(1, json.UndecodableValues);
    }

    [Fact]
    public void TryAdd_AboveTheLimit_MessageStandsAsItWas()
    {
        var writer = Writer(Verbose | DataSetMask.DataSetWriterId, default, DataSet1[3]);
        using var json = new JsonNetworkMessageWriter(Group(Batched), null, 300);
        json.Begin(MessageId, Time);
        var large = new[] { Value(0, new Variant(new string('x', 400))) };
        var small = new[] { Value(0, new Variant("y")) };
        Assert.False(json.TryAdd(Frame(writer, FrameKind.KeyFrame, large)));
        Assert.Equal(0, json.Length);
        var added = 0;
        while (json.TryAdd(Frame(writer, FrameKind.KeyFrame, small)))
            added++;
        Assert.False(json.TryAdd(Frame(writer, FrameKind.KeyFrame, large)));
        var text = json.End();
        Assert.InRange(text.Length, 250, 300);
        using var document = JsonDocument.Parse(text);
        Assert.Equal(added, document.RootElement.GetProperty("Messages").GetArrayLength());
    }

    [Fact]
    public void TryAdd_AnotherDataSetClass_NextMessage()
    {
        var one = Writer(Verbose, default, DataSet1[1]);
        var id = Guid.NewGuid();
        var other = one with
        {
            DataSetWriterId = 102,
            MetaData = new DataSetMetaDataType { Fields = [DataSet1[1]], DataSetClassId = id },
        };
        var fields = new[] { Value(0, new Variant(1.0)) };
        using var json = new JsonNetworkMessageWriter(Group(Batched | NetworkMask.DataSetClassId));
        json.Begin(MessageId, Time);
        Assert.True(json.TryAdd(Frame(one, FrameKind.KeyFrame, fields)));
        Assert.False(json.TryAdd(Frame(other, FrameKind.KeyFrame, fields)));
        Assert.DoesNotContain("DataSetClassId", Encoding.UTF8.GetString(json.End().Span));
        json.Begin(MessageId, Time);
        Assert.True(json.TryAdd(Frame(other, FrameKind.KeyFrame, fields)));
        Assert.Contains($"\"DataSetClassId\":\"{id}\"", Encoding.UTF8.GetString(json.End().Span));
    }

    [Fact]
    public void TryAdd_SecondOfASingle_KeepAliveWithoutHeader_AndUnknownField_False()
    {
        var writer = Writer(Verbose, default, DataSet1[1]);
        var fields = new[] { Value(0, new Variant(1.0)) };
        using var json = new JsonNetworkMessageWriter(Group(NetworkMask.SingleDataSetMessage));
        json.Begin(MessageId, Time);
        Assert.False(json.TryAdd(Frame(writer, FrameKind.KeepAlive, [])));
        Assert.False(json.TryAdd(Frame(writer, FrameKind.KeyFrame, [Value(1, new Variant(1.0))])));
        Assert.True(json.End().IsEmpty);
        json.Begin(MessageId, Time);
        Assert.True(json.TryAdd(Frame(writer, FrameKind.KeyFrame, fields)));
        Assert.False(json.TryAdd(Frame(writer, FrameKind.KeyFrame, fields)));
        Assert.Equal("""{"Temperature":1}""", Encoding.UTF8.GetString(json.End().Span));
    }

    [Theory]
    [InlineData(Verbose, FieldMask.None)]
    [InlineData(Verbose, FieldMask.RawData)]
    [InlineData(Verbose, FieldMask.StatusCode | FieldMask.SourceTimestamp)]
    [InlineData(Compact, FieldMask.SourceTimestamp)]
    [InlineData(Reversible, FieldMask.None)]
    [InlineData(NonReversible, FieldMask.StatusCode)]
    public void Message_OfHundredValues_AllocatesNothing(DataSetMask encoding, FieldMask mask)
    {
        var types = new[] { BuiltInType.Double, BuiltInType.Int32, BuiltInType.String, BuiltInType.Boolean };
        var writer = Writer(
            encoding | AllHeader, mask,
            [.. Enumerable.Range(0, 100).Select(i => Field($"Field {i}", types[i % 4]))]);
        var fields = Enumerable.Range(0, 100).Select(i => Value(i, (i % 4) switch
        {
            0 => new Variant(i / 3.0),
            1 => new Variant(i),
            2 => new Variant($"text {i}"),
            _ => new Variant(true),
        })).ToArray();
        using var json = new JsonNetworkMessageWriter(Group(Batched | NetworkMask.PublisherId));
        var length = 0;
        var bytes = Allocations.OfThousand(() =>
        {
            json.Begin(MessageId, Time);
            json.TryAdd(Frame(writer, FrameKind.KeyFrame, fields));
            json.TryAdd(Frame(writer, FrameKind.DeltaFrame, fields));
            length = json.End().Length;
        });
        Assert.True(length > 2000);
        Assert.Equal(0, bytes);
    }
}
