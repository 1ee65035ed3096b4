using System.Text.Json;
using Gateway.Codec.Binary;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>
/// Variant: an object <c>UaType, Value, Dimensions</c>; Reversible: <c>Type, Body, Dimensions</c>; NonReversible: the
/// bare value. A matrix is flat with its dimensions; in NonReversible it is arrays of arrays. A scalar that is NULL has
/// no <c>Value</c>, a null array is an empty one. Source: Part 6 §5.4.2.17, §H.8, §H.9.
/// </summary>
internal static class VariantJson
{
    private static readonly byte[][] Members =
    [
        "UaType"u8.ToArray(), "Value"u8.ToArray(), "Dimensions"u8.ToArray(), "Type"u8.ToArray(), "Body"u8.ToArray(),
    ];

    public static void Write(UaJsonWriter writer, in Variant value)
    {
        if (value.IsNull || !writer.TryEnter())
        {
            writer.WriteNull();
            return;
        }

        if (writer.Format.Encoding == JsonEncoding.NonReversible)
        {
            WriteContent(writer, value, isBare: true);
        }
        else
        {
            writer.StartObject();
            WriteMembers(writer, value);
            writer.EndObject();
        }

        writer.Leave();
    }

    /// <summary>The members that a Variant and a DataValue share.</summary>
    public static void WriteMembers(UaJsonWriter writer, in Variant value)
    {
        WriteType(writer, value.Type);
        if (value.IsScalar && (IsNullScalar(value) || IsOmittedStatus(writer, value)))
            return;
        writer.Json.WritePropertyName(ValueName(writer));
        WriteContent(writer, value, isBare: false);
        if (value.AsMatrix() is { } matrix && HasDimensions(matrix.Dimensions))
            WriteDimensions(writer, matrix.Dimensions);
    }

    public static void WriteType(UaJsonWriter writer, BuiltInType type)
    {
        if (!writer.OmitsType)
            writer.Json.WriteNumber(writer.Format.IsDeprecated ? JsonNames.Type : JsonNames.UaType, (int)type);
    }

    public static JsonEncodedText ValueName(UaJsonWriter writer) =>
        writer.Format.IsDeprecated ? JsonNames.Body : JsonNames.Value;

    /// <summary>Whether a Variant has the member: not where a dimension is 0. Source: Part 6 §5.2.2.16.</summary>
    public static bool HasDimensions(ReadOnlySpan<int> dimensions) =>
        dimensions.Length > 1 && !dimensions.Contains(0);

    public static void WriteDimensions(UaJsonWriter writer, ReadOnlySpan<int> dimensions)
    {
        writer.Json.WriteStartArray(JsonNames.Dimensions);
        foreach (var dimension in dimensions)
            writer.Json.WriteNumberValue(dimension);
        writer.Json.WriteEndArray();
    }

    public static Variant Read(ref UaJsonReader reader)
    {
        if (reader.IsNull || !reader.BeginObject() || !reader.TryEnter())
            return default;
        var variant = new VariantMembers();
        var seen = 0UL;
        while (reader.NextMember(Members, ref seen, out var member))
        {
            switch (member)
            {
                case 0 or 3:
                    variant.ReadType(ref reader);
                    break;
                case 1 or 4:
                    variant.ReadValue(ref reader);
                    break;
                default:
                    variant.ReadDimensions(ref reader);
                    break;
            }
        }

        // A mixture of both forms would be ambiguous.
        if ((seen & 0b00011) != 0 && (seen & 0b11000) != 0)
            reader.Expected("either UaType and Value or Type and Body");
        var value = variant.Finish(ref reader, isDataValue: false);
        reader.Leave();
        return value;
    }

    /// <summary>Without its type.</summary>
    public static void WriteBare(UaJsonWriter writer, in Variant value)
    {
        if (value.IsNull || (value.IsScalar && IsNullScalar(value)) || !writer.TryEnter())
        {
            writer.WriteNull();
            return;
        }

        WriteContent(writer, value, isBare: true);
        writer.Leave();
    }

    private static void WriteContent(UaJsonWriter writer, in Variant value, bool isBare)
    {
        if (value.IsScalar)
            VariantScalarJson.Write(writer, value);
        else if (value.Elements is not { Length: > 0 } elements)
            ArrayJson.WriteEmpty(writer);
        else if (isBare && value.AsMatrix() is { } matrix)
            WriteNested(writer, value.Type, elements, matrix.Dimensions);
        else
            ArrayJson.Write(writer, value.Type, elements, 0, elements.Length);
    }

    private static void WriteNested(UaJsonWriter writer, BuiltInType type, Array elements, int[] dimensions)
    {
        var first = 0;
        if (VariantBinary.Product(dimensions) == elements.Length)
            WriteNested(writer, type, elements, dimensions, ref first);
        else
            ArrayJson.Write(writer, type, elements, 0, elements.Length);
    }

    private static void WriteNested(
        UaJsonWriter writer, BuiltInType type, Array elements, ReadOnlySpan<int> dimensions, ref int first)
    {
        if (dimensions.Length == 1)
        {
            ArrayJson.Write(writer, type, elements, first, dimensions[0]);
            first += dimensions[0];
            return;
        }

        writer.Json.WriteStartArray();
        for (var i = 0; i < dimensions[0]; i++)
            WriteNested(writer, type, elements, dimensions[1..], ref first);
        writer.Json.WriteEndArray();
    }

    private static bool IsOmittedStatus(UaJsonWriter writer, in Variant value) =>
        value.Type == BuiltInType.StatusCode && StatusCodeJson.IsOmitted(writer, value.AsStatusCode());

    private static bool IsNullScalar(in Variant value) => value.Type switch
    {
        BuiltInType.String => value.AsString() is null,
        BuiltInType.DateTime => UaDateTime.ToWire(value.AsDateTime()) == 0,
        BuiltInType.Guid => value.AsGuid() == Guid.Empty,
        BuiltInType.ByteString => value.AsByteString() is null,
        BuiltInType.XmlElement => value.AsXmlElement().Value is null,
        BuiltInType.NodeId => value.AsNodeId().IsNull,
        BuiltInType.ExpandedNodeId => new JsonNodeId(value.AsExpandedNodeId()).IsNull,
        BuiltInType.QualifiedName => value.AsQualifiedName().IsNull,
        BuiltInType.LocalizedText => value.AsLocalizedText() is var text &&
            string.IsNullOrEmpty(text.Text) && string.IsNullOrEmpty(text.Locale),
        BuiltInType.ExtensionObject => value.AsExtensionObject().IsNull,
        BuiltInType.DataValue => DataValueJson.IsNull(value.AsDataValue()),
        BuiltInType.DiagnosticInfo => value.AsDiagnosticInfo() is null,
        _ => false,
    };
}
