namespace Gateway.Codec.Types;

/// <summary>
/// A part of an array, matrix, String or ByteString; the default is everything. For arrays and matrices of Strings
/// and ByteStrings one dimension more selects inside each element. Characters are counted as Unicode code points.
/// The part has the shape of the whole: a single index gives an array of one element.
/// Errors: Bad_IndexRangeNoData where shape or bounds do not fit, Bad_IndexRangeDataMismatch where a written part is
/// not as large as the range, Bad_TypeMismatch where it is of another type.
/// Text form: <see cref="NumericRangeText"/>. Source: Part 4 §7.27.
/// </summary>
public readonly struct NumericRange
{
    private readonly IndexRange _first;
    private readonly IndexRange[]? _more;

    internal NumericRange(IndexRange first, IndexRange[] more)
    {
        _first = first;
        _more = more;
    }

    public bool IsEmpty => _more is null;

    /// <summary>The number of dimensions; 0 when it is everything.</summary>
    public int Count => _more is null ? 0 : _more.Length + 1;

    public IndexRange this[int dimension] => dimension == 0 ? _first : _more![dimension - 1];

    /// <summary>Reads the part: an upper bound past the end gives the elements that exist, a lower one no
    /// data.</summary>
    public StatusCode Apply(in Variant value, out Variant part)
    {
        part = value;
        return IsEmpty ? StatusCode.Good : RangeReading.Read(this, value, out part);
    }

    /// <summary>Writes the part into a copy of the whole; both bounds have to be inside.</summary>
    public StatusCode Write(in Variant whole, in Variant part, out Variant result)
    {
        result = part;
        return IsEmpty ? StatusCode.Good : RangeWriting.Write(this, whole, part, out result);
    }

    public override string ToString() => NumericRangeText.Format(this);
}
