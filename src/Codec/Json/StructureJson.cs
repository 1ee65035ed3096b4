using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Codec.Json;

/// <summary>Whole structures, and the text around their fields. Source: Part 6 §5.4.6 to §5.4.8, §H.10.</summary>
public static class StructureJson
{
    /// <summary>Null is NULL.</summary>
    public static void WriteStructure<T>(this UaJsonWriter writer, T? value)
        where T : IJsonStructure
    {
        if (IsNull(value) || !writer.TryEnter())
        {
            writer.WriteNull();
            return;
        }

        value!.Encode(writer);
        writer.Leave();
    }

    /// <summary>Null is NULL, and so is an element.</summary>
    public static void WriteStructureArray<T>(this UaJsonWriter writer, T[]? elements)
        where T : IJsonStructure
    {
        if (elements is null)
            writer.WriteNull();
        else
            ArrayJson.Each(writer, elements, 0, elements.Length, static (w, v) => w.WriteStructure(v));
    }

    /// <summary>The mask of the present optional fields. Needed where the encoding omits defaults, because the fields
    /// do not show it.</summary>
    public static void WriteEncodingMask(this UaJsonWriter writer, uint mask)
    {
        if (writer.Format.OmitsDefaults)
            writer.Json.WriteNumber("EncodingMask"u8, mask);
    }

    /// <summary>Up to the field that the union holds, if it holds one.</summary>
    public static void BeginUnion(this UaJsonWriter writer, uint switchField)
    {
        if (writer.Format.Encoding != JsonEncoding.NonReversible)
            writer.BeginStructure();
        else if (switchField == 0)
            writer.WriteNull();
        if (writer.Format.OmitsDefaults && switchField != 0)
            writer.Json.WriteNumber("SwitchField"u8, switchField);
    }

    public static void EndUnion(this UaJsonWriter writer)
    {
        if (writer.Format.Encoding != JsonEncoding.NonReversible)
            writer.EndObject();
    }

    /// <summary>Its own; Reversible: <c>Value</c>; NonReversible: none.</summary>
    public static ReadOnlySpan<byte> UnionFieldName(this UaJsonWriter writer, ReadOnlySpan<byte> name) =>
        writer.Format.Encoding switch
        {
            JsonEncoding.Reversible => "Value"u8,
            JsonEncoding.NonReversible => default,
            _ => name,
        };

    /// <summary>NULL is the type's default.</summary>
    public static T ReadStructure<T>(this ref UaJsonReader reader)
        where T : IJsonStructure<T>, new()
    {
        if (reader.IsNull || !reader.TryEnter())
            return new T();
        var value = reader.ReadBody<T>();
        reader.Leave();
        return value;
    }

    /// <summary>NULL is null; NULL elements are their type's default.</summary>
    public static T[]? ReadStructureArray<T>(this ref UaJsonReader reader)
        where T : IJsonStructure<T>, new() =>
        reader.IsNull ? null : ArrayJson.ReadEach(ref reader, static (ref r) => r.ReadStructure<T>());

    public static T ReadEnumeration<T>(this ref UaJsonReader reader)
        where T : struct, Enum => EnumerationJson.Read<T>(ref reader);

    public static T[]? ReadEnumerationArray<T>(this ref UaJsonReader reader)
        where T : struct, Enum =>
        reader.IsNull ? null : ArrayJson.ReadEach(ref reader, static (ref r) => EnumerationJson.Read<T>(ref r));

    /// <summary>An ExtensionObject that may hold a <typeparamref name="T"/>; see
    /// <see cref="AllowSubtypesAttribute"/>.</summary>
    public static ExtensionObject ReadSubtype<T>(this ref UaJsonReader reader)
        where T : class, IStructure
    {
        var value = reader.ReadExtensionObject();
        if (value.Body is IStructure and not T)
            reader.Expected("a structure that this field allows");
        return value;
    }

    public static ExtensionObject[]? ReadSubtypeArray<T>(this ref UaJsonReader reader)
        where T : class, IStructure =>
        reader.IsNull ? null : ArrayJson.ReadEach(ref reader, static (ref r) => r.ReadSubtype<T>());

    /// <summary>The present optional fields: those in the mask, or without a mask those that were read. A bit without a
    /// field and a field without its bit are errors.</summary>
    /// <param name="reader">At the end of the structure.</param>
    /// <param name="read">The members that were read: a bit for each optional field first, as in the mask.</param>
    /// <param name="mask">Null: the text had none.</param>
    /// <param name="count">The number of optional fields.</param>
    public static uint PresentFields(this ref UaJsonReader reader, ulong read, uint? mask, int count)
    {
        var present = (uint)(read & ((1UL << count) - 1));
        if (mask is not { } named)
            return present;
        if ((ulong)named >> count != 0)
            reader.Expected($"an EncodingMask of {count} bits");
        else if ((present & ~named) != 0)
            reader.Expected("an EncodingMask that names each optional field that is there");
        return named;
    }

    /// <summary>A struct is asked by its type: code that is not optimized would box it.</summary>
    internal static bool IsNull<T>(T? value) => !typeof(T).IsValueType && value is null;

    /// <summary>For the body of an ExtensionObject, whose level is counted already.</summary>
    internal static T ReadBody<T>(this ref UaJsonReader reader)
        where T : IJsonStructure<T>, new() =>
        reader.BeginObject() && reader.TryCharge(T.MemoryBytes) ? T.Decode(ref reader) : new T();
}
