using System.Globalization;
using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Rest.Conversion;

/// <summary>The numbers of an enumeration by their names: <c>Running</c>, <c>Running_0</c>, <c>0</c>. Thread-safe.
/// </summary>
internal sealed class EnumNames(NodeTable nodes)
{
    private const int MaxListed = 32;

    /// <summary>Null for a type that is no enumeration, or one whose names nobody knows.</summary>
    public EnumField[]? FieldsOf(in ExpectedType type)
    {
        if (type.BuiltInType != BuiltInType.Int32 || type.DataType == new NodeId(StandardIds.DataTypes.Int32))
            return null;
        var status = nodes.ReadAttribute(
            nodes.Find(type.DataType), AttributeId.DataTypeDefinition, out var definition);
        return status.IsBad ? null : definition.AsStructure<EnumDefinition>()?.Fields;
    }

    public static bool TryFind(EnumField[] fields, string text, out int number)
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
}
