namespace Gateway.Codec.Binary;

/// <summary>The holders that a message counts for.</summary>
/// <param name="Address">Null: none.</param>
/// <param name="Certificate">Null: none.</param>
public readonly record struct DecodeHolders(DecodeHolder? Address, DecodeHolder? Certificate)
{
    /// <returns>The sum before of the one that has most.</returns>
    internal long Add(long bytes, long collections) =>
        Math.Max(Address?.Add(bytes, collections) ?? 0, Certificate?.Add(bytes, collections) ?? 0);

    internal void Release(long bytes, long largeBytes, long collections)
    {
        Address?.Release(bytes, largeBytes, collections);
        Certificate?.Release(bytes, largeBytes, collections);
    }
}
