using System.Buffers;
using System.Text;
using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Texts that were worked out by hand from the standard.</summary>
public sealed class UaJsonWriterTests
{
    private static readonly Guid SomeGuid = new("09087e75-8e5e-499b-954f-f2a9603db28a");
    private static readonly DateTime Time = new(2026, 11, 21, 4, 30, 0, 120, DateTimeKind.Utc);

    /// <summary>A value, and its bare text in Compact, Verbose, Reversible and NonReversible.</summary>
    public static TheoryData<string, Variant, string[]> Scalars => new()
    {
        { "Part 6 §5.4.2.2 Boolean", new Variant(true), ["true"] },
        { "Part 6 §5.4.2.3 SByte", new Variant(sbyte.MinValue), ["-128"] },
        { "Part 6 §5.4.2.3 Byte", new Variant(byte.MaxValue), ["255"] },
        { "Part 6 §5.4.2.3 Int16", new Variant(short.MinValue), ["-32768"] },
        { "Part 6 §5.4.2.3 UInt16", new Variant(ushort.MaxValue), ["65535"] },
        { "Part 6 §5.4.2.3 Int32", new Variant(0), ["0"] },
        { "Part 6 §5.4.2.3 UInt32", new Variant(uint.MaxValue), ["4294967295"] },
        { "Part 6 §5.4.2.3 Int64 is a string", new Variant(long.MinValue), ["\"-9223372036854775808\""] },
        { "Part 6 §5.4.2.3 UInt64 is a string", new Variant(ulong.MaxValue), ["\"18446744073709551615\""] },
        { "Part 6 §5.4.2.4 Float", new Variant(1.5f), ["1.5"] },
        { "Part 6 §5.4.2.4 Double", new Variant(-6.5), ["-6.5"] },
        { "Part 6 §5.4.2.4 NaN", new Variant(double.NaN), ["\"NaN\""] },
        { "Part 6 §5.4.2.4 Infinity", new Variant(double.PositiveInfinity), ["\"Infinity\""] },
        { "Part 6 §5.4.2.4 -Infinity", new Variant(float.NegativeInfinity), ["\"-Infinity\""] },
        { "Part 6 §5.4.2.5 String", new Variant("a\"\\\n水"), ["\"a\\\"\\\\\\n水\""] },
        { "Part 6 §5.4.2.5 empty String", new Variant(""), ["\"\""] },
        { "Part 6 §5.4.2.6 DateTime", new Variant(Time), ["\"2026-11-21T04:30:00.12Z\""] },
        { "Part 6 §5.4.2.6 largest DateTime", new Variant(DateTime.MaxValue), ["\"9999-12-31T23:59:59Z\""] },
        { "Part 6 §5.4.2.7 Guid", new Variant(SomeGuid), ["\"09087e75-8e5e-499b-954f-f2a9603db28a\""] },
        { "Part 6 §5.4.2.8 ByteString", Variant.FromByteString([0xFB, 0xFF, 1]), ["\"+/8B\""] },
        { "Part 6 §5.4.2.9 XmlElement", new Variant(new XmlElement("<a b='1'>水</a>")), ["\"<a b='1'>水</a>\""] },
        { "Part 6 §5.4.2.10 standard NodeId", new Variant(new NodeId(85)), ["\"i=85\"", "\"i=85\"", """{"Id":85}"""] },
        {
            "Part 6 §5.4.2.10 NodeId by URI", new Variant(new NodeId("x", 1)),
            [
                "\"nsu=urn:server;s=x\"", "\"nsu=urn:server;s=x\"", """{"IdType":1,"Id":"x","Namespace":1}""",
                """{"IdType":1,"Id":"x","Namespace":"urn:server"}""",
            ]
        },
        {
            "Part 6 §5.1.12 escaped URI", new Variant(new NodeId(7, 2)),
            [
                "\"nsu=urn:line%3B1%25;i=7\"", "\"nsu=urn:line%3B1%25;i=7\"", """{"Id":7,"Namespace":2}""",
                """{"Id":7,"Namespace":"urn:line;1%"}""",
            ]
        },
        {
            "Part 6 §5.4.2.10 index without URI", new Variant(new NodeId(SomeGuid, 9)),
            [
                "\"ns=9;g=09087e75-8e5e-499b-954f-f2a9603db28a\"", "\"ns=9;g=09087e75-8e5e-499b-954f-f2a9603db28a\"",
                """{"IdType":2,"Id":"09087e75-8e5e-499b-954f-f2a9603db28a","Namespace":9}""",
            ]
        },
        {
            "Part 6 §5.1.12 opaque", new Variant(new NodeId([1, 2, 3], 0)),
            ["\"b=AQID\"", "\"b=AQID\"", """{"IdType":3,"Id":"AQID"}"""]
        },
        {
            "Part 6 §5.4.2.11 ExpandedNodeId by its own URI", new Variant(new ExpandedNodeId(new NodeId(7), "urn:a;b")),
            ["\"nsu=urn:a%3Bb;i=7\"", "\"nsu=urn:a%3Bb;i=7\"", """{"Id":7,"Namespace":"urn:a;b"}"""]
        },
        {
            "Part 6 §5.4.2.11, §H.3 another server", new Variant(new ExpandedNodeId(new NodeId(7, 1), null, 1)),
            [
                "\"svu=urn:other;nsu=urn:server;i=7\"", "\"svu=urn:other;nsu=urn:server;i=7\"",
                """{"Id":7,"Namespace":1,"ServerUri":1}""", """{"Id":7,"Namespace":1,"ServerUri":"urn:other"}""",
            ]
        },
        {
            "Part 6 §5.4.2.11 server without URI", new Variant(new ExpandedNodeId(new NodeId(7), null, 5)),
            ["\"svr=5;i=7\"", "\"svr=5;i=7\"", """{"Id":7,"ServerUri":5}"""]
        },
        {
            "Part 6 §5.4.2.12, §H.4 StatusCode", new Variant(new StatusCode(StatusCodes.BadTimeout)),
            [
                """{"Code":2148139008}""", """{"Code":2148139008,"Symbol":"BadTimeout"}""", "2148139008",
                """{"Code":2148139008,"Symbol":"BadTimeout"}""",
            ]
        },
        {
            "Part 6 §5.4.2.12 InfoBits do not change the symbol",
            new Variant(new StatusCode(StatusCodes.BadTimeout | 0x480)),
            [
                """{"Code":2148140160}""", """{"Code":2148140160,"Symbol":"BadTimeout"}""", "2148140160",
                """{"Code":2148140160,"Symbol":"BadTimeout"}""",
            ]
        },
        {
            "Part 6 §5.4.2.14 QualifiedName", new Variant(new QualifiedName("n")),
            ["\"n\"", "\"n\"", """{"Name":"n"}"""]
        },
        {
            "Part 6 §5.4.2.14, §H.5 with namespace", new Variant(new QualifiedName("n", 1)),
            [
                "\"nsu=urn:server;n\"", "\"nsu=urn:server;n\"", """{"Name":"n","Uri":1}""",
                """{"Name":"n","Uri":"urn:server"}""",
            ]
        },
        {
            "Part 6 §5.4.2.14 index without URI", new Variant(new QualifiedName("n", 9)),
            ["\"9:n\"", "\"9:n\"", """{"Name":"n","Uri":9}"""]
        },
        {
            "Part 6 §5.4.2.15, §H.6 LocalizedText", new Variant(new LocalizedText("Gas", "de")),
            [
                """{"Locale":"de","Text":"Gas"}""", """{"Locale":"de","Text":"Gas"}""",
                """{"Locale":"de","Text":"Gas"}""", "\"Gas\"",
            ]
        },
        {
            "Part 6 §5.4.2.15 without locale", new Variant(new LocalizedText("Gas")),
            ["""{"Text":"Gas"}""", """{"Text":"Gas"}""", """{"Text":"Gas"}""", "\"Gas\""]
        },
        {
            "Part 6 §5.4.2.16, §H.7 unknown body", new Variant(new ExtensionObject(new NodeId(5, 1), [1, 2, 3])),
            [
                """{"UaTypeId":"nsu=urn:server;i=5","UaEncoding":1,"UaBody":"AQID"}""",
                """{"UaTypeId":"nsu=urn:server;i=5","UaEncoding":1,"UaBody":"AQID"}""",
                """{"TypeId":{"Id":5,"Namespace":1},"Encoding":1,"Body":"AQID"}""", "\"AQID\"",
            ]
        },
        {
            "Part 6 §5.4.2.16, §H.7 XML body", new Variant(new ExtensionObject(new NodeId(5), new XmlElement("<a/>"))),
            [
                """{"UaTypeId":"i=5","UaEncoding":2,"UaBody":"PGEvPg=="}""",
                """{"UaTypeId":"i=5","UaEncoding":2,"UaBody":"PGEvPg=="}""",
                """{"TypeId":{"Id":5},"Encoding":2,"Body":"<a/>"}""", "\"<a/>\"",
            ]
        },
        {
            "Part 6 §5.4.2.13 DiagnosticInfo",
            new Variant(new DiagnosticInfo
            {
                SymbolicId = 1, NamespaceUri = 2, Locale = 3, LocalizedText = 4, AdditionalInfo = "a",
                InnerStatusCode = StatusCodes.BadTimeout, InnerDiagnosticInfo = new DiagnosticInfo { SymbolicId = 0 },
            }),
            [
                Diagnostic("{'Code':2148139008}"), Diagnostic("{'Code':2148139008,'Symbol':'BadTimeout'}"),
                Diagnostic("2148139008"), Diagnostic("{'Code':2148139008,'Symbol':'BadTimeout'}"),
            ]
        },
    };

    /// <summary>Four texts; a shorter list repeats the Reversible one, and that the Compact one.</summary>
    [Theory]
    [MemberData(nameof(Scalars))]
    public void WriteVariant_Scalar_IsTheStandardsText(string clause, Variant value, string[] texts)
    {
        var reversible = texts.Length > 2 ? texts[2] : texts[0];
        var type = (int)value.Type;

        Assert.Equal($$"""{"UaType":{{type}},"Value":{{texts[0]}}}""", JsonOf.Text(JsonEncoding.Compact, value));
        Assert.Equal(
            $$"""{"UaType":{{type}},"Value":{{(texts.Length > 1 ? texts[1] : texts[0])}}}""",
            JsonOf.Text(JsonEncoding.Verbose, value));
        Assert.Equal($$"""{"Type":{{type}},"Body":{{reversible}}}""", JsonOf.Text(JsonEncoding.Reversible, value));
        Assert.Equal(texts.Length > 3 ? texts[3] : reversible, JsonOf.Text(JsonEncoding.NonReversible, value));
        Assert.NotEmpty(clause);
    }

    /// <summary>Part 6 §5.4.2.17: the value of a nullable type that is NULL is not encoded. Part 6 §5.1.2 says which
    /// are nullable.
    /// </summary>
    [Theory]
    [InlineData(BuiltInType.String)]
    [InlineData(BuiltInType.DateTime)]
    [InlineData(BuiltInType.Guid)]
    [InlineData(BuiltInType.ByteString)]
    [InlineData(BuiltInType.XmlElement)]
    [InlineData(BuiltInType.NodeId)]
    [InlineData(BuiltInType.ExpandedNodeId)]
    [InlineData(BuiltInType.QualifiedName)]
    [InlineData(BuiltInType.LocalizedText)]
    [InlineData(BuiltInType.ExtensionObject)]
    [InlineData(BuiltInType.DataValue)]
    [InlineData(BuiltInType.DiagnosticInfo)]
    public void WriteVariant_NullOfANullableType_HasNoValue(BuiltInType type)
    {
        var value = JsonOf.Variant($$"""{"UaType":{{(int)type}}}""");
        Assert.Equal(type, value.Type);
        Assert.Equal($$"""{"UaType":{{(int)type}}}""", JsonOf.Text(JsonEncoding.Compact, value));
        Assert.Equal($$"""{"UaType":{{(int)type}}}""", JsonOf.Text(JsonEncoding.Verbose, value));
        Assert.Equal($$"""{"Type":{{(int)type}}}""", JsonOf.Text(JsonEncoding.Reversible, value));
    }

    [Theory]
    [InlineData(JsonEncoding.Compact, """{"UaType":6,"Value":[1,2,3,4,5,6],"Dimensions":[3,2]}""")]
    [InlineData(JsonEncoding.Verbose, """{"UaType":6,"Value":[1,2,3,4,5,6],"Dimensions":[3,2]}""")]
    [InlineData(JsonEncoding.Reversible, """{"Type":6,"Body":[1,2,3,4,5,6],"Dimensions":[3,2]}""")]
    [InlineData(JsonEncoding.NonReversible, "[[1,2],[3,4],[5,6]]")]
    public void WriteVariant_Matrix_IsFlatOrNested(JsonEncoding encoding, string text) => Assert.Equal(
        text,
        JsonOf.Text(encoding, Variant.FromMatrix(BuiltInType.Int32, new Matrix(new[] { 1, 2, 3, 4, 5, 6 }, [3, 2]))));

    /// <summary>Part 6 §5.4.5: NULL elements are null; a type that is not nullable is written.</summary>
    [Theory]
    [InlineData(JsonEncoding.Compact, """["a",null,""]""", "[{},null,{}]", "null")]
    [InlineData(JsonEncoding.Verbose, """["a",null,""]""", "[{},null,{}]", "{}")]
    [InlineData(JsonEncoding.Reversible, """["a",null,""]""", "[0,null,0]", "null")]
    [InlineData(JsonEncoding.NonReversible, """["a",null,""]""", "[{},null,{}]", "null")]
    public void WriteArray_NullElements_AreNull(
        JsonEncoding encoding, string strings, string statusCodes, string extensionObject)
    {
        Assert.Equal(
            strings, JsonOf.Text(encoding, w => w.WriteArray(BuiltInType.String, new[] { "a", null, "" })));
        Assert.Equal(statusCodes.Replace("null,", ""), JsonOf.Text(
            encoding, w => w.WriteArray(BuiltInType.StatusCode, new StatusCode[2])));
        Assert.Equal($"[{extensionObject}]", JsonOf.Text(
            encoding, w => w.WriteArray(BuiltInType.ExtensionObject, new ExtensionObject[1])));
        Assert.Equal("[null]", JsonOf.Text(encoding, w => w.WriteArray(BuiltInType.NodeId, new NodeId[1])));
        Assert.Equal("[null]", JsonOf.Text(encoding, w => w.WriteArray(BuiltInType.DateTime, new DateTime[1])));
        Assert.Equal("[null]", JsonOf.Text(encoding, w => w.WriteArray(BuiltInType.Variant, new Variant[1])));
        Assert.Equal("[null]", JsonOf.Text(encoding, w => w.WriteArray(BuiltInType.DataValue, new DataValue[1])));
        Assert.Equal("null", JsonOf.Text(encoding, w => w.WriteArray(BuiltInType.Int32, null)));
    }

    /// <summary>Part 6 §5.4.2.18, Table 42.</summary>
    [Theory]
    [InlineData(JsonEncoding.Compact, "'UaType':11,'Value':1.5", "{'Code':1083310080}")]
    [InlineData(
        JsonEncoding.Verbose, "'UaType':11,'Value':1.5", "{'Code':1083310080,'Symbol':'UncertainInitialValue'}")]
    [InlineData(JsonEncoding.Reversible, "'Value':{'Type':11,'Body':1.5}", "1083310080")]
    [InlineData(JsonEncoding.NonReversible, "'Value':1.5", "{'Code':1083310080,'Symbol':'UncertainInitialValue'}")]
    public void WriteDataValue_AllMembers_AreInOrder(JsonEncoding encoding, string members, string status)
    {
        var text = "{" + members + ",'Status':" + status + ",'SourceTimestamp':'2026-11-21T04:30:00.12Z'," +
            "'SourcePicoseconds':10,'ServerTimestamp':'2026-11-21T04:30:00.12Z','ServerPicoseconds':20}";
        var value = new DataValue(new Variant(1.5), StatusCodes.UncertainInitialValue, Time, Time, 10, 20);
        Assert.Equal(text.Replace('\'', '"'), JsonOf.Text(encoding, w => w.WriteDataValue(value)));
    }

    [Fact]
    public void WriteDataValue_ByTheOpenApiSchema_CallsItStatusCode()
    {
        var format = new JsonFormat { CallsStatusStatusCode = true };
        Assert.Equal(
            """{"StatusCode":{"Code":2148139008}}""",
            JsonOf.Text(format, w => w.WriteDataValue(new DataValue(StatusCodes.BadTimeout))));
    }

    /// <summary>Part 6 §5.4.6, Table 45: a default is left out, or written, and NULL is null.</summary>
    [Theory]
    [InlineData(JsonEncoding.Compact, "{}", "3")]
    [InlineData(JsonEncoding.Verbose, """{"A":0,"B":null}""", "\"Running_3\"")]
    [InlineData(JsonEncoding.Reversible, "{}", "3")]
    [InlineData(JsonEncoding.NonReversible, """{"A":0,"B":null}""", "\"Running_3\"")]
    public void BeginField_Default_IsOmittedOrWritten(JsonEncoding encoding, string fields, string enumeration)
    {
        Assert.Equal(fields, JsonOf.Text(encoding, w =>
        {
            w.StartObject();
            if (w.BeginField(System.Text.Json.JsonEncodedText.Encode("A"), isDefault: true))
                w.WriteInt32(0);
            if (w.BeginField(System.Text.Json.JsonEncodedText.Encode("B"), isDefault: true))
                w.WriteString(null);
            w.EndObject();
        }));
        Assert.Equal(enumeration, JsonOf.Text(encoding, w => w.WriteEnumeration(3, "Running")));
    }

    [Fact]
    public void WriteString_LoneSurrogate_IsReplaced() =>
        Assert.Equal("\"a\\uFFFDb\"", JsonOf.Text(JsonEncoding.Compact, w => w.WriteString("a\uD800b")));

    /// <summary>Long ones go through the writer in pieces, cut anywhere.</summary>
    [Fact]
    public void WriteString_Long_IsOneString()
    {
        var text = string.Concat(Enumerable.Repeat("x水\U0001F600\"", 20_000));
        var bytes = Enumerable.Range(0, 100_000).Select(i => (byte)i).ToArray();
        Assert.Equal(text, JsonOf.Value(
            JsonOf.Text(JsonEncoding.Compact, w => w.WriteString(text)), (ref UaJsonReader r) => r.ReadString()));
        Assert.Equal(bytes, JsonOf.Value(
            JsonOf.Text(JsonEncoding.Compact, w => w.WriteByteString(bytes)),
            (ref UaJsonReader r) => r.ReadByteString()));
    }

    [Fact]
    public void WriteVariant_TooDeep_FailsAndStaysJson()
    {
        var value = new Variant(1);
        for (var i = 0; i < 101; i++)
            value = Variant.FromArray(BuiltInType.Variant, new[] { value });
        var writer = UaJsonWriter.Rent(JsonFormat.Compact);
        writer.WriteVariant(value);
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, writer.Status.Code);
        writer.Reset();
        Assert.False(writer.Failed);
        writer.WriteVariant(new Variant(1));
        Assert.Equal("""{"UaType":6,"Value":1}""", Encoding.UTF8.GetString(writer.WrittenSpan));
        writer.Return();
    }

    [Fact]
    public void WriteVariant_PastTheLimitOfBytes_FailsAndHoldsNoMore()
    {
        var writer = UaJsonWriter.Rent(JsonFormat.Compact, limitBytes: 100_000);
        writer.WriteVariant(Variant.FromArray(BuiltInType.Double, new double[1_000_000]));
        Assert.Equal(StatusCodes.BadEncodingLimitsExceeded, writer.Status.Code);
        Assert.InRange(writer.WrittenSpan.Length, 0, 100_000);
        writer.Return();
    }

    [Fact]
    public void EndObject_Past16KiB_MovesTheTextToTheOutput()
    {
        var output = new ArrayBufferWriter<byte>();
        var writer = UaJsonWriter.Rent(JsonFormat.Compact, output);
        var values = Enumerable.Range(0, 10_000).Select(i => new DataValue(new Variant(i))).ToArray();
        writer.WriteArray(BuiltInType.DataValue, values);
        Assert.InRange(writer.WrittenSpan.Length, 1, 17 * 1024);
        Assert.InRange(output.WrittenCount, 230_000, 300_000);
        writer.Flush();
        writer.Return();
        Assert.Equal(values, JsonOf.Value(
            Encoding.UTF8.GetString(output.WrittenSpan),
            (ref UaJsonReader r) => r.ReadArray<DataValue>(BuiltInType.DataValue)));
    }

    [Fact]
    public void Return_OfSecrets_ClearsTheBytes()
    {
        var writer = UaJsonWriter.Rent(JsonFormat.Compact, secret: true);
        writer.WriteString("password");
        var memory = writer.WrittenMemory;
        Assert.Equal("\"password\"", Encoding.UTF8.GetString(memory.Span));
        writer.Return();
        Assert.Equal(new byte[memory.Length], memory.ToArray());
    }

    private static string Diagnostic(string status) => (
        "{'SymbolicId':1,'NamespaceUri':2,'Locale':3,'LocalizedText':4,'AdditionalInfo':'a'," +
        "'InnerStatusCode':" + status + ",'InnerDiagnosticInfo':{'SymbolicId':0}}").Replace('\'', '"');
}
