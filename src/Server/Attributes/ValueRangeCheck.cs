using Gateway.AddressSpace.Nodes;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Range = Gateway.Codec.Structures.Range;

namespace Gateway.Server.Attributes;

/// <summary>Whether a value is one that its Variable or Argument can have, where its type fits: a number of the
/// enumeration, a state of the discrete item, within the instrument's range. Each element of an array counts. What the
/// model or the upstream does not say is not checked. Errors: Bad_OutOfRange. Source: Part 3 §8.40, Part 8 §5.3.2,
/// §5.3.3.</summary>
internal sealed class ValueRangeCheck(NodeTable nodes, ValueStore values)
{
    /// <summary>A Variable has a handful of references. Bounds the work of a Write (R44).</summary>
    private const int MaxReferences = 256;

    private readonly Lazy<NodeHandle> _hasProperty =
        new(() => nodes.Find(new NodeId(StandardIds.ReferenceTypes.HasProperty)));

    public StatusCode Check(NodeHandle variable, in VariableFacts facts, in Variant value)
    {
        var status = CheckEnumeration(facts.DataType, facts.BuiltInType, value);
        return status.IsBad ? status : CheckProperties(variable, value);
    }

    /// <summary>Good for a type that is no enumeration, or one whose numbers nobody knows.</summary>
    public StatusCode CheckEnumeration(in NodeId dataType, BuiltInType builtInType, in Variant value)
    {
        if (builtInType != BuiltInType.Int32 || dataType == new NodeId(StandardIds.DataTypes.Int32))
            return StatusCode.Good;
        var isKnown = nodes.ReadAttribute(
            nodes.Find(dataType), AttributeId.DataTypeDefinition, out var definition).IsGood;
        if (!isKnown || definition.AsStructure<EnumDefinition>()?.Fields is not { Length: > 0 } fields)
            return StatusCode.Good;
        return AllowedValues.Of(fields).TakeAll(value) ? StatusCodes.Good : StatusCodes.BadOutOfRange;
    }

    private StatusCode CheckProperties(NodeHandle variable, in Variant value)
    {
        var references = nodes.References(variable);
        for (var i = 0; i < Math.Min(references.Count, MaxReferences); i++)
        {
            var reference = references[i];
            if (!reference.IsForward || reference.IsExternal || reference.ReferenceType != _hasProperty.Value)
                continue;
            if (AllowedBy(reference.Target) is { } allowed && !allowed.TakeAll(value))
                return StatusCodes.BadOutOfRange;
        }

        return StatusCode.Good;
    }

    /// <summary>Null: the property says nothing about it, or not yet.</summary>
    private AllowedValues? AllowedBy(NodeHandle property)
    {
        var name = nodes.GetBrowseName(property);
        if (name.NamespaceIndex != 0)
            return null;
        return name.Name switch
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
