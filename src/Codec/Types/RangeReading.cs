namespace Gateway.Codec.Types;

/// <summary>Takes the part of a value that a range selects.</summary>
internal static class RangeReading
{
    public static StatusCode Read(in NumericRange range, in Variant value, out Variant part)
    {
        part = default;
        if (value.IsScalar)
        {
            return range.Count == 1 && TryReadText(range[0], value.Type, value.ToObject(), out var text)
                ? Return(TextVariant(value.Type, text), out part)
                : StatusCodes.BadIndexRangeNoData;
        }

        if (value.Elements is not { } elements)
            return StatusCodes.BadIndexRangeNoData;
        int[] dimensions = value.AsMatrix()?.Dimensions ?? [elements.Length];
        var isInside = range.Count == dimensions.Length + 1 && IsText(value.Type);
        if ((range.Count != dimensions.Length && !isInside) ||
            RangeBlock.Clamp(range, dimensions) is not { } block)
            return StatusCodes.BadIndexRangeNoData;
        var selected = Array.CreateInstance(elements.GetType().GetElementType()!, block.Count);
        foreach (var (wholeIndex, partIndex) in block)
            Array.Copy(elements, wholeIndex, selected, partIndex, block.RowLength);
        if (isInside && !TryReadInside(range[dimensions.Length], value.Type, selected))
            return StatusCodes.BadIndexRangeNoData;
        return Return(
            value.IsMatrix
                ? Variant.FromMatrix(value.Type, new Matrix(selected, block.Lengths))
                : Variant.FromArray(value.Type, selected),
            out part);
    }

    public static bool IsText(BuiltInType type) => type is BuiltInType.String or BuiltInType.ByteString;

    public static Variant TextVariant(BuiltInType type, object? text) =>
        type == BuiltInType.String ? new Variant((string?)text) : Variant.FromByteString((byte[]?)text);

    /// <summary>Index in UTF-16 of a code point; the length where the text has fewer.</summary>
    public static int OffsetOf(string text, int codePoints)
    {
        var offset = 0;
        for (; codePoints > 0 && offset < text.Length; codePoints--)
            offset += char.IsSurrogatePair(text, offset) ? 2 : 1;
        return offset;
    }

    private static bool TryReadInside(IndexRange range, BuiltInType type, Array elements)
    {
        for (var i = 0; i < elements.Length; i++)
        {
            if (!TryReadText(range, type, elements.GetValue(i), out var text))
                return false;
            elements.SetValue(text, i);
        }

        return true;
    }

    private static bool TryReadText(IndexRange range, BuiltInType type, object? value, out object? part)
    {
        part = null;
        if (value is byte[] bytes && type == BuiltInType.ByteString && range.TryClamp(bytes.Length, out var clamped))
            part = bytes.AsSpan(clamped.Low, clamped.Length).ToArray();
        if (value is string text && OffsetOf(text, range.Low) is var start && start < text.Length)
            part = text[start..(start + OffsetOf(text[start..], range.Length))];
        return part is not null;
    }

    private static StatusCode Return(Variant value, out Variant part)
    {
        part = value;
        return StatusCode.Good;
    }
}
