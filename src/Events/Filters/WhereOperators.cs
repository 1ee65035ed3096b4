using Gateway.Codec.Structures;
using Gateway.Codec.Types;
using Gateway.Events.Values;
using OperandValues = Gateway.Events.Filters.CompiledFilter.OperandValues;

namespace Gateway.Events.Filters;

/// <summary>The result of each operator. TRUE and FALSE are Booleans, NULL is the null Variant. A null
/// operand makes the result NULL, but for IsNull and for what the other operands of And, Or and InList settle.
/// Source: Part 4 §7.7.3, Tables 122 and 123.</summary>
internal static class WhereOperators
{
    /// <param name="kind">The operator.</param>
    /// <param name="operands">As many as it needs.</param>
    /// <param name="steps">That the evaluation may still take; below 0 afterwards: the result means nothing, and the
    /// complement is what is left, as of an operation that is more than that and was not begun.</param>
    public static Variant Evaluate(FilterOperator kind, in OperandValues operands, ref int steps)
    {
        if (1 + operands.Count > steps)
        {
            steps = ~steps;
            return default;
        }

        steps -= 1 + operands.Count;
        if (!ValueWork.Take(WorkOf(kind, operands, steps), ref steps))
            return default;
        return kind == FilterOperator.Like ? Like(operands[0], operands[1], ref steps) : Evaluate(kind, operands);
    }

    /// <summary>Of the operands by their size: those of And are Booleans, and IsNull looks at none.</summary>
    private static long WorkOf(FilterOperator kind, in OperandValues operands, long most)
    {
        var looksInto = kind is (<= FilterOperator.Like and not FilterOperator.IsNull) or FilterOperator.Between
            or FilterOperator.InList or FilterOperator.Cast;
        var work = 0L;
        for (var i = 0; i < operands.Count && work <= most; i++)
        {
            if (looksInto || operands.IsPart(i))
                work += TimesOf(kind, i, operands.Count) * operands.WorkOf(i, most - work);
        }

        return work;
    }

    /// <summary>The first one is compared with each of the others.</summary>
    private static long TimesOf(FilterOperator kind, int index, int count) =>
        index == 0 && kind is FilterOperator.InList or FilterOperator.Between ? count - 1 : 1;

    private static Variant Evaluate(FilterOperator kind, in OperandValues operands) => kind switch
    {
        FilterOperator.IsNull => new Variant(IsNullValue(operands[0])),
        FilterOperator.Not => operands[0] is { Type: BuiltInType.Boolean, IsScalar: true } operand
            ? new Variant(!operand.AsBoolean())
            : default,
        FilterOperator.And => Settle(operands, settled: false),
        FilterOperator.Or => Settle(operands, settled: true),
        FilterOperator.Equals => IsEqual(operands[0], operands[1]),
        FilterOperator.GreaterThan => Order(operands, static order => order > 0),
        FilterOperator.LessThan => Order(operands, static order => order < 0),
        FilterOperator.GreaterThanOrEqual => Order(operands, static order => order >= 0),
        FilterOperator.LessThanOrEqual => Order(operands, static order => order <= 0),
        FilterOperator.Between => Between(operands[0], operands[1], operands[2]),
        FilterOperator.InList => InList(operands),
        FilterOperator.Cast => Cast(operands[0], operands[1]),
        FilterOperator.BitwiseAnd => Bitwise(operands[0], operands[1], isAnd: true),
        FilterOperator.BitwiseOr => Bitwise(operands[0], operands[1], isAnd: false),
        _ => default,
    };

    /// <summary>No value: also a null String, ByteString or array.</summary>
    private static bool IsNullOperand(in Variant value) =>
        value.IsNull || (value.Type is BuiltInType.String or BuiltInType.ByteString && value.ToObject() is null);

    /// <summary>For the operator IsNull the null values of the built-in types count, too: a BranchId is a NodeId whose
    /// value is null. Source: Part 6 §5.1.2.</summary>
    private static bool IsNullValue(in Variant value) => IsNullOperand(value) || (value.IsScalar && value.Type switch
    {
        BuiltInType.NodeId => value.AsNodeId().IsNull,
        BuiltInType.ExpandedNodeId => value.AsExpandedNodeId().IsNull,
        BuiltInType.QualifiedName => value.AsQualifiedName().IsNull,
        BuiltInType.LocalizedText => value.AsLocalizedText().IsNull,
        BuiltInType.ExtensionObject => value.AsExtensionObject().Body is null,
        _ => false,
    });

    /// <summary>And is FALSE where one operand is FALSE, Or TRUE where one is TRUE; else NULL where one is NULL.
    /// </summary>
    private static Variant Settle(in OperandValues operands, bool settled)
    {
        var isKnown = true;
        for (var i = 0; i < operands.Count; i++)
        {
            var operand = operands[i];
            if (operand.Type != BuiltInType.Boolean || !operand.IsScalar)
                isKnown = false;
            else if (operand.AsBoolean() == settled)
                return new Variant(settled);
        }

        return isKnown ? new Variant(!settled) : default;
    }

    private static Variant IsEqual(in Variant left, in Variant right)
    {
        if (!IsNullOperand(left) && !IsNullOperand(right))
            return new Variant(ValueComparison.AreEqual(left, right));
        // A null String or ByteString and an empty one are equal.
        return left.Type == right.Type && left.Type is BuiltInType.String or BuiltInType.ByteString &&
            left.IsScalar && right.IsScalar
            ? new Variant(IsEmpty(left) && IsEmpty(right))
            : default;
    }

    private static bool IsEmpty(in Variant text) =>
        text.ToObject() is null or string { Length: 0 } or byte[] { Length: 0 };

    private static Variant Order(in OperandValues operands, Func<int, bool> holds)
    {
        var (left, right) = (operands[0], operands[1]);
        if (IsNullOperand(left) || IsNullOperand(right))
            return default;
        return new Variant(ValueComparison.TryCompare(left, right, out var order) && holds(order));
    }

    /// <summary>As the And of GreaterThanOrEqual and LessThanOrEqual.</summary>
    private static Variant Between(in Variant value, in Variant low, in Variant high)
    {
        if (IsNullOperand(value))
            return default;
        var isKnown = true;
        if (IsNullOperand(low))
            isKnown = false;
        else if (!ValueComparison.TryCompare(value, low, out var order) || order < 0)
            return new Variant(false);
        if (IsNullOperand(high))
            isKnown = false;
        else if (!ValueComparison.TryCompare(value, high, out var order) || order > 0)
            return new Variant(false);
        return isKnown ? new Variant(true) : default;
    }

    /// <summary>As the Or of an Equals with each; without a list FALSE.</summary>
    private static Variant InList(in OperandValues operands)
    {
        var value = operands[0];
        var isKnown = true;
        for (var i = 1; i < operands.Count; i++)
        {
            var equals = IsEqual(value, operands[i]);
            if (equals.IsNull)
                isKnown = false;
            else if (equals.AsBoolean())
                return equals;
        }

        return isKnown ? new Variant(false) : default;
    }

    private static Variant Like(in Variant text, in Variant pattern, ref int steps)
    {
        if (IsNullOperand(text) || IsNullOperand(pattern))
            return default;
        if (!TryGetText(text, out var read) || !TryGetText(pattern, out var wanted))
            return new Variant(false);
        return LikePattern.Matches(read, wanted, ref steps) is { } matches ? new Variant(matches) : default;
    }

    private static bool TryGetText(in Variant value, out string? text)
    {
        text = null;
        var kind = value.Type == BuiltInType.String
            ? ConversionKind.Implicit
            : ConversionTable.KindOf(value.Type, BuiltInType.String);
        if (!value.IsScalar || kind != ConversionKind.Implicit ||
            !ValueConversion.TryCast(value, BuiltInType.String, out var converted))
            return false;
        text = converted.AsString();
        return text is not null;
    }

    private static Variant Cast(in Variant value, in Variant type)
    {
        if (IsNullOperand(value) || type.Type is not (BuiltInType.NodeId or BuiltInType.ExpandedNodeId))
            return default;
        var id = type.Type == BuiltInType.NodeId ? type.AsNodeId() : type.AsExpandedNodeId().NodeId;
        var isBuiltIn = id is { NamespaceIndex: 0, IdType: IdType.Numeric, Numeric: > 0 and <= 25 };
        return isBuiltIn && ValueConversion.TryCast(value, (BuiltInType)id.Numeric, out var cast) ? cast : default;
    }

    /// <summary>In the larger of both integer types, the one of higher precedence.</summary>
    private static Variant Bitwise(in Variant left, in Variant right, bool isAnd)
    {
        if (!IsInteger(left) || !IsInteger(right))
            return default;
        var type = SizeOf(left.Type) == SizeOf(right.Type)
            ? ConversionTable.CommonType(left.Type, right.Type)
            : SizeOf(left.Type) > SizeOf(right.Type) ? left.Type : right.Type;
        var bits = isAnd ? left.AsInt64() & right.AsInt64() : left.AsInt64() | right.AsInt64();
        return type switch
        {
            BuiltInType.SByte => new Variant((sbyte)bits),
            BuiltInType.Byte => new Variant((byte)bits),
            BuiltInType.Int16 => new Variant((short)bits),
            BuiltInType.UInt16 => new Variant((ushort)bits),
            BuiltInType.Int32 => new Variant((int)bits),
            BuiltInType.UInt32 => new Variant((uint)bits),
            BuiltInType.Int64 => new Variant(bits),
            BuiltInType.UInt64 => new Variant((ulong)bits),
            _ => default,
        };
    }

    private static bool IsInteger(in Variant value) =>
        value.IsScalar && value.Type is >= BuiltInType.SByte and <= BuiltInType.UInt64;

    private static int SizeOf(BuiltInType integer) => integer switch
    {
        BuiltInType.SByte or BuiltInType.Byte => 1,
        BuiltInType.Int16 or BuiltInType.UInt16 => 2,
        BuiltInType.Int32 or BuiltInType.UInt32 => 4,
        _ => 8,
    };
}
