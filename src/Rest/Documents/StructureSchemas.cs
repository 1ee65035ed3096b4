using System.Reflection;
using System.Text.Json.Nodes;
using Gateway.Codec.Structures;
using Gateway.Rest.Routing;

namespace Gateway.Rest.Documents;

/// <summary>
/// Schemas of declared structures in OPC UA JSON (Compact), read from the declarations that the codec's readers and
/// writers are made of. A structure in a field of its own is the schema of its name; one in an ExtensionObject is
/// <c>NameObject</c>, which has <c>UaTypeId</c> too; <c>AnyName</c> is an ExtensionObject of one of its
/// subtypes. Not thread-safe. Source: Part 6 §5.4.6 to §5.4.8.
/// </summary>
/// <param name="components">Gets the schemas by their names.</param>
internal sealed class StructureSchemas(JsonObject components)
{
    private static readonly JsonObject BuiltIns = ApiText.Parse(BuiltInSchemas.Json);

    /// <summary>With all that they reach.</summary>
    public void Add(IEnumerable<Type> structures)
    {
        foreach (var structure in structures)
            Name(structure);
    }

    /// <summary>The fields of a declaration, those of its base first: as the generator takes them.</summary>
    public static IEnumerable<PropertyInfo> FieldsOf(Type structure)
    {
        var above = structure.BaseType is { } type && IsStructure(type) ? FieldsOf(type) : [];
        return above.Concat(structure
            .GetProperties(BindingFlags.Public | BindingFlags.Instance | BindingFlags.DeclaredOnly)
            .Where(static property => property.SetMethod is not null));
    }

    private static bool IsStructure(Type type) =>
        type.GetCustomAttribute<StructureAttribute>(inherit: false) is not null;

    private JsonObject Name(Type type) =>
        Name(type.Name, () => IsStructure(type) ? Structure(type, null) : Enumeration(type));

    private JsonObject Name(string name, Func<JsonObject> make)
    {
        if (!components.ContainsKey(name))
        {
            // First, because a structure may reach itself.
            components[name] = new JsonObject();
            components[name] = make();
        }

        return new JsonObject { ["$ref"] = "#/components/schemas/" + name };
    }

    private JsonObject Structure(Type type, string? typeId)
    {
        var members = new JsonObject();
        if (typeId is not null)
            members["UaTypeId"] = new JsonObject { ["const"] = typeId };
        var kind = type.GetCustomAttribute<StructureAttribute>()!;
        if (kind.StructureType is StructureType.StructureWithOptionalFields)
            members["EncodingMask"] = BuiltIn("UInt32");
        else if (kind.StructureType is StructureType.Union or StructureType.UnionWithSubtypedValues)
            members["SwitchField"] = BuiltIn("UInt32");
        foreach (var field in FieldsOf(type))
            members[field.Name] = Field(type, field);
        var schema = new JsonObject
        {
            ["type"] = "object",
            ["description"] = $"DataType i={kind.DataTypeId}.",
            ["properties"] = members,
            ["additionalProperties"] = false,
        };
        if (typeId is not null)
            schema["required"] = new JsonArray("UaTypeId");
        return schema;
    }

    private JsonObject Field(Type structure, PropertyInfo field)
    {
        var type = Nullable.GetUnderlyingType(field.PropertyType) ?? field.PropertyType;
        if (!type.IsArray || type == typeof(byte[]))
            return Value(structure, field, type);
        var array = new JsonObject
        {
            ["type"] = new JsonArray("array", "null"),
            ["items"] = Value(structure, field, type.GetElementType()!),
        };
        if (StructureFacts.LimitOf(structure, field.Name) is { } limit)
            array["maxItems"] = $"{{{limit}}}";
        return array;
    }

    private JsonObject Value(Type structure, PropertyInfo field, Type type)
    {
        var name = BuiltInSchemas.NameOf(type);
        if (name == "ExtensionObject" && (field.GetCustomAttribute<AllowSubtypesAttribute>()?.BaseType ??
            StructureFacts.BaseOf(structure, field.Name)) is { } allowed)
            return Subtypes(allowed);
        return name is not null ? BuiltIn(name) : Name(type);
    }

    private JsonObject BuiltIn(string name)
    {
        // They name each other.
        foreach (var (one, schema) in BuiltIns)
            components.TryAdd(one, schema!.DeepClone());
        return new JsonObject { ["$ref"] = "#/components/schemas/" + name };
    }

    /// <summary>An ExtensionObject of one of these types.</summary>
    private JsonObject Subtypes(Type allowed) => Name("Any" + allowed.Name, () => new JsonObject
    {
        ["anyOf"] = new JsonArray(
        [
            .. from entry in StructureRegistry.All
               where entry.Type.IsAssignableTo(allowed) && !StructureFacts.IsAbstract(entry.Type)
               select Name(entry.Type.Name + "Object", () => Structure(entry.Type, $"i={entry.DataTypeId}")),
            new JsonObject { ["type"] = "null" },
        ]),
    });

    /// <summary>A number. Readers of Int32 also take <c>Name_Number</c>; a set of bits may have any.</summary>
    private JsonObject Enumeration(Type type)
    {
        var underlying = Enum.GetUnderlyingType(type);
        if (underlying != typeof(int) || type.GetCustomAttribute<FlagsAttribute>() is not null)
            return BuiltIn(BuiltInSchemas.NameOf(underlying)!);
        var names = Enum.GetNames(type);
        return new JsonObject
        {
            ["type"] = "integer",
            ["enum"] = new JsonArray([.. Enum.GetValuesAsUnderlyingType(type).Cast<int>().Select(
                static number => JsonValue.Create(number))]),
            ["x-enum-varnames"] = new JsonArray([.. names.Select(static name => JsonValue.Create(name))]),
            ["description"] = string.Join(", ", Enum.GetValuesAsUnderlyingType(type).Cast<int>().Zip(names).Select(
                static one => $"{one.First} {one.Second}")),
        };
    }
}
