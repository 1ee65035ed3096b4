namespace Gateway.Codec.Types;

/// <summary>Puts a part into a copy of the whole where a range says.</summary>
internal static class RangeWriting
{
    public static StatusCode Write(in NumericRange range, in Variant whole, in Variant part, out Variant result)
    {
        result = default;
        if (part.Type != whole.Type)
            return StatusCodes.BadTypeMismatch;
        if (whole.IsScalar)
            return WriteScalar(range, whole, part, out result);
        if (whole.Elements is not { } elements)
            return StatusCodes.BadIndexRangeNoData;
        int[] dimensions = whole.AsMatrix()?.Dimensions ?? [elements.Length];
        var isInside = range.Count == dimensions.Length + 1 && RangeReading.IsText(whole.Type);
        if ((range.Count != dimensions.Length && !isInside) ||
            RangeBlock.Exact(range, dimensions) is not { } block)
            return StatusCodes.BadIndexRangeNoData;
        if (part.Elements is not { } parts || part.IsMatrix != whole.IsMatrix || parts.Length != block.Count ||
            (part.AsMatrix() is { } matrix && !matrix.Dimensions.AsSpan().SequenceEqual(block.Lengths)))
            return StatusCodes.BadIndexRangeDataMismatch;
        var copy = (Array)elements.Clone();
        foreach (var (wholeIndex, partIndex) in block)
        {
            var status = isInside
                ? WriteInside(range[dimensions.Length], whole.Type, copy, wholeIndex, parts, partIndex, block.RowLength)
                : CopyRow(parts, partIndex, copy, wholeIndex, block.RowLength);
            if (status.IsBad)
                return status;
        }

        result = whole.AsMatrix() is { } shape
            ? Variant.FromMatrix(whole.Type, new Matrix(copy, shape.Dimensions))
            : Variant.FromArray(whole.Type, copy);
        return StatusCode.Good;
    }

    private static StatusCode WriteScalar(
        in NumericRange range, in Variant whole, in Variant part, out Variant result)
    {
        result = default;
        if (range.Count != 1 || !RangeReading.IsText(whole.Type))
            return StatusCodes.BadIndexRangeNoData;
        if (!part.IsScalar)
            return StatusCodes.BadIndexRangeDataMismatch;
        var status = WriteText(range[0], whole.ToObject(), part.ToObject(), out var text);
        result = RangeReading.TextVariant(whole.Type, text);
        return status;
    }

    private static StatusCode CopyRow(Array from, int fromIndex, Array to, int toIndex, int length)
    {
        Array.Copy(from, fromIndex, to, toIndex, length);
        return StatusCode.Good;
    }

    private static StatusCode WriteInside(
        IndexRange range, BuiltInType type, Array to, int toIndex, Array from, int fromIndex, int length)
    {
        for (var i = 0; i < length; i++)
        {
            var status = WriteText(range, to.GetValue(toIndex + i), from.GetValue(fromIndex + i), out var text);
            if (status.IsBad)
                return status;
            to.SetValue(text, toIndex + i);
        }

        return StatusCode.Good;
    }

    private static StatusCode WriteText(IndexRange range, object? whole, object? part, out object? result)
    {
        result = null;
        switch (whole, part)
        {
            case (byte[] bytes, byte[] piece):
                if (range.High >= bytes.Length)
                    return StatusCodes.BadIndexRangeNoData;
                if (piece.Length != range.Length)
                    return StatusCodes.BadIndexRangeDataMismatch;
                result = (byte[])[.. bytes.AsSpan(0, range.Low), .. piece, .. bytes.AsSpan(range.High + 1)];
                return StatusCode.Good;
            case (string text, string piece):
                var start = RangeReading.OffsetOf(text, range.Low);
                var last = RangeReading.OffsetOf(text, range.High);
                if (last >= text.Length)
                    return StatusCodes.BadIndexRangeNoData;
                if (RangeReading.OffsetOf(piece, range.Length) != piece.Length ||
                    RangeReading.OffsetOf(piece, range.Length - 1) == piece.Length)
                    return StatusCodes.BadIndexRangeDataMismatch;
                var end = last + RangeReading.OffsetOf(text[last..], 1);
                result = string.Concat(text.AsSpan(0, start), piece, text.AsSpan(end));
                return StatusCode.Good;
            case (null, _):
                return StatusCodes.BadIndexRangeNoData;
            default:
                return StatusCodes.BadIndexRangeDataMismatch;
        }
    }
}
