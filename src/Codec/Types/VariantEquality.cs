namespace Gateway.Codec.Types;

/// <summary>Equality of what a Variant holds by reference.</summary>
internal static class VariantEquality
{
    public static bool ReferencesEqual(object? left, object? right) => (left, right) switch
    {
        (null, null) => true,
        (null, _) or (_, null) => false,
        (Matrix a, Matrix b) =>
            a.Dimensions.AsSpan().SequenceEqual(b.Dimensions) && ArraysEqual(a.Elements, b.Elements),
        (Array a, Array b) => ArraysEqual(a, b),
        (ExtensionObject a, ExtensionObject b) => a.TypeId == b.TypeId && ReferencesEqual(a.Body, b.Body),
        _ => left.Equals(right),
    };

    private static bool ArraysEqual(Array left, Array right)
    {
        if (left.Length != right.Length || left.GetType() != right.GetType())
            return false;
        switch (left, right)
        {
            case (byte[] a, byte[] b):
                return a.AsSpan().SequenceEqual(b);
            case (int[] a, int[] b):
                return a.AsSpan().SequenceEqual(b);
            case (double[] a, double[] b):
                return a.AsSpan().SequenceEqual(b);
            case (float[] a, float[] b):
                return a.AsSpan().SequenceEqual(b);
        }

        for (var i = 0; i < left.Length; i++)
        {
            if (!ReferencesEqual(left.GetValue(i), right.GetValue(i)))
                return false;
        }

        return true;
    }
}
