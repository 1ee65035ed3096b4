namespace Gateway.Codec.Types;

/// <summary>Shape: elements in row-major order and the length of each dimension (at least two); the product of the
/// dimensions is the number of elements. Source: Part 6 §5.2.2.16.</summary>
public sealed class Matrix(Array elements, int[] dimensions)
{
    public Array Elements { get; } = elements;

    public int[] Dimensions { get; } = dimensions;
}
