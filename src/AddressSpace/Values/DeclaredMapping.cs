using System.Collections.Concurrent;
using System.Reflection;
using Gateway.Codec.Json.Definitions;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Values;

/// <summary>Copies structures of the standard with other ids in them. By reflection: such values are rare, and a
/// structure that is added later is mapped without a line here. Threads: any.</summary>
internal static class DeclaredMapping
{
    private static readonly MethodInfo Clone =
        typeof(object).GetMethod("MemberwiseClone", BindingFlags.Instance | BindingFlags.NonPublic)!;

    /// <summary>The members of each type that can hold an index.</summary>
    private static readonly ConcurrentDictionary<Type, PropertyInfo[]> Members = new();

    /// <summary>The same object where nothing in it can hold an index.</summary>
    public static IStructure Map(IStructure structure, IContentMapper mapper) =>
        (IStructure)MapObject(structure, mapper);

    private static object MapObject(object structure, IContentMapper mapper)
    {
        var members = Members.GetOrAdd(structure.GetType(), static type => [.. MembersOf(type)]);
        if (members.Length == 0)
            return structure;
        var copy = Clone.Invoke(structure, null)!;
        foreach (var member in members)
            member.SetValue(copy, MapValue(member.GetValue(structure), mapper));
        return copy;
    }

    private static object? MapValue(object? value, IContentMapper mapper) => value switch
    {
        NodeId id => mapper.Map(id),
        ExpandedNodeId id => mapper.Map(id),
        QualifiedName name => mapper.Map(name),
        Variant variant => mapper.Map(variant),
        DataValue data => mapper.Map(data),
        ExtensionObject extension => mapper.Map(extension),
        IStructure structure => MapObject(structure, mapper),
        Array elements => MapElements(elements, mapper),
        _ => value,
    };

    private static Array MapElements(Array elements, IContentMapper mapper)
    {
        var copy = (Array)elements.Clone();
        for (var i = 0; i < copy.Length; i++)
            copy.SetValue(MapValue(copy.GetValue(i), mapper), i);
        return copy;
    }

    private static IEnumerable<PropertyInfo> MembersOf(Type structure) =>
        structure.GetProperties(BindingFlags.Instance | BindingFlags.Public)
            .Where(static member => member.CanWrite && member.CanRead && HoldsIndexes(member.PropertyType, []));

    private static bool HoldsIndexes(Type type, HashSet<Type> seen)
    {
        var element = type.IsArray ? type.GetElementType()! : Nullable.GetUnderlyingType(type) ?? type;
        if (element == typeof(NodeId) || element == typeof(ExpandedNodeId) || element == typeof(QualifiedName) ||
            element == typeof(Variant) || element == typeof(DataValue) || element == typeof(ExtensionObject))
            return true;
        return typeof(IStructure).IsAssignableFrom(element) && seen.Add(element) &&
            Array.Exists(
                element.GetProperties(BindingFlags.Instance | BindingFlags.Public),
                member => member.CanWrite && HoldsIndexes(member.PropertyType, seen));
    }
}
