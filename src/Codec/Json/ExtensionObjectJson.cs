using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>
/// ExtensionObject. Shape: the fields of a known structure with <c>UaTypeId</c> among them; otherwise <c>UaTypeId,
/// UaEncoding (1 UA Binary, 2 XML), UaBody</c>, the body in Base64. Reversible: <c>TypeId, Encoding, Body</c>;
/// NonReversible: the bare body. A JSON body is copied unchanged. <c>UaTypeId</c> is the DataType's id, or the
/// encoding's id if its DataType is unknown. <c>TypeId</c> is the DataType's id beside fields, otherwise the
/// encoding's. A reader accepts either. Source: Part 6 §5.4.2.16, §H.7.
/// </summary>
internal static class ExtensionObjectJson
{
    private const int BinaryBody = 1;
    private const int XmlBody = 2;
    private const int UsualLength = 512;

    private static ReadOnlySpan<byte> Whitespace => " \t\r\n"u8;

    public static void Write(UaJsonWriter writer, in ExtensionObject value)
    {
        if (value.IsNull)
        {
            WriteDefault(writer);
            return;
        }

        if (!writer.TryEnter())
        {
            writer.WriteNull();
            return;
        }

        var typeId = new JsonNodeId(value.TypeId);
        switch (value.Body)
        {
            case IStructure structure:
                WriteStructure(writer, structure);
                break;
            case byte[] bytes:
                WriteBinary(writer, typeId, writer.Format.Structures?.FindByEncoding(value.TypeId), bytes);
                break;
            case XmlElement xml:
                WriteXml(writer, typeId, new JsonText(xml.Value));
                break;
            case JsonBody json:
                WriteJson(writer, typeId, json.Utf8);
                break;
            default:
                WriteNoBody(writer, typeId);
                break;
        }

        writer.Leave();
    }

    /// <summary>An empty object in Verbose, otherwise null.</summary>
    public static void WriteDefault(UaJsonWriter writer)
    {
        if (writer.Format.Encoding != JsonEncoding.Verbose)
        {
            writer.WriteNull();
            return;
        }

        writer.StartObject();
        writer.EndObject();
    }

    /// <param name="writer">The output.</param>
    /// <param name="typeId">As the ExtensionObject carries it.</param>
    /// <param name="known">Null: the structure is unknown.</param>
    /// <param name="body">In UA Binary.</param>
    public static void WriteBinary(
        UaJsonWriter writer, scoped in JsonNodeId typeId, IJsonStructureType? known, ReadOnlySpan<byte> body)
    {
        if (known is not null)
        {
            BeginBody(writer, known.DataTypeId);
            var isWritten = known.TryWrite(writer, body);
            EndBody(writer, isWritten);
            if (isWritten)
                return;
        }

        Start(writer, typeId, BinaryBody);
        writer.WriteByteString(body);
        End(writer);
    }

    public static void WriteXml(UaJsonWriter writer, scoped in JsonNodeId typeId, scoped JsonText xml)
    {
        Start(writer, typeId, XmlBody);
        if (xml.IsNull || writer.Format.IsDeprecated)
        {
            writer.WriteText(xml);
        }
        else
        {
            using var text = new Utf8Builder(stackalloc byte[UsualLength]);
            text.Append(xml);
            writer.WriteByteString(text.Written);
        }

        End(writer);
    }

    public static void WriteNoBody(UaJsonWriter writer, scoped in JsonNodeId typeId)
    {
        if (writer.Format.Encoding == JsonEncoding.NonReversible)
        {
            writer.WriteNull();
            return;
        }

        writer.StartObject();
        WriteTypeIdOfEncoding(writer, typeId);
        writer.EndObject();
    }

    public static ExtensionObject Read(ref UaJsonReader reader)
    {
        if (reader.IsNull || !reader.BeginObject() || !reader.TryEnter())
            return default;
        // It applies to this object alone, not to ExtensionObjects in its fields.
        var expected = reader.ExpectedDataType;
        reader.ExpectedDataType = default;
        var members = new ExtensionObjectMembers(expected);
        var value = members.Read(ref reader);
        reader.ExpectedDataType = expected;
        reader.Leave();
        return reader.Failed ? default : value;
    }

    private static void WriteStructure(UaJsonWriter writer, IStructure structure)
    {
        if (writer.Format.Structures is not null && structure is IJsonStructure json)
        {
            BeginBody(writer, new NodeId(structure.DataTypeId));
            json.Encode(writer);
            EndBody(writer, isWritten: true);
            return;
        }

        var scratch = writer.Scratch;
        var binary = new UaBinaryWriter(scratch);
        structure.Encode(ref binary);
        binary.Complete();
        var typeId = new NodeId(writer.Format.IsDeprecated ? structure.BinaryEncodingId : structure.DataTypeId);
        WriteBinary(writer, new JsonNodeId(typeId), null, scratch.WrittenSpan);
        scratch.Reset();
    }

    private static void WriteJson(UaJsonWriter writer, scoped in JsonNodeId dataTypeId, ReadOnlySpan<byte> body)
    {
        if (writer.Format.Encoding == JsonEncoding.NonReversible)
        {
            writer.Json.WriteRawValue(body, skipInputValidation: true);
            return;
        }

        writer.StartObject();
        WriteTypeId(writer, dataTypeId);
        if (writer.Format.IsDeprecated)
            writer.Json.WritePropertyName(JsonNames.Body);
        else
            body = MembersOf(body);
        if (!body.IsEmpty)
            writer.Json.WriteRawValue(body, skipInputValidation: true);
        writer.EndObject();
    }

    /// <summary>The text between the braces, because the type id goes into the same object.</summary>
    private static ReadOnlySpan<byte> MembersOf(ReadOnlySpan<byte> json) =>
        json.Trim(Whitespace)[1..^1].Trim(Whitespace);

    /// <summary>The type id stands beside the fields. In the deprecated encodings it stands beside an object with the
    /// fields.</summary>
    private static void BeginBody(UaJsonWriter writer, NodeId dataTypeId) =>
        writer.SetTypeOfNext(
            writer.Format.Encoding == JsonEncoding.NonReversible || writer.OmitsTypeId(dataTypeId)
                ? default : dataTypeId);

    private static void EndBody(UaJsonWriter writer, bool isWritten)
    {
        writer.SetTypeOfNext(default);
        if (isWritten && writer.Format.Encoding == JsonEncoding.Reversible)
            writer.EndObject();
    }

    /// <summary>Writes everything before the body, which is the next value.</summary>
    private static void Start(UaJsonWriter writer, scoped in JsonNodeId typeId, int encoding)
    {
        if (writer.Format.Encoding == JsonEncoding.NonReversible)
            return;
        var isDeprecated = writer.Format.IsDeprecated;
        writer.StartObject();
        WriteTypeIdOfEncoding(writer, typeId);
        writer.Json.WriteNumber(isDeprecated ? JsonNames.Encoding : JsonNames.UaEncoding, encoding);
        writer.Json.WritePropertyName(isDeprecated ? JsonNames.Body : JsonNames.UaBody);
    }

    private static void End(UaJsonWriter writer)
    {
        if (writer.Format.Encoding != JsonEncoding.NonReversible)
            writer.EndObject();
    }

    public static void WriteTypeId(UaJsonWriter writer, scoped in JsonNodeId typeId)
    {
        if (typeId.IsNull || writer.Format.OmitsTypes)
            return;
        writer.Json.WritePropertyName(writer.Format.IsDeprecated ? JsonNames.TypeId : JsonNames.UaTypeId);
        NodeIdJson.Write(writer, typeId);
    }

    private static void WriteTypeIdOfEncoding(UaJsonWriter writer, scoped in JsonNodeId encodingId)
    {
        var dataTypeId = DataTypeOf(writer.Format, encodingId);
        if (dataTypeId.IsNull)
            WriteTypeId(writer, encodingId);
        else
            WriteTypeId(writer, new JsonNodeId(dataTypeId));
    }

    /// <summary>Null: unknown, or not used by the format. All encoding ids that the codec declares are numeric, so
    /// other ids need no NodeId object.</summary>
    private static NodeId DataTypeOf(JsonFormat format, scoped in JsonNodeId encodingId) =>
        format.IsDeprecated || (encodingId.IdType != IdType.Numeric && format.TypeIds == DeclaredStructures.All)
            ? default
            : format.TypeIds.DataTypeOf(encodingId.ToNodeId());
}
