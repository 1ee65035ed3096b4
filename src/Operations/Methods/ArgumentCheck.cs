using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Operations.Attributes;

namespace Gateway.Operations.Methods;

/// <summary>Holds the inputs of a call against the method's InputArguments. Source: Part 4 §5.12.2.</summary>
public sealed class ArgumentCheck(NodeTable nodes, ValueTypeCheck types, ValueRangeCheck ranges)
{
    private const int MaxTypeDepth = 64;

    /// <summary>Null: the inputs fit. Otherwise a result that names the wrong ones. Errors: Bad_ArgumentsMissing,
    /// Bad_TooManyArguments, Bad_InvalidArgument.</summary>
    /// <param name="expected">The arguments of the method.</param>
    /// <param name="given">The inputs of the call.</param>
    /// <param name="inputs">The inputs for the source.</param>
    /// <param name="units">Work units of the check (R44).</param>
    public CallMethodResult? Check(Argument[] expected, Variant[]? given, out Variant[] inputs, out int units)
    {
        units = 0;
        inputs = [];
        var count = given?.Length ?? 0;
        if (count < expected.Length)
            return new CallMethodResult { StatusCode = StatusCodes.BadArgumentsMissing };
        if (count > expected.Length)
            return new CallMethodResult { StatusCode = StatusCodes.BadTooManyArguments };

        inputs = new Variant[count];
        var results = new StatusCode[count];
        var isBad = false;
        for (var i = 0; i < count; i++)
        {
            var builtInType = BuiltInTypeOf(expected[i].DataType);
            results[i] = types.Check(expected[i], builtInType, given![i], out inputs[i]);
            if (!results[i].IsBad)
                results[i] = ranges.CheckEnumeration(expected[i].DataType, builtInType, inputs[i], ref units);
            isBad |= results[i].IsBad;
        }

        return isBad
            ? new CallMethodResult { StatusCode = StatusCodes.BadInvalidArgument, InputArgumentResults = results }
            : null;
    }

    /// <summary>The built-in type that values of a data type are encoded as; Null for an abstract one. Enumerations are
    /// Int32, structures ExtensionObjects.</summary>
    private BuiltInType BuiltInTypeOf(NodeId dataType)
    {
        var type = nodes.Find(dataType);
        for (var depth = 0; !type.IsNone && depth < MaxTypeDepth; depth++)
        {
            var id = nodes.GetNodeId(type);
            if (id.NamespaceIndex == 0 && id.IdType == IdType.Numeric)
            {
                if (id.Numeric == StandardIds.DataTypes.Enumeration)
                    return BuiltInType.Int32;
                if (id.Numeric is > 0 and < StandardIds.DataTypes.BaseDataType)
                    return (BuiltInType)id.Numeric;
            }

            type = nodes.GetSuperType(type);
        }

        return BuiltInType.Null;
    }
}
