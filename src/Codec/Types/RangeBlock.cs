namespace Gateway.Codec.Types;

/// <summary>A rectangular block inside a row-major array: enumerates its rows as the index of each in the whole and
/// in the part.</summary>
internal sealed class RangeBlock
{
    private readonly int[] _dimensions;
    private readonly int[] _lows;

    private RangeBlock(int[] dimensions)
    {
        _dimensions = dimensions;
        _lows = new int[dimensions.Length];
        Lengths = new int[dimensions.Length];
        Count = 1;
    }

    /// <summary>The part's length in each dimension.</summary>
    public int[] Lengths { get; }

    /// <summary>The part's number of elements.</summary>
    public int Count { get; private set; }

    public int RowLength => Lengths[^1];

    /// <summary>The ranges cut to the dimensions; null where a lower bound is outside.</summary>
    public static RangeBlock? Clamp(in NumericRange range, int[] dimensions)
    {
        var block = new RangeBlock(dimensions);
        for (var i = 0; i < dimensions.Length; i++)
        {
            if (!range[i].TryClamp(dimensions[i], out var clamped))
                return null;
            block._lows[i] = clamped.Low;
            block.Lengths[i] = clamped.Length;
            block.Count *= clamped.Length;
        }

        return block;
    }

    /// <summary>Null where any bound is outside.</summary>
    public static RangeBlock? Exact(in NumericRange range, int[] dimensions)
    {
        for (var i = 0; i < dimensions.Length; i++)
        {
            if (range[i].High >= dimensions[i])
                return null;
        }

        return Clamp(range, dimensions);
    }

    public IEnumerator<(int WholeIndex, int PartIndex)> GetEnumerator()
    {
        var position = new int[_dimensions.Length];
        for (var partIndex = 0; partIndex < Count; partIndex += RowLength)
        {
            var wholeIndex = 0;
            for (var i = 0; i < position.Length; i++)
                wholeIndex = (wholeIndex * _dimensions[i]) + _lows[i] + position[i];
            yield return (wholeIndex, partIndex);
            for (var i = position.Length - 2; i >= 0 && ++position[i] == Lengths[i]; i--)
                position[i] = 0;
        }
    }
}
