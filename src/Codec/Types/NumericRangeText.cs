using System.Globalization;
using System.Text;

namespace Gateway.Codec.Types;

/// <summary>The text form of a NumericRange: <c>low[:high]{,low[:high]}</c>, low below high, no spaces.
/// Source: Part 4 §7.27.</summary>
public static class NumericRangeText
{
    private const int MaxDimensions = 32;

    /// <summary>False is to be answered with Bad_IndexRangeInvalid. A null or empty text is the range that is
    /// everything.</summary>
    public static bool TryParse(ReadOnlySpan<char> text, out NumericRange value)
    {
        value = default;
        if (text.IsEmpty)
            return true;
        var count = text.Count(',') + 1;
        if (count > MaxDimensions)
            return false;
        // The usual range has one dimension and is kept in place.
        var more = count == 1 ? [] : new IndexRange[count - 1];
        var first = default(IndexRange);
        for (var i = 0; i < count; i++)
        {
            var comma = text.IndexOf(',');
            if (!TryParseDimension(comma < 0 ? text : text[..comma], out var dimension))
                return false;
            if (i == 0)
                first = dimension;
            else
                more[i - 1] = dimension;
            text = text[(comma + 1)..];
        }

        value = new NumericRange(first, more);
        return true;
    }

    public static string Format(NumericRange value)
    {
        var text = new StringBuilder();
        for (var i = 0; i < value.Count; i++)
        {
            var (low, high) = value[i];
            text.Append(i == 0 ? "" : ",").Append(CultureInfo.InvariantCulture, $"{low}");
            if (high != low)
                text.Append(CultureInfo.InvariantCulture, $":{high}");
        }

        return text.ToString();
    }

    private static bool TryParseDimension(ReadOnlySpan<char> text, out IndexRange value)
    {
        value = default;
        var colon = text.IndexOf(':');
        if (colon < 0)
        {
            if (!TryParseIndex(text, out var index))
                return false;
            value = new IndexRange(index, index);
            return true;
        }

        if (!TryParseIndex(text[..colon], out var low) || !TryParseIndex(text[(colon + 1)..], out var high) ||
            low >= high)
            return false;
        value = new IndexRange(low, high);
        return true;
    }

    private static bool TryParseIndex(ReadOnlySpan<char> text, out int value) =>
        int.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value);
}
