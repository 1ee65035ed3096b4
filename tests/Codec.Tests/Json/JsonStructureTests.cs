using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>Structures as bodies of ExtensionObjects. Source: Part 6 §5.4.2.16, §H.7.</summary>
public sealed class JsonStructureTests
{
    private static readonly Variant Value = Variant.FromStructure(new EUInformation
    {
        NamespaceUri = "urn:x",
        UnitId = 5,
        DisplayName = new LocalizedText("bar"),
    });

    [Theory]
    [InlineData(
        JsonEncoding.Compact, "'UaTypeId':'i=887','NamespaceUri':'urn:x','UnitId':5,'DisplayName':{'Text':'bar'}")]
    [InlineData(
        JsonEncoding.Verbose,
        "'UaTypeId':'i=887','NamespaceUri':'urn:x','UnitId':5,'DisplayName':{'Text':'bar'},'Description':null")]
    [InlineData(
        JsonEncoding.Reversible,
        "'TypeId':{'Id':887},'Body':{'NamespaceUri':'urn:x','UnitId':5,'DisplayName':{'Text':'bar'}}")]
    public void KnownStructure_InEveryWay_StandsInline(JsonEncoding encoding, string fields)
    {
        var start = encoding == JsonEncoding.Reversible ? "{'Type':22,'Body':{" : "{'UaType':22,'Value':{";
        var expected = start + fields + "}}";
        var text = JsonOf.Text(encoding, Value);
        Assert.Equal(expected.Replace('\'', '"'), text);
        Assert.Equal(text, JsonOf.Text(
            encoding, w => Assert.True(JsonTranscoder.TryWriteVariant(w, JsonOf.Binary(Value)))));
        var back = JsonOf.Variant(text);
        Assert.Equal("urn:x", back.AsStructure<EUInformation>()!.NamespaceUri);
        Assert.Equal(text, JsonOf.Text(encoding, back));
    }

    [Fact]
    public void KnownStructure_NonReversible_IsItsBareFields() => Assert.Equal(
        """{"NamespaceUri":"urn:x","UnitId":5,"DisplayName":"bar","Description":null}""",
        JsonOf.Text(JsonEncoding.NonReversible, Value));

    [Fact]
    public void KnownStructure_TypeIdLast_IsRead()
    {
        var back = JsonOf.Variant("""{"UaType":22,"Value":{"UnitId":7,"UaTypeId":"i=887"}}""");
        Assert.Equal(7, back.AsStructure<EUInformation>()!.UnitId);
    }

    /// <summary>The id of the type stands beside the fields of the body alone, and in nothing inside it.</summary>
    [Theory]
    [InlineData(
        """{"UaTypeId":"i=296","Name":"x","DataType":"i=6","Other":1}""",
        "$.Value: unknown member \"Other\": expected Name, DataType, ValueRank, ArrayDimensions, Description")]
    [InlineData(
        """{"UaTypeId":"i=312","EndpointUrl":"x","Server":{"UaTypeId":"i=308"}}""",
        "$.Value.Server: unknown member \"UaTypeId\"")]
    [InlineData("""{"UaTypeId":"i=296","Name":"x","Name":"y"}""", "$.Value: the member Name is there twice")]
    [InlineData("""{"UaTypeId":"i=296","ValueRank":"y"}""", "$.Value.ValueRank: expected Int32, ")]
    public void KnownStructure_WrongMember_IsAnErrorAtItsPlace(string body, string problem)
    {
        var failed = JsonOf.FailVariant($$"""{"UaType":22,"Value":{{body}}}""");
        Assert.Equal(StatusCodes.BadDecodingError, failed.Status.Code);
        Assert.StartsWith(problem, failed.Problem);
    }

    /// <summary>A known type whose bytes are none stays as its bytes.</summary>
    [Theory]
    [InlineData(JsonEncoding.Compact, """{"UaType":22,"Value":{"UaTypeId":"i=887","UaEncoding":1,"UaBody":"AQ=="}}""")]
    [InlineData(
        JsonEncoding.Reversible, """{"Type":22,"Body":{"TypeId":{"Id":889},"Encoding":1,"Body":"AQ=="}}""")]
    public void KnownStructure_InvalidBytes_StaysBinary(JsonEncoding encoding, string text)
    {
        var value = new Variant(new ExtensionObject(new NodeId(EUInformation.BinaryEncodingId), [1]));
        Assert.Equal(text, JsonOf.Text(encoding, value));
    }

    /// <summary>Without the seam the body is UA Binary, and is decoded again; what is none is an error.</summary>
    [Fact]
    public void StructureWithoutSeam_IsBinaryAndComesBack()
    {
        var text = JsonOf.Text(Binary, w => w.WriteVariant(Value));
        Assert.StartsWith("""{"UaType":22,"Value":{"UaTypeId":"i=887","UaEncoding":1,"UaBody":""", text);
        Assert.Equal(5, JsonOf.Variant(text).AsStructure<EUInformation>()!.UnitId);
        var failed = JsonOf.FailVariant(
            """{"UaType":22,"Value":{"UaTypeId":"i=889","UaEncoding":1,"UaBody":"AQ=="}}""");
        Assert.Equal(StatusCodes.BadDecodingError, failed.Status.Code);
    }

    /// <summary>R01: a body in UA Binary goes on counting where the JSON stopped.</summary>
    [Fact]
    public void StructureWithoutSeam_DeepBody_CountsOn()
    {
        var inner = new Variant(1);
        for (var i = 0; i < 20; i++)
            inner = Variant.FromArray(BuiltInType.Variant, new[] { inner });
        var value = Variant.FromStructure(new LiteralOperand { Value = inner });
        foreach (var text in new[] { JsonOf.Text(Binary, w => w.WriteVariant(value)), JsonOf.Text(default, value) })
        {
            Assert.Equal(
                StatusCodes.Good, JsonOf.FailVariant(text, new DecodingLimits { MaxDepth = 30 }).Status.Code);
            Assert.Equal(
                StatusCodes.BadEncodingLimitsExceeded,
                JsonOf.FailVariant(text, new DecodingLimits { MaxDepth = 15 }).Status.Code);
        }
    }

    /// <summary>Nothing that was read has a body that UA Binary cannot hold: fields of a structure that nobody knows
    /// are refused at once, not by the binary writer.</summary>
    [Theory]
    [InlineData("""{"UaTypeId":"ns=1;i=5","A":1}""")]
    [InlineData("""{"TypeId":{"Id":5,"Namespace":1},"Body":{"A":1}}""")]
    [InlineData("""{"UaTypeId":"ns=1;i=5","UaEncoding":0,"A":1}""")]
    [InlineData("""{"UaTypeId":"ns=1;i=5","Body":1}""")]
    [InlineData("""{"Body":1,"UaTypeId":"ns=1;i=5"}""")]
    [InlineData("""{"Encoding":1,"TypeId":1,"UaTypeId":"ns=1;i=5"}""")]
    public void UnknownStructure_Fields_AreRefusedWhereTheyAreRead(string body)
    {
        var failed = JsonOf.FailVariant($$"""{"UaType":22,"Value":{{body}}}""");
        Assert.Equal(StatusCodes.BadDataTypeIdUnknown, failed.Status.Code);
        Assert.StartsWith("$.Value", failed.Problem);
    }

    [Fact]
    public void Structure_FieldsWithoutAType_AreRefused()
    {
        var failed = JsonOf.FailVariant("""{"UaType":22,"Value":{"A":1}}""");
        Assert.Equal(StatusCodes.BadDecodingError, failed.Status.Code);
        Assert.Equal("$.Value: expected a member UaTypeId", failed.Problem);
    }

    /// <summary>What is carried as JSON goes on as JSON.</summary>
    [Theory]
    [InlineData(JsonEncoding.Compact, """{"UaTypeId":"i=5","A": [1, 2], "B\"":{"C":null}}""")]
    [InlineData(JsonEncoding.Verbose, """{"UaTypeId":"i=5","A": [1, 2], "B\"":{"C":null}}""")]
    [InlineData(JsonEncoding.Reversible, """{"TypeId":{"Id":5},"Body":{"A": [1, 2], "B\"":{"C":null}}}""")]
    [InlineData(JsonEncoding.NonReversible, """{"A": [1, 2], "B\"":{"C":null}}""")]
    public void JsonBody_InEveryWay_IsItsText(JsonEncoding encoding, string text)
    {
        var body = new JsonBody("""{"A": [1, 2], "B\"":{"C":null}}"""u8.ToArray());
        Assert.Equal(text, JsonOf.Text(encoding, w => w.WriteExtensionObject(new(new NodeId(5), body))));
    }

    /// <summary>Source: Part 6 §5.1.7.</summary>
    [Fact]
    public void AllowedSubtypes_AreExtensionObjects()
    {
        var sample = new SubtypedSample { Token = new(new AnonymousIdentityToken { PolicyId = "p" }) };
        Assert.Equal(
            """{"Token":{"UaTypeId":"i=319","PolicyId":"p"},"Choice":{}}""",
            JsonOf.Text(JsonEncoding.Compact, w => w.WriteStructure(sample)));
        var failed = JsonOf.Fail(
            """{"Tokens":[null,{"UaTypeId":"i=296"}]}"""u8.ToArray(),
            (ref UaJsonReader r) => r.ReadStructure<SubtypedSample>());
        Assert.Equal(
            (StatusCodes.BadDecodingError, "$.Tokens[1]: expected a structure that this field allows"),
            (failed.Status.Code, failed.Problem));
    }

    private static JsonFormat Binary => new() { Uris = JsonOf.Uris, Structures = null };
}
