using System.Text.Json;
using Gateway.Codec.Binary;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>Reads the members of an ExtensionObject. Skips over all of them first, because the type id may come last.
/// Without a current name the object has the deprecated form. Errors: Bad_DataTypeIdUnknown for the fields of an
/// unknown structure. Owner: one read method. Source: Part 6 §5.4.2.16, §H.7.</summary>
/// <param name="expected">The DataType if the object has no type id; null: the object must have one.</param>
internal ref struct ExtensionObjectMembers(NodeId expected)
{
    private const ulong Current = 0b000_111;
    private const ulong DeprecatedTypeId = 0b001_000;

    private static readonly byte[][] Members =
    [
        "UaTypeId"u8.ToArray(), "UaEncoding"u8.ToArray(), "UaBody"u8.ToArray(),
        "TypeId"u8.ToArray(), "Encoding"u8.ToArray(), "Body"u8.ToArray(),
    ];

    private Utf8JsonReader _start;
    private Utf8JsonReader _typeIdAt;
    private Utf8JsonReader _encodingAt;
    private Utf8JsonReader _bodyAt;
    private ulong _seen;
    private bool _hasFields;

    public ExtensionObject Read(scoped ref UaJsonReader reader)
    {
        _start = reader.Here;
        StepOverMembers(ref reader);
        if (reader.Failed)
            return default;
        if (IsOfExpectedType && reader.Structures?.FindByDataType(expected) is { } known)
        {
            reader.Rewind(_start);
            return known.Read(ref reader);
        }

        if (_seen == 0 && !_hasFields)
            return default;
        if (_seen == 0)
        {
            reader.Expected("a member UaTypeId");
            return default;
        }

        var end = reader.Here;
        var value = ReadBody(ref reader);
        if (!reader.Failed)
            reader.Rewind(end);
        return value;
    }

    /// <summary>True for fields alone. The deprecated form has a TypeId and no fields beside it.</summary>
    private readonly bool IsOfExpectedType =>
        !expected.IsNull && (_seen & Current) == 0 && ((_seen & DeprecatedTypeId) == 0 || _hasFields);

    private void StepOverMembers(scoped ref UaJsonReader reader)
    {
        while (reader.NextMember(Members, ref _seen, out var member, takesUnknown: true))
        {
            // Beside a current name the deprecated names are names of fields.
            var isField = member < 0 || (member > 2 && (_seen & Current) != 0);
            var at = reader.StepOver();
            if (isField)
            {
                _hasFields = true;
                continue;
            }

            switch (member % 3)
            {
                case 0:
                    _typeIdAt = at;
                    break;
                case 1:
                    _encodingAt = at;
                    break;
                default:
                    _bodyAt = at;
                    break;
            }
        }

        // Deprecated names before the first current name are fields, too.
        _hasFields |= (_seen & Current) != 0 && (_seen & ~Current) != 0;
    }

    private readonly ExtensionObject ReadBody(scoped ref UaJsonReader reader)
    {
        var isCurrent = (_seen & Current) != 0;
        var kinds = isCurrent ? _seen & Current : _seen >> 3;
        var typeId = isCurrent ? expected : default;
        if ((kinds & 0b001) != 0)
        {
            reader.Rewind(_typeIdAt);
            typeId = reader.ReadNodeId();
        }

        long encoding = 0;
        if ((kinds & 0b010) != 0)
        {
            reader.Rewind(_encodingAt);
            encoding = reader.ReadInteger(0, 2, "an encoding of a body");
        }

        if (reader.Failed)
            return default;
        var hasBody = (kinds & 0b100) != 0;
        if (encoding == 0)
            return ReadFields(ref reader, typeId, isCurrent, hasBody);
        if (hasBody)
            reader.Rewind(_bodyAt);
        if (encoding == 1)
            return hasBody ? Decode(ref reader, EncodingOf(reader, typeId), reader.ReadByteString())
                : NoBody(reader, typeId);
        var xml = hasBody ? ReadXml(ref reader, isCurrent) : default;
        return new ExtensionObject(EncodingOf(reader, typeId, ExtensionObjectEncoding.Xml), xml);
    }

    private readonly ExtensionObject ReadFields(
        scoped ref UaJsonReader reader, NodeId typeId, bool isCurrent, bool hasBody)
    {
        if (!isCurrent && !hasBody)
            return NoBody(reader, typeId);
        reader.Rewind(isCurrent ? _start : _bodyAt);
        var structures = reader.Structures;
        if ((structures?.FindByDataType(typeId) ?? structures?.FindByEncoding(typeId)) is { } known)
            return ReadKnown(ref reader, known, isCurrent);
        if (isCurrent && !_hasFields && !hasBody)
            return NoBody(reader, typeId);
        if (typeId.IsNull)
            reader.Expected("a member UaTypeId");
        else
            reader.Fail(StatusCodes.BadDataTypeIdUnknown, "expected a structure whose type is known");
        return default;
    }

    private static ExtensionObject NoBody(in UaJsonReader reader, NodeId typeId) =>
        new(EncodingOf(reader, typeId), (byte[]?)null);

    /// <summary>The encoding's id, for the ExtensionObject. An id of no known DataType counts as an encoding's id.
    /// </summary>
    private static NodeId EncodingOf(
        in UaJsonReader reader, NodeId typeId, ExtensionObjectEncoding encoding = ExtensionObjectEncoding.Binary)
    {
        var encodingId = reader.TypeIds.EncodingOf(typeId, encoding);
        return encodingId.IsNull ? typeId : encodingId;
    }

    private static ExtensionObject ReadKnown(
        scoped ref UaJsonReader reader, IJsonStructureType known, bool isCurrent)
    {
        if (!isCurrent)
            return known.Read(ref reader);
        var outer = reader.BeginTypeId();
        var value = known.Read(ref reader);
        reader.EndTypeId(outer);
        return value;
    }

    /// <summary>In Base64; the deprecated encoding and some servers write plain XML.</summary>
    private static XmlElement ReadXml(scoped ref UaJsonReader reader, bool isCurrent)
    {
        var text = reader.ReadString();
        if (text is null || !isCurrent || text.AsSpan().TrimStart().StartsWith('<'))
            return new XmlElement(text);
        var bytes = new byte[text.Length];
        if (Convert.TryFromBase64String(text, bytes, out var length) &&
            System.Text.Unicode.Utf8.IsValid(bytes.AsSpan(0, length)))
            return new XmlElement(System.Text.Encoding.UTF8.GetString(bytes, 0, length));
        reader.Expected("XML, or its Base64");
        return default;
    }

    /// <summary>Like the UA Binary reader, within the remaining depth (R01).</summary>
    private static ExtensionObject Decode(scoped ref UaJsonReader reader, NodeId typeId, byte[]? body)
    {
        if (body is null || typeId.NamespaceIndex != 0 || typeId.IdType != IdType.Numeric ||
            !StructureRegistry.TryGetByBinaryEncoding(typeId.Numeric, out var entry))
            return new ExtensionObject(typeId, body);
        var binary = new UaBinaryReader(body, reader.LimitsOfBody(), reader.Meter);
        var structure = entry.DecodeBinary(ref binary);
        if (!binary.Failed && reader.TryCharge(binary.DecodedBytes, isMetered: true))
            return new ExtensionObject(structure);
        reader.Fail(binary.Failed ? binary.Status : reader.Status, "the body is no structure of its type");
        return default;
    }
}
