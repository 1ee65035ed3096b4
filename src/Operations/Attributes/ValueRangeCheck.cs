using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Range = Gateway.Codec.Structures.Range;

namespace Gateway.Operations.Attributes;

/// <summary>Checks that a value of the right type is one that its Variable or Argument can have: a number of the
/// enumeration, a state of the discrete item, within the instrument's range. Checks each element of an array. A limit
/// that the model or the upstream does not give is not checked. Errors: Bad_OutOfRange. Source: Part 3 §8.40, Part 8
/// §5.3.2, §5.3.3.</summary>
public sealed class ValueRangeCheck(NodeTable nodes, ValueStore values)
{
    /// <summary>Bounds the work of a Write (R44); a Variable normally has a handful of references.</summary>
    private const int MaxReferences = 256;

    /// <summary>Bytes of a value that decode in one unit, about 100 ns.</summary>
    private const int BytesOfUnit = 64;

    /// <summary>A larger property is not read: <see cref="AllowedValues.MaxListed"/> numbers with their names need
    /// less.</summary>
    private const int MaxPropertyBytes = 512 * 1024;

    private readonly Lazy<NodeHandle> _hasProperty =
        new(() => nodes.Find(new NodeId(StandardIds.ReferenceTypes.HasProperty)));

    /// <param name="variable">The Variable that the value is for.</param>
    /// <param name="facts">The Variable's attributes.</param>
    /// <param name="value">A value of the right type.</param>
    /// <param name="units">Increased by the work of the check, in units of about 100 ns (R44).</param>
    public StatusCode Check(NodeHandle variable, in VariableFacts facts, in Variant value, ref int units)
    {
        var status = CheckEnumeration(facts.DataType, facts.BuiltInType, value, ref units);
        return status.IsBad ? status : CheckProperties(variable, value, ref units);
    }

    /// <summary>Good for a type that is no enumeration, and for an enumeration whose numbers are unknown.</summary>
    public StatusCode CheckEnumeration(
        in NodeId dataType, BuiltInType builtInType, in Variant value, ref int units)
    {
        if (builtInType != BuiltInType.Int32 || dataType == new NodeId(StandardIds.DataTypes.Int32))
            return StatusCode.Good;
        var isKnown = nodes.ReadAttribute(
            nodes.Find(dataType), AttributeId.DataTypeDefinition, out var definition).IsGood;
        return isKnown && AllowedValues.Of(definition.AsStructure<EnumDefinition>()?.Fields) is { } allowed
            ? Check(allowed, value, ref units)
            : StatusCode.Good;
    }

    private static StatusCode Check(in AllowedValues allowed, in Variant value, ref int units)
    {
        units += allowed.UnitsFor(value);
        return allowed.TakeAll(value) ? StatusCodes.Good : StatusCodes.BadOutOfRange;
    }

    /// <summary>A Variable has one property of each kind; further ones are ignored.</summary>
    private StatusCode CheckProperties(NodeHandle variable, in Variant value, ref int units)
    {
        var references = nodes.References(variable);
        var count = Math.Min(references.Count, MaxReferences);
        var left = 3;
        units += count / 4;
        for (var i = 0; i < count && left > 0; i++)
        {
            var reference = references[i];
            if (!reference.IsForward || reference.IsExternal || reference.ReferenceType != _hasProperty.Value)
                continue;
            if (!IsAboutValues(reference.Target, out var name))
                continue;
            left--;
            var status = AllowedBy(reference.Target, name, ref units) is { } allowed
                ? Check(allowed, value, ref units)
                : StatusCode.Good;
            if (status.IsBad)
                return status;
        }

        return StatusCode.Good;
    }

    private bool IsAboutValues(NodeHandle property, out string? name)
    {
        var browseName = nodes.GetBrowseName(property);
        name = browseName.Name;
        return browseName.NamespaceIndex == 0 && name is ("InstrumentRange" or "EnumStrings" or "EnumValues");
    }

    /// <summary>Null: the property has no limit, or none yet, or too many numbers.</summary>
    private AllowedValues? AllowedBy(NodeHandle property, string? name, ref int units)
    {
        var bytes = values.EncodedLengthOf(property);
        units += Math.Min(bytes, MaxPropertyBytes) / BytesOfUnit;
        if (bytes > MaxPropertyBytes)
            return null;
        return name switch
        {
            "InstrumentRange" => AllowedValues.Of(ReadNow(property).AsStructure<Range>()),
            "EnumStrings" => AllowedValues.OfStates(ReadNow(property).AsArray<LocalizedText>()?.Length ?? 0),
            "EnumValues" => AllowedValues.Of(ReadNow(property).AsArray<ExtensionObject>()),
            _ => null,
        };
    }

    private Variant ReadNow(NodeHandle property)
    {
        var source = nodes.SourceOf(property);
        return source is not null && source.TryRead(property, double.MaxValue, out var value)
            ? value.Value
            : values.Read(property).Value;
    }
}
