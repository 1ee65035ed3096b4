using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Operations.Attributes;

/// <summary>Whether a value may be held by a Variable or passed as an Argument: data type with its subtypes, abstract
/// types, enumerations as Int32, value rank and dimensions. A ByteString stands for an array of Byte and the other way
/// round. Errors: Bad_TypeMismatch. Source: Part 3 §5.6.2, §8; Part 4 §5.11.4.</summary>
public sealed class ValueTypeCheck(NodeTable nodes)
{
    private static readonly NodeId HasEncoding = new(StandardIds.ReferenceTypes.HasEncoding);
    private static readonly NodeId BaseDataType = new(StandardIds.DataTypes.BaseDataType);

    /// <summary>Any number of dimensions in which a part of the value is given.</summary>
    private const int AnyRank = -2;

    public StatusCode Check(in VariableFacts facts, in Variant value, bool isPart, out Variant accepted) =>
        Check(facts.DataType, facts.BuiltInType, facts.ValueRank, facts.ArrayDimensions, value, isPart, out accepted);

    public StatusCode Check(Argument argument, BuiltInType builtInType, in Variant value, out Variant accepted) =>
        Check(argument.DataType, builtInType, argument.ValueRank, argument.ArrayDimensions, value, false, out accepted);

    private StatusCode Check(
        NodeId dataType, BuiltInType builtInType, int rank, uint[]? dimensions, in Variant value, bool isPart,
        out Variant accepted)
    {
        accepted = Convert(builtInType, rank, value);
        if (accepted.IsNull)
            return IsAny(dataType) && rank is -1 or -2 or -3 ? StatusCodes.Good : StatusCodes.BadTypeMismatch;
        if (!IsType(dataType, builtInType, accepted))
            return StatusCodes.BadTypeMismatch;
        if (!FitsRank(isPart && rank < 0 ? AnyRank : rank, accepted.ValueRank))
            return StatusCodes.BadTypeMismatch;
        return isPart || FitsDimensions(dimensions, accepted) ? StatusCodes.Good : StatusCodes.BadTypeMismatch;
    }

    /// <summary>ByteString ↔ Byte[].</summary>
    private static Variant Convert(BuiltInType type, int rank, in Variant value)
    {
        if (type == BuiltInType.Byte && rank != -1 && value.Type == BuiltInType.ByteString && value.IsScalar)
            return Variant.FromArray(BuiltInType.Byte, value.AsByteString() ?? []);
        if (type == BuiltInType.ByteString && rank == -1 && value.Type == BuiltInType.Byte && value.IsArray)
            return Variant.FromByteString(value.AsArray<byte>());
        return value;
    }

    /// <summary>A null structure and an empty array have a type as well: they fit wherever a full one could.</summary>
    private bool IsType(NodeId dataType, BuiltInType builtInType, in Variant value) => value.Type switch
    {
        BuiltInType.ExtensionObject =>
            (builtInType == BuiltInType.ExtensionObject || IsAny(dataType)) && IsStructure(dataType, value),
        BuiltInType.Variant => builtInType == BuiltInType.Null && AreElements(dataType, value),
        _ when builtInType != BuiltInType.Null => value.Type == builtInType,
        _ => IsSubtype(new NodeId((uint)value.Type), dataType),
    };

    /// <summary>Each Variant of the array holds one value of a type that the abstract type allows. Only BaseDataType
    /// allows null and arrays.</summary>
    private bool AreElements(NodeId dataType, in Variant value)
    {
        if (IsAny(dataType))
            return true;
        if (nodes.Find(dataType).IsNone)
            return false;
        foreach (var element in value.Elements as Variant[] ?? [])
        {
            if (!element.IsScalar || !IsSubtype(new NodeId((uint)element.Type), dataType))
                return false;
        }

        return true;
    }

    private bool IsStructure(NodeId dataType, in Variant value)
    {
        if (value.IsScalar)
            return IsStructure(dataType, value.AsExtensionObject());
        foreach (var element in value.Elements as ExtensionObject[] ?? [])
        {
            if (!IsStructure(dataType, element))
                return false;
        }

        return true;
    }

    private bool IsStructure(NodeId dataType, in ExtensionObject value)
    {
        if (value.IsNull)
            return true;
        if (value.DataTypeId is { IsNull: false } known)
            return IsSubtype(known, dataType);
        foreach (var reference in nodes.References(nodes.Find(value.TypeId)))
        {
            if (!reference.IsForward && nodes.GetNodeId(reference.ReferenceType) == HasEncoding)
                return IsSubtype(nodes.GetNodeId(reference.Target), dataType);
        }

        // An encoding that no model here describes: only a type that takes every structure can hold it.
        return dataType == new NodeId((uint)BuiltInType.ExtensionObject) || IsAny(dataType);
    }

    private bool IsSubtype(NodeId type, NodeId superType) => IsAny(superType) || nodes.IsSubtypeOf(type, superType);

    private static bool IsAny(NodeId dataType) => dataType.IsNull || dataType == BaseDataType;

    private static bool FitsRank(int rank, int actual) => rank switch
    {
        AnyRank => true,
        -3 => actual is -1 or 1,
        -1 => actual == -1,
        0 => actual >= 1,
        _ => actual == rank,
    };

    /// <summary>ArrayDimensions are the longest that each dimension may be, 0 for any.</summary>
    private static bool FitsDimensions(uint[]? dimensions, in Variant value)
    {
        if (dimensions is null || value.IsScalar)
            return true;
        if (value.AsMatrix() is not { } matrix)
            return dimensions.Length != 1 || dimensions[0] == 0 || (value.Elements?.Length ?? 0) <= dimensions[0];
        for (var i = 0; i < Math.Min(dimensions.Length, matrix.Dimensions.Length); i++)
        {
            if (dimensions[i] != 0 && matrix.Dimensions[i] > dimensions[i])
                return false;
        }

        return true;
    }
}
