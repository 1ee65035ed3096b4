using System.Globalization;
using System.Text;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.NodeSetCompiler;

/// <summary>Ids, texts, definitions and values in the form of the table. Throws where the standard holds something that
/// the form has no word for: then form and reader grow together.</summary>
internal static class TableText
{
    public static string Id(NodeId node) => node is { NamespaceIndex: 0, IdType: IdType.Numeric }
        ? node.Numeric.ToString(CultureInfo.InvariantCulture)
        : throw new NotSupportedException($"{node} is not numeric in namespace 0");

    public static string Quote(string? text)
    {
        if (text is null)
            return "~";
        var quoted = new StringBuilder("\"");
        foreach (var c in text)
        {
            quoted.Append(c switch
            {
                '"' => "\\\"",
                '\\' => "\\\\",
                '\n' => "\\n",
                '\r' => "\\r",
                '\t' => "\\t",
                _ => c.ToString(),
            });
        }

        return quoted.Append('"').ToString();
    }

    public static string Definition(Variant definition) => definition.AsStructure<DataTypeDefinition>() switch
    {
        null => "",
        EnumDefinition enumeration => "E" + string.Concat((enumeration.Fields ?? []).Select(EnumField)),
        StructureDefinition structure => string.Create(
            CultureInfo.InvariantCulture,
            $"S{(int)structure.StructureType},{Id(structure.BaseDataType)},{Id(structure.DefaultEncodingId)}") +
            string.Concat((structure.Fields ?? []).Select(Field)),
        var other => throw new NotSupportedException(other.GetType().Name),
    };

    public static string Value(Variant value)
    {
        if (value.IsNull)
            return "";
        if (value.IsScalar)
            return $"{TypeOf(value.ToObject()!)} {Element(value.ToObject()!)}";
        var elements = value.Elements!.Cast<object>().ToList();
        return elements.Count == 0
            ? $"{value.Type}[]"
            : $"{TypeOf(elements[0])}[]{string.Concat(elements.Select(static e => " " + Element(e)))}";
    }

    private static string EnumField(EnumField field)
    {
        var name = Name(field.Name, '=');
        var displayName = field.DisplayName.Text == field.Name ? "" : Quote(field.DisplayName.Text);
        return string.Create(CultureInfo.InvariantCulture, $" {name}={field.Value}{displayName}");
    }

    private static string Field(StructureField field)
    {
        var text = new StringBuilder($" {Name(field.Name, ':')}:{Id(field.DataType)}");
        if (field.ValueRank != -1)
            text.Append(CultureInfo.InvariantCulture, $":k{field.ValueRank}");
        if (field.ArrayDimensions is { Length: > 0 } dimensions)
            text.Append(":d").AppendJoin(',', dimensions);
        if (field.MaxStringLength != 0)
            text.Append(CultureInfo.InvariantCulture, $":m{field.MaxStringLength}");
        if (field.IsOptional)
            text.Append(":o");
        return text.ToString();
    }

    private static string Name(string? name, char end) =>
        name is { Length: > 0 } && !name.Contains(end, StringComparison.Ordinal) && !name.Contains('\t')
            ? name
            : throw new NotSupportedException($"the field name '{name}'");

    private static string TypeOf(object element) => element switch
    {
        bool => "Boolean",
        int => "Int32",
        uint => "UInt32",
        string => "String",
        System.DateTime => "DateTime",
        LocalizedText => "LocalizedText",
        ExtensionObject { Body: Argument } => "Argument",
        ExtensionObject { Body: EnumValueType } => "EnumValueType",
        ExtensionObject { Body: EUInformation } => "EUInformation",
        _ => throw new NotSupportedException(element.GetType().Name),
    };

    private static string Element(object element) => element switch
    {
        bool value => value ? "1" : "0",
        int or uint => string.Create(CultureInfo.InvariantCulture, $"{element}"),
        string text => Quote(text),
        System.DateTime time => Quote(time.ToString("O", CultureInfo.InvariantCulture)),
        LocalizedText text => Text(text),
        ExtensionObject { Body: Argument argument } => ArgumentText(argument),
        ExtensionObject { Body: EnumValueType value } => string.Create(
            CultureInfo.InvariantCulture, $"{value.Value} {Text(value.DisplayName)}"),
        ExtensionObject { Body: EUInformation unit } => string.Create(
            CultureInfo.InvariantCulture,
            $"{Quote(unit.NamespaceUri)} {unit.UnitId} {Text(unit.DisplayName)} {Text(unit.Description)}"),
        _ => throw new NotSupportedException(element.GetType().Name),
    };

    private static string ArgumentText(Argument argument)
    {
        var dimensions = argument.ArrayDimensions is { Length: > 0 } given ? string.Join(',', given) : "-";
        return string.Create(
            CultureInfo.InvariantCulture,
            $"{Quote(argument.Name)} {Id(argument.DataType)} {argument.ValueRank} {dimensions}");
    }

    private static string Text(LocalizedText text) =>
        string.IsNullOrEmpty(text.Locale) ? Quote(text.Text) : $"{Quote(text.Text)}@{text.Locale}";
}
