using System.Globalization;
using Gateway.Codec.Types;

namespace Gateway.Events.Values;

/// <summary>Converts scalars by the rules of the filter operators. Whether a pair of types may convert is
/// <see cref="ConversionTable"/>'s. Errors: false where the value has no counterpart in the other type (out of range,
/// a text that is no number). Source: Part 4 §7.7.3.</summary>
internal static class ValueConversion
{
    /// <summary>By itself, or with a Cast: both kinds.</summary>
    public static bool TryCast(in Variant value, BuiltInType to, out Variant result)
    {
        result = value;
        if (value.Type == to)
            return true;
        if (ConversionTable.KindOf(value.Type, to) == ConversionKind.None)
            return Fail(out result);
        return value.IsScalar ? TryConvert(value, to, out result) : TryCastElements(value, to, out result);
    }

    /// <summary>A scalar whose pair of types is in the table.</summary>
    public static bool TryConvert(in Variant value, BuiltInType to, out Variant result) => value.Type switch
    {
        BuiltInType.Boolean => TryFromBoolean(value.AsBoolean(), to, out result),
        BuiltInType.Float or BuiltInType.Double => TryFromReal(value, to, out result),
        BuiltInType.UInt64 => TryFromInteger(value.AsUInt64(), to, out result),
        BuiltInType.UInt16 => TryFromInteger(value.AsInt64(), to, out result, is16Bit: true),
        >= BuiltInType.SByte and <= BuiltInType.Int64 => TryFromInteger(value.AsInt64(), to, out result),
        BuiltInType.StatusCode => TryFromStatus(value.AsStatusCode().Code, to, out result),
        BuiltInType.String => TextConversion.TryFrom(value.AsString(), to, out result),
        _ => TextConversion.TryFromOther(value, to, out result),
    };

    /// <summary>A whole number; Status codes of 16 bits are the upper half of the code.</summary>
    public static bool TryFromInteger(Int128 number, BuiltInType to, out Variant result, bool is16Bit = false)
    {
        result = to switch
        {
            BuiltInType.Boolean => new Variant(number != 0),
            BuiltInType.SByte when number >= sbyte.MinValue && number <= sbyte.MaxValue => new Variant((sbyte)number),
            BuiltInType.Byte when number >= 0 && number <= byte.MaxValue => new Variant((byte)number),
            BuiltInType.Int16 when number >= short.MinValue && number <= short.MaxValue => new Variant((short)number),
            BuiltInType.UInt16 when number >= 0 && number <= ushort.MaxValue => new Variant((ushort)number),
            BuiltInType.Int32 when number >= int.MinValue && number <= int.MaxValue => new Variant((int)number),
            BuiltInType.UInt32 when number >= 0 && number <= uint.MaxValue => new Variant((uint)number),
            BuiltInType.Int64 when number >= long.MinValue && number <= long.MaxValue => new Variant((long)number),
            BuiltInType.UInt64 when number >= 0 && number <= ulong.MaxValue => new Variant((ulong)number),
            BuiltInType.Float => new Variant((float)number),
            BuiltInType.Double => new Variant((double)number),
            BuiltInType.StatusCode when is16Bit && number >= 0 => new Variant(new StatusCode((uint)number << 16)),
            BuiltInType.StatusCode when number >= int.MinValue && number <= uint.MaxValue =>
                new Variant(new StatusCode(unchecked((uint)(long)number))),
            BuiltInType.String => new Variant(number.ToString(CultureInfo.InvariantCulture)),
            _ => default,
        };
        return !result.IsNull;
    }

    /// <summary>To an integer: rounded to the nearest one.</summary>
    public static bool TryFromReal(double number, BuiltInType to, out Variant result)
    {
        switch (to)
        {
            case BuiltInType.Double:
                result = new Variant(number);
                return true;
            case BuiltInType.Float:
                result = new Variant((float)number);
                return float.IsFinite((float)number) || !double.IsFinite(number) || Fail(out result);
            case BuiltInType.Boolean:
                result = new Variant(number != 0);
                return !double.IsNaN(number) || Fail(out result);
            default:
                return Math.Abs(number) <= 1e20
                    ? TryFromInteger((Int128)Math.Floor(number + 0.5), to, out result)
                    : Fail(out result);
        }
    }

    private static bool TryFromBoolean(bool value, BuiltInType to, out Variant result) =>
        TryFromInteger(value ? 1 : 0, to, out result);

    private static bool TryFromReal(in Variant value, BuiltInType to, out Variant result)
    {
        if (to != BuiltInType.String)
            return TryFromReal(value.AsDouble(), to, out result);
        result = new Variant(value.Type == BuiltInType.Float
            ? value.AsFloat().ToString("R", CultureInfo.InvariantCulture)
            : value.AsDouble().ToString("R", CultureInfo.InvariantCulture));
        return true;
    }

    private static bool TryFromStatus(uint code, BuiltInType to, out Variant result) => to switch
    {
        // The bits stay.
        BuiltInType.Int32 => TryFromInteger(unchecked((int)code), to, out result),
        BuiltInType.UInt16 => TryFromInteger(code >> 16, to, out result),
        _ => TryFromInteger((Int128)code, to, out result),
    };

    /// <summary>Element by element: one failure fails all.</summary>
    private static bool TryCastElements(in Variant value, BuiltInType to, out Variant result)
    {
        result = default;
        if (!value.IsArray || value.Elements is not { } elements)
            return false;
        var cast = new Variant[elements.Length];
        for (var i = 0; i < elements.Length; i++)
        {
            if (!ArrayElements.TryGet(value, i, out var element) || !TryCast(element, to, out cast[i]))
                return false;
        }

        result = ArrayElements.Make(to, cast);
        return !result.IsNull;
    }

    private static bool Fail(out Variant result)
    {
        result = default;
        return false;
    }
}
