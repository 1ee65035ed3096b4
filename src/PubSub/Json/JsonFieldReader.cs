using System.Text.Json;
using Gateway.Codec.Json;
using Gateway.Codec.Types;

namespace Gateway.PubSub.Json;

/// <summary>
/// Reads one field, in whichever representation and encoding it is: its members show it. Shape: a bare value; a Variant
/// (<c>UaType, Value</c> or <c>Type, Body</c>); a DataValue, whose value may be each of these; a StatusCode in place of
/// a value. Errors: a value that cannot be read is null with the reason as its status. Source: Part 14 §7.2.5.4.
/// </summary>
internal static class JsonFieldReader
{
    private const int UaType = 0;
    private const int Value = 1;
    private const int Dimensions = 2;
    private const int Status = 3;
    private const int StatusCodeName = 4;
    private const int FirstTime = 5;
    private const int Type = 11;
    private const int Body = 12;
    private const int Code = 13;
    private const int Symbol = 14;
    private const int Array = 15;
    private const int UaTypeId = 16;
    private const int TypeId = 17;
    private const int Encoding = 18;
    private const int Text = 19;
    private const int Locale = 20;

    private static readonly byte[][] Names =
    [
        "UaType"u8.ToArray(), "Value"u8.ToArray(), "Dimensions"u8.ToArray(), "Status"u8.ToArray(),
        "StatusCode"u8.ToArray(), "SourceTimestamp"u8.ToArray(), "SourcePicoseconds"u8.ToArray(),
        "SourcePicoSeconds"u8.ToArray(), "ServerTimestamp"u8.ToArray(), "ServerPicoseconds"u8.ToArray(),
        "ServerPicoSeconds"u8.ToArray(), "Type"u8.ToArray(), "Body"u8.ToArray(), "Code"u8.ToArray(),
        "Symbol"u8.ToArray(), "Array"u8.ToArray(), "UaTypeId"u8.ToArray(), "TypeId"u8.ToArray(),
        "Encoding"u8.ToArray(), "Text"u8.ToArray(), "Locale"u8.ToArray(),
    ];

    /// <param name="text">The whole message.</param>
    /// <param name="item">The field's value.</param>
    /// <param name="form">Its metadata; null: unknown.</param>
    /// <param name="budget">Of the message.</param>
    public static DataValue Read(
        ReadOnlySpan<byte> text, JsonSlice item, JsonFieldPlan? form, JsonValueBudget budget)
    {
        if (item.IsNull)
            return new DataValue(form?.Null ?? default);
        if (item.Token != JsonTokenType.StartObject)
            return ReadBare(text, item, form, budget);
        Span<JsonSlice> found = stackalloc JsonSlice[Names.Length];
        if (!JsonMembers.TryFind(text, item, Names, found, out var unknown))
            return new DataValue(StatusCodes.BadDecodingError);
        if (found[UaType].IsThere)
            return ReadTyped(text, item, form, budget);
        if (IsReversibleVariant(found, unknown))
            return AsStatus(ReadVariant(text, item, budget), form);
        if (unknown == 0 && HasOnly(found, Code, Symbol) && found[Code].IsThere && form?.Type != BuiltInType.StatusCode)
            return ReadStatus(text, item, budget);
        if (unknown == 0 && IsDataValue(found))
            return ReadDataValue(text, found, form, budget);
        return ReadObject(text, item, found, unknown, form, budget);
    }

    /// <summary>An enumeration.</summary>
    public static DataValue ReadNumbers(ReadOnlySpan<byte> text, JsonSlice item, JsonValueBudget budget) =>
        ReadBare(text, item, BuiltInType.Int32, default, budget);

    private static bool HasOnly(ReadOnlySpan<JsonSlice> found, int first, int last)
    {
        for (var i = 0; i < found.Length; i++)
        {
            if (found[i].IsThere && (i < first || i > last))
                return false;
        }

        return true;
    }

    private static bool IsReversibleVariant(ReadOnlySpan<JsonSlice> found, int unknown) =>
        unknown == 0 && found[Type].Token == JsonTokenType.Number &&
        (HasOnly(found, Type, Body) || (found[Body].IsThere && HasOnly(found, Dimensions, Body) && !HasQuality(found)));

    private static bool HasQuality(ReadOnlySpan<JsonSlice> found)
    {
        for (var i = Status; i < Type; i++)
        {
            if (found[i].IsThere)
                return true;
        }

        return false;
    }

    /// <summary>At least one member, and those of a DataValue only.</summary>
    private static bool IsDataValue(ReadOnlySpan<JsonSlice> found) =>
        (found[Value].IsThere || HasQuality(found)) && HasOnly(found, Value, Type - 1);

    /// <summary>It has its type with it: a Variant, or a DataValue with more members.</summary>
    private static DataValue ReadTyped(
        ReadOnlySpan<byte> text, JsonSlice item, JsonFieldPlan? form, JsonValueBudget budget)
    {
        var reader = budget.Read(item.Of(text));
        var value = reader.ReadDataValue();
        reader.End();
        return reader.Failed ? new DataValue(reader.Status) : AsStatus(value, form);
    }

    private static DataValue ReadVariant(ReadOnlySpan<byte> text, JsonSlice item, JsonValueBudget budget)
    {
        var reader = budget.Read(item.Of(text));
        var value = reader.ReadVariant();
        reader.End();
        return reader.Failed ? new DataValue(reader.Status) : new DataValue(value);
    }

    /// <summary>A Bad StatusCode stands for a value that there is not, unless the field is of that type.</summary>
    private static DataValue AsStatus(in DataValue value, JsonFieldPlan? form) =>
        value.Value is { IsScalar: true, Type: BuiltInType.StatusCode } && value.Status.Code == 0 &&
        form?.Type != BuiltInType.StatusCode && value.Value.AsStatusCode() is { IsBad: true } status
            ? value with { Value = default, Status = status }
            : value;

    private static DataValue ReadStatus(ReadOnlySpan<byte> text, JsonSlice item, JsonValueBudget budget)
    {
        var reader = budget.Read(item.Of(text));
        var status = reader.ReadStatusCode();
        reader.End();
        return new DataValue(reader.Failed ? reader.Status : status);
    }

    /// <summary>The value's type is in the metadata, or in a Variant of the Reversible encoding.</summary>
    private static DataValue ReadDataValue(
        ReadOnlySpan<byte> text, ReadOnlySpan<JsonSlice> found, JsonFieldPlan? form, JsonValueBudget budget)
    {
        var value = default(DataValue);
        if (found[Value].IsThere && found[Dimensions].IsThere)
            value = ReadMatrix(text, found[Value], found[Dimensions], form, budget);
        else if (found[Value].Token == JsonTokenType.StartObject)
            value = Read(text, found[Value], form, budget);
        else if (found[Value].IsThere && !found[Value].IsNull)
            value = ReadBare(text, found[Value], form, budget);
        var failed = value.Status;
        var status = Single(found[Status], found[StatusCodeName], out var isTwice) is { IsThere: true } place
            ? ReadStatus(text, place, budget).Status
            : default;
        // A null of its type, which no encoding writes.
        if (value == default && !status.IsBad && form is not null)
            value = new DataValue(form.Null);
        var source = ReadTime(text, found[FirstTime], ref failed, budget);
        var server = ReadTime(text, found[FirstTime + 3], ref failed, budget);
        var sourcePicoseconds = ReadPicoseconds(
            text, Single(found[FirstTime + 1], found[FirstTime + 2], out var isSecond), ref failed, budget);
        var serverPicoseconds = ReadPicoseconds(
            text, Single(found[FirstTime + 4], found[FirstTime + 5], out var isThird), ref failed, budget);
        if (isTwice || isSecond || isThird)
            failed = StatusCodes.BadDecodingError;
        return failed.IsBad
            ? new DataValue(failed)
            : new DataValue(value.Value, status, source, server, sourcePicoseconds, serverPicoseconds);
    }

    private static JsonSlice Single(JsonSlice one, JsonSlice other, out bool isTwice)
    {
        isTwice = one.IsThere && other.IsThere;
        return one.IsThere ? one : other;
    }

    private static DateTime ReadTime(
        ReadOnlySpan<byte> text, JsonSlice item, ref StatusCode failed, JsonValueBudget budget)
    {
        if (item.IsNull)
            return default;
        var reader = budget.Read(item.Of(text));
        var time = reader.ReadDateTime();
        if (reader.Failed)
            failed = reader.Status;
        return time;
    }

    private static ushort ReadPicoseconds(
        ReadOnlySpan<byte> text, JsonSlice item, ref StatusCode failed, JsonValueBudget budget)
    {
        if (item.IsNull)
            return 0;
        var reader = budget.Read(item.Of(text));
        var value = reader.ReadUInt16();
        if (reader.Failed)
            failed = reader.Status;
        return value;
    }

    /// <summary>All elements in one array, and its dimensions.</summary>
    private static DataValue ReadMatrix(
        ReadOnlySpan<byte> text, JsonSlice elements, JsonSlice dimensions, JsonFieldPlan? form, JsonValueBudget budget)
    {
        var flat = ReadBare(text, elements, form, budget);
        if (flat.Status.IsBad)
            return flat;
        var reader = budget.Read(dimensions.Of(text));
        var lengths = reader.ReadArray<int>(BuiltInType.Int32) ?? [];
        if (reader.Failed)
            return new DataValue(reader.Status);
        if (lengths.Length <= 1)
            return flat;
        var product = 1L;
        foreach (var length in lengths)
            product = length < 0 || product > int.MaxValue ? -1 : product * length;
        return flat.Value is { IsScalar: false, Elements: { } all } && all.Length == product
            ? new DataValue(Variant.FromMatrix(flat.Value.Type, new Matrix(all, lengths)))
            : new DataValue(StatusCodes.BadDecodingError);
    }

    private static DataValue ReadObject(
        ReadOnlySpan<byte> text, JsonSlice item, ReadOnlySpan<JsonSlice> found, int unknown, JsonFieldPlan? form,
        JsonValueBudget budget)
    {
        var isMatrix = unknown == 0 && found[Array].Token == JsonTokenType.StartArray &&
            found[Dimensions].Token == JsonTokenType.StartArray;
        if (isMatrix)
            return ReadMatrix(text, found[Array], found[Dimensions], form, budget);
        if (form is { IsConcrete: true })
            return ReadBare(text, item, form, budget);
        var reader = budget.Read(item.Of(text));
        Variant value;
        if (found[UaTypeId].IsThere || (found[TypeId].IsThere && unknown == 0 && HasOnlyBody(found)))
            value = new Variant(reader.ReadExtensionObject());
        else if (unknown == 0 && HasOnly(found, Text, Locale) && found[Text].IsThere)
            value = new Variant(reader.ReadLocalizedText());
        else
            return new DataValue(StatusCodes.BadDataTypeIdUnknown);
        reader.End();
        return reader.Failed ? new DataValue(reader.Status) : new DataValue(value);
    }

    private static bool HasOnlyBody(ReadOnlySpan<JsonSlice> found)
    {
        for (var i = 0; i < found.Length; i++)
        {
            if (found[i].IsThere && i is not (Body or TypeId or Encoding))
                return false;
        }

        return true;
    }

    /// <summary>A value without a type.</summary>
    private static DataValue ReadBare(
        ReadOnlySpan<byte> text, JsonSlice item, JsonFieldPlan? form, JsonValueBudget budget)
    {
        if (form is not { IsConcrete: true } && GuessedType(text, item) is var type)
            return type == BuiltInType.Null ? new DataValue(StatusCodes.BadDataTypeIdUnknown)
                : ReadBare(text, item, type, default, budget);
        return ReadBare(text, item, form!.Type, form.DataType, budget);
    }

    private static DataValue ReadBare(
        ReadOnlySpan<byte> text, JsonSlice item, BuiltInType type, NodeId dataType, JsonValueBudget budget)
    {
        var reader = budget.Read(item.Of(text));
        var value = type switch
        {
            BuiltInType.Int32 => reader.ReadBareNumbers(ReadNumber),
            BuiltInType.ExtensionObject => reader.ReadBareStructures(dataType),
            _ => reader.ReadBareVariant(type),
        };
        reader.End();
        return reader.Failed ? new DataValue(reader.Status) : new DataValue(value);
    }

    /// <summary>An Int32, also as the text of an enumeration: <c>Name_Number</c>.</summary>
    private static int ReadNumber(ref UaJsonReader reader)
    {
        if (!reader.IsString)
            return reader.ReadInt32();
        var text = reader.ReadString().AsSpan();
        if (int.TryParse(
            text[(text.LastIndexOf('_') + 1)..], System.Globalization.NumberStyles.AllowLeadingSign,
            System.Globalization.CultureInfo.InvariantCulture, out var value))
            return value;
        reader.Expected("a number, or a text Name_Number");
        return 0;
    }

    private static bool IsNumber(BuiltInType type) => type is BuiltInType.Int64 or BuiltInType.Double;

    /// <summary>The type that JSON says. Of an array: the type of all its elements; Null: they are of several, or
    /// objects.</summary>
    private static BuiltInType GuessedType(ReadOnlySpan<byte> text, JsonSlice item)
    {
        var json = JsonMembers.Reader(item.Of(text));
        var guessed = BuiltInType.Null;
        var depth = 0;
        while (json.Read())
        {
            var type = json.TokenType switch
            {
                JsonTokenType.True or JsonTokenType.False => BuiltInType.Boolean,
                JsonTokenType.String => BuiltInType.String,
                JsonTokenType.Number => json.TryGetInt64(out _) ? BuiltInType.Int64 : BuiltInType.Double,
                JsonTokenType.StartArray or JsonTokenType.EndArray => BuiltInType.Null,
                JsonTokenType.Null => BuiltInType.Null,
                _ => BuiltInType.DiagnosticInfo,
            };
            if (json.TokenType == JsonTokenType.StartArray)
                depth++;
            if (type == BuiltInType.Null || type == guessed)
                continue;
            if (guessed == BuiltInType.Null)
                guessed = type;
            else if (IsNumber(guessed) && IsNumber(type))
                guessed = BuiltInType.Double;
            else
                return BuiltInType.Null;
        }

        // An array of nothing, or of nulls, is one of texts as well as of anything.
        return guessed == BuiltInType.DiagnosticInfo ? BuiltInType.Null
            : guessed == BuiltInType.Null && depth > 0 ? BuiltInType.String : guessed;
    }
}
