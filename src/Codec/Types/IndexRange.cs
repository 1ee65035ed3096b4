namespace Gateway.Codec.Types;

/// <summary>One dimension of a <see cref="NumericRange"/>: indexes from 0, both ends inside.</summary>
public readonly record struct IndexRange(int Low, int High)
{
    public int Length => High - Low + 1;

    /// <summary>Cut to a dimension of this length; false where even the low end is beyond it.</summary>
    internal bool TryClamp(int length, out IndexRange clamped)
    {
        clamped = this with { High = Math.Min(High, length - 1) };
        return Low < length;
    }
}
