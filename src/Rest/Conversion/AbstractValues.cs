using Gateway.AddressSpace.Nodes;
using Gateway.Codec.Json;
using Gateway.Codec.Types;
using static Gateway.Codec.Types.StandardIds;

namespace Gateway.Rest.Conversion;

/// <summary>Converts values of types that several built-in types can hold. JSON decides which one: a boolean is
/// Boolean, a string String and a number Double. Where the type allows integers only, a number is Int32 or UInt32, or
/// Int64 or UInt64 if it is larger. <c>{"UaType":…,"Value":…}</c> names the type. The first element of an array decides
/// for all. Thread-safe.</summary>
internal sealed class AbstractValues(NodeTable nodes)
{
    private static readonly NodeId Integer = new(DataTypes.Integer);
    private static readonly NodeId UInteger = new(DataTypes.UInteger);

    public Variant Read(ref UaJsonReader reader, NodeId dataType)
    {
        var first = FirstOf(reader);
        if (first.IsNumber || (first.IsString && IsWhole(dataType)))
            return ReadNumber(ref reader, dataType);
        var type = first.IsBoolean ? BuiltInType.Boolean : first.IsString ? BuiltInType.String : BuiltInType.Variant;
        return type == BuiltInType.Variant && !reader.IsStartArray
            ? reader.ReadVariant()
            : reader.ReadBareVariant(type);
    }

    /// <summary>The first innermost element of an array; the array itself if it is empty.</summary>
    private static UaJsonReader FirstOf(UaJsonReader reader)
    {
        while (reader.IsStartArray)
        {
            var array = reader;
            if (!reader.NextElement())
                return array;
        }

        return reader;
    }

    private bool IsWhole(NodeId dataType) =>
        nodes.IsSubtypeOf(dataType, UInteger) || nodes.IsSubtypeOf(dataType, Integer);

    private Variant ReadNumber(ref UaJsonReader reader, NodeId dataType)
    {
        if (nodes.IsSubtypeOf(dataType, UInteger))
            return Unsigned(reader.ReadBareVariant(BuiltInType.UInt64));
        return nodes.IsSubtypeOf(dataType, Integer)
            ? Signed(reader.ReadBareVariant(BuiltInType.Int64))
            : reader.ReadBareVariant(BuiltInType.Double);
    }

    private static Variant Signed(in Variant value)
    {
        if (value.IsScalar)
            return value.AsInt64() is >= int.MinValue and <= int.MaxValue and var one ? new Variant((int)one) : value;
        return value.Elements is long[] wide && Array.TrueForAll(wide, static one => one == (int)one)
            ? Narrow(value, BuiltInType.Int32, Array.ConvertAll(wide, static one => (int)one))
            : value;
    }

    private static Variant Unsigned(in Variant value)
    {
        if (value.IsScalar)
            return value.AsUInt64() is <= uint.MaxValue and var one ? new Variant((uint)one) : value;
        return value.Elements is ulong[] wide && Array.TrueForAll(wide, static one => one == (uint)one)
            ? Narrow(value, BuiltInType.UInt32, Array.ConvertAll(wide, static one => (uint)one))
            : value;
    }

    private static Variant Narrow(in Variant value, BuiltInType type, Array elements) => value.AsMatrix() is { } matrix
        ? Variant.FromMatrix(type, new Matrix(elements, matrix.Dimensions))
        : Variant.FromArray(type, elements);
}
