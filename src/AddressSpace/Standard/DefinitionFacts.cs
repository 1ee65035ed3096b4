using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.AddressSpace.Standard;

/// <summary>
/// The definition column: <c>E name=value …</c> for an EnumDefinition, where a DisplayName that differs from the name
/// follows in quotes, and <c>Skind,base,encoding name:type …</c> for a StructureDefinition with its inherited fields,
/// where a field goes on with <c>:k</c> ValueRank, <c>:d</c> ArrayDimensions, <c>:m</c> MaxStringLength, <c>:o</c>
/// IsOptional.
/// </summary>
internal static class DefinitionFacts
{
    public static DataTypeDefinition Read(ref FactsScanner scanner)
    {
        if (scanner.TryTake('E'))
            return ReadEnum(ref scanner);
        scanner.Take('S');
        var kind = (StructureType)scanner.TakeNumber();
        scanner.Take(',');
        var baseType = scanner.TakeId();
        scanner.Take(',');
        var encoding = scanner.TakeId();
        var fields = new List<StructureField>();
        while (scanner.TryTake(' '))
            fields.Add(ReadField(ref scanner));
        return new StructureDefinition
        {
            DefaultEncodingId = new NodeId(encoding),
            BaseDataType = new NodeId(baseType),
            StructureType = kind,
            Fields = [.. fields],
        };
    }

    private static EnumDefinition ReadEnum(ref FactsScanner scanner)
    {
        var fields = new List<EnumField>();
        while (scanner.TryTake(' '))
        {
            var name = scanner.TakeUntil("=").ToString();
            scanner.Take('=');
            var value = scanner.TakeNumber();
            var displayName = scanner.Peek == '"' ? scanner.TakeText() : name;
            fields.Add(new EnumField { Name = name, Value = value, DisplayName = new LocalizedText(displayName) });
        }

        return new EnumDefinition { Fields = [.. fields] };
    }

    private static StructureField ReadField(ref FactsScanner scanner)
    {
        var name = scanner.TakeUntil(":").ToString();
        scanner.Take(':');
        var dataType = scanner.TakeId();
        var rank = -1;
        uint[]? dimensions = null;
        var maxStringLength = 0u;
        var optional = false;
        while (scanner.TryTake(':'))
        {
            switch (scanner.TakeAny())
            {
                case 'k': rank = (int)scanner.TakeNumber(); break;
                case 'd': dimensions = scanner.TakeNumbers(); break;
                case 'm': maxStringLength = scanner.TakeId(); break;
                case 'o': optional = true; break;
                default: throw new FormatException($"the field '{name}' has an unknown fact");
            }
        }

        return new StructureField
        {
            Name = name,
            DataType = new NodeId(dataType),
            ValueRank = rank,
            ArrayDimensions = dimensions,
            MaxStringLength = maxStringLength,
            IsOptional = optional,
        };
    }
}
