using System.Globalization;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Standard;

/// <summary>
/// The value column: the type's name, <c>[]</c> for an array, and each element after a space. Texts are in quotes;
/// a locale follows after @. <c>Argument</c>: name, DataType, ValueRank, ArrayDimensions or <c>-</c>.
/// <c>EnumValueType</c>: value, DisplayName. <c>EUInformation</c>: NamespaceUri, UnitId, DisplayName, Description.
/// Only the types that the standard's nodes need.
/// </summary>
internal static class ValueFacts
{
    public static Variant Read(ref FactsScanner scanner)
    {
        var type = scanner.TakeUntil(" [").ToString();
        if (!scanner.TryTake('['))
        {
            scanner.Take(' ');
            return ReadScalar(ref scanner, type);
        }

        scanner.Take(']');
        return type switch
        {
            "Int32" => Array(ref scanner, BuiltInType.Int32, static (ref s) => (int)s.TakeNumber()),
            "UInt32" => Array(ref scanner, BuiltInType.UInt32, static (ref s) => s.TakeId()),
            "String" => Array(ref scanner, BuiltInType.String, static (ref s) => s.TakeText()),
            "LocalizedText" => Array(
                ref scanner, BuiltInType.LocalizedText, static (ref s) => s.TakeLocalizedText()),
            _ => Array(ref scanner, BuiltInType.ExtensionObject, StructureReader(type)),
        };
    }

    private delegate T ReadElement<T>(ref FactsScanner scanner);

    private static Variant ReadScalar(ref FactsScanner scanner, string type) => type switch
    {
        "Boolean" => new Variant(scanner.TakeNumber() != 0),
        "Int32" => new Variant((int)scanner.TakeNumber()),
        "UInt32" => new Variant(scanner.TakeId()),
        "String" => new Variant(scanner.TakeText()),
        "LocalizedText" => new Variant(scanner.TakeLocalizedText()),
        "DateTime" => new Variant(DateTime.Parse(
            scanner.TakeText()!, CultureInfo.InvariantCulture, DateTimeStyles.RoundtripKind)),
        _ => new Variant(StructureReader(type)(ref scanner)),
    };

    private static ReadElement<ExtensionObject> StructureReader(string type) => type switch
    {
        "Argument" => static (ref s) => new ExtensionObject(ReadArgument(ref s)),
        "EnumValueType" => static (ref s) => new ExtensionObject(ReadEnumValue(ref s)),
        "EUInformation" => static (ref s) => new ExtensionObject(ReadUnit(ref s)),
        _ => throw new FormatException($"'{type}' is no type of the table"),
    };

    private static Variant Array<T>(ref FactsScanner scanner, BuiltInType type, ReadElement<T> read)
    {
        var elements = new List<T>();
        while (scanner.TryTake(' '))
            elements.Add(read(ref scanner));
        return Variant.FromArray(type, elements.ToArray());
    }

    private static Argument ReadArgument(ref FactsScanner scanner)
    {
        var name = scanner.TakeText();
        scanner.Take(' ');
        var dataType = scanner.TakeId();
        scanner.Take(' ');
        var rank = (int)scanner.TakeNumber();
        scanner.Take(' ');
        var dimensions = scanner.TryTake('-') ? null : scanner.TakeNumbers();
        return new Argument
        {
            Name = name,
            DataType = new NodeId(dataType),
            ValueRank = rank,
            ArrayDimensions = dimensions,
        };
    }

    private static EnumValueType ReadEnumValue(ref FactsScanner scanner)
    {
        var value = scanner.TakeNumber();
        scanner.Take(' ');
        return new EnumValueType { Value = value, DisplayName = scanner.TakeLocalizedText() };
    }

    private static EUInformation ReadUnit(ref FactsScanner scanner)
    {
        var uri = scanner.TakeText();
        scanner.Take(' ');
        var unit = (int)scanner.TakeNumber();
        scanner.Take(' ');
        var displayName = scanner.TakeLocalizedText();
        scanner.Take(' ');
        return new EUInformation
        {
            NamespaceUri = uri,
            UnitId = unit,
            DisplayName = displayName,
            Description = scanner.TakeLocalizedText(),
        };
    }
}
