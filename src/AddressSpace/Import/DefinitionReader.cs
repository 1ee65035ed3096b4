using System.Xml.Linq;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Import;

/// <summary>The Definition element of a DataType: its own fields. Source: Part 6 Annex F.12, F.13.</summary>
internal sealed class DefinitionReader(NodeSetReader reader)
{
    public OwnFields Read(XElement definition)
    {
        var optionSet = IsTrue(definition, "IsOptionSet");
        var elements = definition.Elements().Where(static e => e.Name.LocalName == "Field").ToList();
        if (optionSet || elements.Any(static e => e.Attribute("Value") is not null))
            return new OwnFields(default, [], [.. elements.Select(ReadEnumField)]) { IsEnumeration = true };
        return new OwnFields(
            Kind(IsTrue(definition, "IsUnion"), elements), [.. elements.Select(ReadStructureField)], []);
    }

    private static StructureType Kind(bool isUnion, List<XElement> fields)
    {
        var subtyped = fields.Any(static f => IsTrue(f, "AllowSubTypes"));
        if (isUnion)
            return subtyped ? StructureType.UnionWithSubtypedValues : StructureType.Union;
        if (subtyped)
            return StructureType.StructureWithSubtypedValues;
        return fields.Any(static f => IsTrue(f, "IsOptional"))
            ? StructureType.StructureWithOptionalFields
            : StructureType.Structure;
    }

    private StructureField ReadStructureField(XElement field)
    {
        var line = NodeSetXml.Line(field);
        var dataType = field.Attribute("DataType")?.Value;
        return new StructureField
        {
            Name = field.Attribute("Name")?.Value,
            Description = Text(field, "Description"),
            DataType = dataType is null
                ? new NodeId(StandardIds.DataTypes.BaseDataType)
                : reader.ParseNodeId(dataType, line, "DataType of a field"),
            ValueRank = reader.ParseInt32(field.Attribute("ValueRank")?.Value, line, "ValueRank", -1),
            ArrayDimensions = reader.ParseDimensions(field.Attribute("ArrayDimensions")?.Value, line),
            MaxStringLength = reader.ParseUInt32(
                field.Attribute("MaxStringLength")?.Value, line, "MaxStringLength", 0),
            // In a structure of subtyped values the flag says which field allows them. Source: Part 3 §8.51.
            IsOptional = IsTrue(field, "IsOptional") || IsTrue(field, "AllowSubTypes"),
        };
    }

    private EnumField ReadEnumField(XElement field)
    {
        var name = field.Attribute("Name")?.Value;
        var text = field.Attribute("Value")?.Value;
        var displayName = Text(field, "DisplayName");
        return new EnumField
        {
            Name = name,
            Value = reader.ParseInt32(text, NodeSetXml.Line(field), "enumeration value", -1),
            DisplayName = displayName.IsNull ? new LocalizedText(name) : displayName,
            Description = Text(field, "Description"),
        };
    }

    private static LocalizedText Text(XElement field, string name)
    {
        var element = field.Elements().FirstOrDefault(e => e.Name.LocalName == name);
        return element is null ? default : new LocalizedText(element.Value, element.Attribute("Locale")?.Value);
    }

    private static bool IsTrue(XElement element, string name) => element.Attribute(name)?.Value is "true" or "1";
}
