using Gateway.Codec.Types;

namespace Gateway.Events.Values;

/// <summary>Equality and order of two values that may be of different types: the one of lower precedence is converted.
/// Values that have no common type are not equal, and neither is the greater one. Null operands are the caller's.
/// Source: Part 4 §7.7.3.</summary>
internal static class ValueComparison
{
    public static bool AreEqual(in Variant left, in Variant right)
    {
        var (first, second) = (left, right);
        if (!TryAlign(ref first, ref second))
            return left.IsArray && right.IsArray && AreElementsEqual(left, right);
        return first.Type switch
        {
            BuiltInType.Float => first.AsFloat() == second.AsFloat(),
            BuiltInType.Double => first.AsDouble() == second.AsDouble(),
            _ => first == second,
        };
    }

    /// <summary>False: they have no order. Numbers and DateTime alone have one.</summary>
    /// <param name="left">The first.</param>
    /// <param name="right">The second.</param>
    /// <param name="order">Below 0: the first is the lesser.</param>
    public static bool TryCompare(in Variant left, in Variant right, out int order)
    {
        order = 0;
        var (first, second) = (left, right);
        if (!TryAlign(ref first, ref second) || !first.IsScalar)
            return false;
        switch (first.Type)
        {
            case BuiltInType.Float or BuiltInType.Double:
                var (a, b) = (first.AsDouble(), second.AsDouble());
                order = a < b ? -1 : a > b ? 1 : 0;
                return !double.IsNaN(a) && !double.IsNaN(b);
            case BuiltInType.UInt64:
                order = first.AsUInt64().CompareTo(second.AsUInt64());
                return true;
            case >= BuiltInType.SByte and <= BuiltInType.Int64:
                order = first.AsInt64().CompareTo(second.AsInt64());
                return true;
            case BuiltInType.DateTime:
                order = first.AsDateTime().CompareTo(second.AsDateTime());
                return true;
            default:
                return false;
        }
    }

    /// <summary>An array of one element stands for that element where the other one is no array.</summary>
    private static bool TryAlign(ref Variant left, ref Variant right)
    {
        if (left.IsScalar != right.IsScalar && !TryUnwrap(ref left, ref right))
            return false;
        if (left.Type == right.Type)
            return true;
        var common = ConversionTable.CommonType(left.Type, right.Type);
        if (common == BuiltInType.Null || !left.IsScalar)
            return false;
        return left.Type == common
            ? ValueConversion.TryConvert(right, common, out right)
            : ValueConversion.TryConvert(left, common, out left);
    }

    private static bool TryUnwrap(ref Variant left, ref Variant right)
    {
        ref var array = ref left.IsScalar ? ref right : ref left;
        return array is { IsArray: true, Elements.Length: 1 } && ArrayElements.TryGet(array, 0, out array);
    }

    private static bool AreElementsEqual(in Variant left, in Variant right)
    {
        var count = left.Elements?.Length ?? 0;
        if (count != (right.Elements?.Length ?? 0))
            return false;
        for (var i = 0; i < count; i++)
        {
            if (!ArrayElements.TryGet(left, i, out var a) || !ArrayElements.TryGet(right, i, out var b) ||
                !AreEqual(a, b))
                return false;
        }

        return true;
    }
}
