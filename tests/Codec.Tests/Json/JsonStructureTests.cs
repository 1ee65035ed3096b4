using System.Text.Json;
using Gateway.Codec.Binary;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Tests.Json;

/// <summary>The seam for structures, with one that is known. Source: Part 6 §5.4.2.16, §H.7.</summary>
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
        var format = Format(encoding);
        var start = encoding == JsonEncoding.Reversible ? "{'Type':22,'Body':{" : "{'UaType':22,'Value':{";
        var expected = start + fields + "}}";
        var text = JsonOf.Text(format, w => w.WriteVariant(Value));
        Assert.Equal(expected.Replace('\'', '"'), text);
        Assert.Equal(text, JsonOf.Text(
            format, w => Assert.True(JsonTranscoder.TryWriteVariant(w, JsonOf.Binary(Value)))));
        var back = JsonOf.Value(text, (ref UaJsonReader r) => r.ReadVariant(), format);
        Assert.Equal("urn:x", back.AsStructure<EUInformation>()!.NamespaceUri);
        Assert.Equal(text, JsonOf.Text(format, w => w.WriteVariant(back)));
    }

    [Fact]
    public void KnownStructure_TypeIdLast_IsRead()
    {
        var back = JsonOf.Value(
            """{"UaType":22,"Value":{"UnitId":7,"UaTypeId":"i=887"}}""",
            (ref UaJsonReader r) => r.ReadVariant(), Format(JsonEncoding.Compact));
        Assert.Equal(7, back.AsStructure<EUInformation>()!.UnitId);
    }

    /// <summary>A known type whose bytes are none stays as its bytes.</summary>
    [Fact]
    public void KnownStructure_InvalidBytes_StaysBinary()
    {
        var value = new Variant(new ExtensionObject(new NodeId(EUInformation.BinaryEncodingId), [1]));
        Assert.Equal(
            """{"UaType":22,"Value":{"UaTypeId":"i=889","UaEncoding":1,"UaBody":"AQ=="}}""",
            JsonOf.Text(Format(JsonEncoding.Compact), w => w.WriteVariant(value)));
    }

    /// <summary>Without the seam the body is UA Binary, and is decoded again; what is none is an error.</summary>
    [Fact]
    public void StructureWithoutSeam_IsBinaryAndComesBack()
    {
        var text = JsonOf.Text(JsonEncoding.Compact, Value);
        Assert.StartsWith("""{"UaType":22,"Value":{"UaTypeId":"i=889","UaEncoding":1,"UaBody":""", text);
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
        var text = JsonOf.Text(
            JsonEncoding.Compact, Variant.FromStructure(new LiteralOperand { Value = inner }));
        Assert.Equal(StatusCodes.Good, JsonOf.FailVariant(text, new DecodingLimits { MaxDepth = 30 }).Status.Code);
        Assert.Equal(
            StatusCodes.BadEncodingLimitsExceeded,
            JsonOf.FailVariant(text, new DecodingLimits { MaxDepth = 15 }).Status.Code);
    }

    private static JsonFormat Format(JsonEncoding encoding) =>
        new() { Encoding = encoding, Uris = JsonOf.Uris, Structures = new OneStructure() };

    private sealed class OneStructure : IJsonStructures, IJsonStructure
    {
        private static readonly byte[][] Members =
        [
            "NamespaceUri"u8.ToArray(), "UnitId"u8.ToArray(), "DisplayName"u8.ToArray(), "Description"u8.ToArray(),
            "UaTypeId"u8.ToArray(), "TypeId"u8.ToArray(),
        ];

        public NodeId DataTypeId => new(887);

        public IJsonStructure? FindByEncoding(NodeId encodingId) =>
            encodingId == new NodeId(EUInformation.BinaryEncodingId) ? this : null;

        public IJsonStructure? FindByDataType(NodeId dataTypeId) => dataTypeId == DataTypeId ? this : null;

        public bool IsValid(ReadOnlySpan<byte> body)
        {
            var reader = new UaBinaryReader(body);
            EUInformation.Decode(ref reader);
            return !reader.Failed && reader.Remaining == 0;
        }

        public void WriteFields(UaJsonWriter writer, ReadOnlySpan<byte> body)
        {
            var reader = new UaBinaryReader(body);
            WriteFields(writer, EUInformation.Decode(ref reader));
        }

        public void WriteFields(UaJsonWriter writer, IStructure body)
        {
            var unit = (EUInformation)body;
            if (writer.BeginField(JsonEncodedText.Encode("NamespaceUri"), unit.NamespaceUri is null))
                writer.WriteString(unit.NamespaceUri);
            if (writer.BeginField(JsonEncodedText.Encode("UnitId"), unit.UnitId == 0))
                writer.WriteInt32(unit.UnitId);
            if (writer.BeginField(JsonEncodedText.Encode("DisplayName"), unit.DisplayName.IsNull))
                writer.WriteLocalizedText(unit.DisplayName);
            if (writer.BeginField(JsonEncodedText.Encode("Description"), unit.Description.IsNull))
                writer.WriteLocalizedText(unit.Description);
        }

        public ExtensionObject Read(ref UaJsonReader reader)
        {
            string? uri = null;
            var unit = 0;
            LocalizedText name = default, description = default;
            var seen = 0UL;
            while (reader.NextMember(Members, ref seen, out var member))
            {
                switch (member)
                {
                    case 0:
                        uri = reader.ReadString();
                        break;
                    case 1:
                        unit = reader.ReadInt32();
                        break;
                    case 2:
                        name = reader.ReadLocalizedText();
                        break;
                    case 3:
                        description = reader.ReadLocalizedText();
                        break;
                    default:
                        reader.ReadNodeId();
                        break;
                }
            }

            return new ExtensionObject(new EUInformation
            {
                NamespaceUri = uri,
                UnitId = unit,
                DisplayName = name,
                Description = description,
            });
        }
    }
}
