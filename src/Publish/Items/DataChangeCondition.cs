using System.Buffers.Binary;
using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>When a sampled value differs enough from the last reported one. The default is that of an item without a
/// filter: status or value changed. Source: Part 4 §7.10, §7.22.2.</summary>
/// <param name="Trigger">The parts of a value that are compared.</param>
/// <param name="AbsoluteDeadband">0 for none; a percent deadband is converted when it is set and when the EURange
/// changes.</param>
internal readonly record struct DataChangeCondition(DataChangeTrigger Trigger, double AbsoluteDeadband)
{
    public static DataChangeCondition Default => new(DataChangeTrigger.StatusValue, 0);

    public bool IsMet(SharedValue value, SharedValue last)
    {
        if (value.Status.Code != last.Status.Code)
            return true;
        if (Trigger == DataChangeTrigger.Status)
            return false;
        if (Trigger == DataChangeTrigger.StatusValueTimestamp && value.SourceTimestamp != last.SourceTimestamp)
            return true;
        return AbsoluteDeadband > 0 ? ExceedsDeadband(value, last) : !AreEqual(value, last);
    }

    /// <summary>A change from or to NaN counts: no difference to it is within a deadband.</summary>
    private bool ExceedsDeadband(SharedValue value, SharedValue last)
    {
        if (value.Type != last.Type || value.EncodedVariant.IsEmpty)
            return !AreEqual(value, last);
        if (NumericArray.IsNumericArray(value.EncodedVariant))
            return NumericArray.AnyDiffers(value.EncodedVariant, last.EncodedVariant, AbsoluteDeadband);
        if (value.Type is < BuiltInType.SByte or > BuiltInType.Double)
            return !AreEqual(value, last);
        if (double.IsNaN(value.Numeric) || double.IsNaN(last.Numeric))
            return double.IsNaN(value.Numeric) != double.IsNaN(last.Numeric);
        return Math.Abs(value.Numeric - last.Numeric) > AbsoluteDeadband;
    }

    /// <summary>One NaN is like another, and a null array, String or ByteString like an empty one of its type.
    /// </summary>
    private static bool AreEqual(SharedValue value, SharedValue last)
    {
        if (value.HasSameValue(last))
            return true;
        var left = value.EncodedVariant;
        var right = last.EncodedVariant;
        if (left.Length != right.Length || left.IsEmpty || left[0] != right[0])
            return false;
        if (IsFloatingScalar(left))
            return double.IsNaN(value.Numeric) && double.IsNaN(last.Numeric);
        return left.Length == 1 + sizeof(int) && HasLength(left[0]) &&
            BinaryPrimitives.ReadInt32LittleEndian(left[1..]) <= 0 &&
            BinaryPrimitives.ReadInt32LittleEndian(right[1..]) <= 0;
    }

    private static bool IsFloatingScalar(ReadOnlySpan<byte> variant) =>
        (BuiltInType)variant[0] is BuiltInType.Float or BuiltInType.Double;

    /// <summary>A Variant of this encoding byte goes on with a length.</summary>
    private static bool HasLength(byte encoding) =>
        encoding >= 0x80 ||
        (BuiltInType)encoding is BuiltInType.String or BuiltInType.ByteString or BuiltInType.XmlElement;
}
