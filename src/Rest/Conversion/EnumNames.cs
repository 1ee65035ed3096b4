using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Json;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Conversion;

/// <summary>The numbers of an enumeration by their names: <c>Running</c>, <c>Running_0</c>, <c>0</c>. The names come
/// from the DataTypeDefinition, otherwise from the DataType's property EnumValues or EnumStrings. Thread-safe. Source:
/// Part 3 §5.8.3.</summary>
internal sealed class EnumNames(NodeTable nodes, ValueStore values)
{
    private const int MaxListed = 32;

    /// <summary>A DataType has a handful of references. Bounds the work (R44).</summary>
    private const int MaxReferences = 256;

    /// <summary>A larger property is not read.</summary>
    private const int MaxPropertyBytes = 512 * 1024;

    private static readonly NodeId HasProperty = new(StandardIds.ReferenceTypes.HasProperty);

    /// <summary>Null for a type that is no enumeration, and for an enumeration whose names are unknown.</summary>
    public EnumField[]? FieldsOf(in ExpectedType type)
    {
        if (type.BuiltInType != BuiltInType.Int32 || type.DataType == new NodeId(StandardIds.DataTypes.Int32))
            return null;
        var dataType = nodes.Find(type.DataType);
        var status = nodes.ReadAttribute(dataType, AttributeId.DataTypeDefinition, out var definition);
        var fields = status.IsBad ? null : definition.AsStructure<EnumDefinition>()?.Fields;
        return fields ?? FieldsOfProperties(dataType);
    }

    /// <summary>One, an array or a matrix of them.</summary>
    public static Variant ReadAll(ref UaJsonReader reader, EnumField[] fields) =>
        reader.ReadBareNumbers((ref one) => Read(ref one, fields));

    /// <summary>The number by its name, or as it is.</summary>
    private static int Read(ref UaJsonReader reader, EnumField[] fields)
    {
        if (reader.IsNumber)
            return reader.ReadInt32();
        if (reader.IsString && TryFind(fields, reader.ReadString() ?? "", out var number))
            return number;
        reader.Expected(InWords(fields));
        return 0;
    }

    private static bool TryFind(EnumField[] fields, string text, out int number)
    {
        foreach (var field in fields)
        {
            number = (int)field.Value;
            if (text == field.Name || text == string.Create(CultureInfo.InvariantCulture, $"{field.Name}_{number}"))
                return true;
        }

        return int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out number);
    }

    public static string InWords(EnumField[] fields) =>
        "one of " + string.Join(", ", fields.Take(MaxListed).Select(static field => string.Create(
            CultureInfo.InvariantCulture, $"{field.Name} ({field.Value})"))) +
        (fields.Length > MaxListed ? ", …" : "");

    private EnumField[]? FieldsOfProperties(NodeHandle dataType)
    {
        var references = nodes.References(dataType);
        for (var i = 0; i < Math.Min(references.Count, MaxReferences); i++)
        {
            var reference = references[i];
            if (!reference.IsForward || reference.IsExternal || nodes.GetNodeId(reference.ReferenceType) != HasProperty)
                continue;
            var name = nodes.GetBrowseName(reference.Target);
            if (name.NamespaceIndex != 0 || name.Name is not ("EnumValues" or "EnumStrings"))
                continue;
            if (values.EncodedLengthOf(reference.Target) > MaxPropertyBytes)
                continue;
            var value = values.Read(reference.Target).Value;
            if ((name.Name == "EnumValues" ? OfValues(value) : OfStrings(value)) is { Length: > 0 } fields)
                return fields;
        }

        return null;
    }

    private static EnumField[]? OfValues(in Variant value) => value.AsArray<ExtensionObject>()?
        .Select(static one => one.Body).OfType<EnumValueType>()
        .Select(static one => new EnumField { Name = one.DisplayName.Text, Value = one.Value })
        .Where(static field => !string.IsNullOrEmpty(field.Name))
        .ToArray();

    /// <summary>Their positions are the numbers.</summary>
    private static EnumField[]? OfStrings(in Variant value) => value.AsArray<LocalizedText>()?
        .Select(static (text, number) => new EnumField { Name = text.Text, Value = number })
        .Where(static field => !string.IsNullOrEmpty(field.Name))
        .ToArray();
}
