using Gateway.Codec.Json;
using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Json.Transcoding;
using Gateway.Codec.Structures;
using Gateway.Codec.Tests.Samples;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>JSON names the DataType of a body, an ExtensionObject its encoding. Source: Part 6 §5.4.2.16 Table 40.
/// </summary>
public sealed class JsonTypeIdTests
{
    private static readonly NodeId DataType = new("Unit", 1);
    private static readonly NodeId Binary = new(5, 1);
    private static readonly NodeId Xml = new(6, 1);

    private static readonly JsonFormat WithIds = new() { Structures = new DefinedStructures(new IdsAlone()) };

    private static readonly JsonFormat WithoutStructures = new() { Structures = null };

    public static TheoryData<ExtensionObject, string> Bodies => new()
    {
        { new ExtensionObject(Binary, [1, 2, 3]), ""","UaEncoding":1,"UaBody":"AQID"}""" },
        { new ExtensionObject(Xml, new XmlElement("<a/>")), ""","UaEncoding":2,"UaBody":"PGEvPg=="}""" },
        { new ExtensionObject(Binary, (byte[]?)null), "}" },
    };

    /// <summary>Nobody knows the fields, but the address space knows the ids.</summary>
    [Theory]
    [MemberData(nameof(Bodies))]
    public void ExtensionObject_OfAnUnknownStructure_HasItsDataType(ExtensionObject body, string rest)
    {
        var value = new Variant(body);
        var text = """{"UaType":22,"Value":{"UaTypeId":"ns=1;s=Unit""" + '"' + rest + "}";
        AssertText(text, WithIds, value);
        AssertRead(value, text, WithIds);
    }

    /// <summary>A peer that writes the encoding's id, as Annex H.7 allows, is understood.</summary>
    [Theory]
    [MemberData(nameof(Bodies))]
    public void ExtensionObject_WithItsEncodingInTheText_IsTheSame(ExtensionObject body, string rest) => AssertRead(
        new Variant(body),
        $$"""{"UaType":22,"Value":{"UaTypeId":"{{body.TypeId}}" """ + rest + "}", WithIds);

    [Fact]
    public void ExtensionObject_OfADeclaredStructure_HasItsDataType()
    {
        var value = Variant.FromStructure(new EUInformation { UnitId = 5 });
        var body = Convert.ToBase64String(Wire.Encode(value.AsStructure<EUInformation>()!));
        var text = $$$"""{"UaType":22,"Value":{"UaTypeId":"i=887","UaEncoding":1,"UaBody":"{{{body}}}"}}""";
        AssertText(text, WithoutStructures, value);
        foreach (var format in new[] { WithoutStructures, JsonFormat.Compact, WithIds })
        {
            Assert.Equal(5, Read(text, format).AsStructure<EUInformation>()?.UnitId);
            Assert.Equal(5, Read(text.Replace("887", "889"), format).AsStructure<EUInformation>()?.UnitId);
        }
    }

    /// <summary>The deprecated forms keep the encoding's id. Source: Part 6 §H.7.</summary>
    [Fact]
    public void ExtensionObject_Reversible_HasItsEncoding()
    {
        var format = new JsonFormat { Structures = WithIds.Structures, Encoding = JsonEncoding.Reversible };
        var value = new Variant(new ExtensionObject(Binary, [1, 2, 3]));
        var text = """{"Type":22,"Body":{"TypeId":{"Id":5,"Namespace":1},"Encoding":1,"Body":"AQID"}}""";
        AssertText(text, format, value);
        AssertRead(value, text, format);
    }

    private static void AssertText(string text, JsonFormat format, Variant value)
    {
        Assert.Equal(text, JsonOf.Text(format, w => w.WriteVariant(value)));
        Assert.Equal(text, JsonOf.Text(
            format, w => Assert.True(JsonTranscoder.TryWriteVariant(w, JsonOf.Binary(value)))));
    }

    private static void AssertRead(Variant value, string text, JsonFormat format) =>
        Assert.Equal(JsonOf.Binary(value), JsonOf.Binary(Read(text, format)));

    private static Variant Read(string text, JsonFormat format) =>
        JsonOf.Value(text, (ref UaJsonReader r) => r.ReadVariant(), format);

    private sealed class IdsAlone : IDataTypeDefinitions
    {
        public NodeId DataTypeOf(NodeId encodingId) => encodingId == Binary || encodingId == Xml ? DataType : default;

        public NodeId BinaryEncodingOf(NodeId dataTypeId) => dataTypeId == DataType ? Binary : default;

        public NodeId XmlEncodingOf(NodeId dataTypeId) => dataTypeId == DataType ? Xml : default;

        public DataTypeDefinition? DefinitionOf(NodeId dataTypeId) => null;

        public BuiltInType BuiltInTypeOf(NodeId dataTypeId) => BuiltInType.Null;
    }
}
