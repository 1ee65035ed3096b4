using Gateway.AddressSpace.Values;
using Gateway.Codec.Structures;
using Gateway.Codec.Types;

namespace Gateway.Publish.Items;

/// <summary>When a sampled value differs enough from the last reported one. The default is that of an item without a
/// filter: status or value changed. Source: Part 4 §7.22.2.</summary>
/// <param name="Trigger">What is compared.</param>
/// <param name="AbsoluteDeadband">0 for none; what a percent deadband amounts to is worked out when it is set.</param>
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
        return AbsoluteDeadband > 0 ? ExceedsDeadband(value, last) : !value.HasSameValue(last);
    }

    /// <summary>A change from or to NaN counts: no difference to it is within a deadband.</summary>
    private bool ExceedsDeadband(SharedValue value, SharedValue last)
    {
        if (value.Type != last.Type || value.EncodedVariant.IsEmpty)
            return !value.HasSameValue(last);
        if (NumericArray.IsNumericArray(value.EncodedVariant))
            return NumericArray.AnyDiffers(value.EncodedVariant, last.EncodedVariant, AbsoluteDeadband);
        if (value.Type is < BuiltInType.SByte or > BuiltInType.Double)
            return !value.HasSameValue(last);
        if (double.IsNaN(value.Numeric) || double.IsNaN(last.Numeric))
            return double.IsNaN(value.Numeric) != double.IsNaN(last.Numeric);
        return Math.Abs(value.Numeric - last.Numeric) > AbsoluteDeadband;
    }
}
