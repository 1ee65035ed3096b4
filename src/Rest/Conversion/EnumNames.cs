using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Access;

namespace Gateway.Rest.Conversion;

/// <summary>Finds the names of an enumeration: in the DataTypeDefinition, otherwise in the DataType's property
/// EnumValues or EnumStrings. Thread-safe. Source: Part 3 §5.8.3.</summary>
internal sealed class EnumNames(NodeTable nodes, ValueStore values, NodeAccess access)
{
    /// <summary>A DataType has a handful of references. Bounds the work (R44).</summary>
    private const int MaxReferences = 256;

    /// <summary>A larger property is not read.</summary>
    private const int MaxPropertyBytes = 512 * 1024;

    private static readonly NodeId HasProperty = new(StandardIds.ReferenceTypes.HasProperty);

    /// <summary>Null for a type that is no enumeration, and for an enumeration whose names are unknown, or
    /// not for the caller (R36).</summary>
    public EnumField[]? FieldsOf(Caller caller, in NodeId type)
    {
        var dataType = nodes.Find(type);
        if (!access.IsVisible(caller, dataType))
            return null;
        var status = nodes.ReadAttribute(dataType, AttributeId.DataTypeDefinition, out var definition);
        var fields = status.IsBad ? null : definition.AsStructure<EnumDefinition>()?.Fields;
        return fields ?? FieldsOfProperties(caller, dataType);
    }

    private EnumField[]? FieldsOfProperties(Caller caller, NodeHandle dataType)
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
            if (access.CheckRead(caller, reference.Target, AttributeId.Value).IsBad ||
                values.EncodedLengthOf(reference.Target) > MaxPropertyBytes)
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
