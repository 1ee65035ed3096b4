namespace Gateway.Codec.Binary;

/// <summary>The limits of a reader; above them it returns Bad_EncodingLimitsExceeded (R01, R02). Lengths are in
/// elements, string and ByteString lengths in bytes.</summary>
public sealed record DecodingLimits
{
    public static DecodingLimits Default { get; } = new();

    /// <summary>For values that are passed on.</summary>
    public static DecodingLimits PassThrough { get; } = new() { KeepsUnreadableBodies = true };

    /// <summary>The body of a known type that is no such structure is kept as its bytes, like that of an unknown type:
    /// it is a later edition's, or its server writes it wrongly. False: it is Bad_DecodingError.</summary>
    public bool KeepsUnreadableBodies { get; init; }

    public int MaxDepth { get; init; } = 100;

    public int MaxArrayLength { get; init; } = 1_000_000;

    public int MaxStringLengthBytes { get; init; } = 4 * 1024 * 1024;

    public int MaxByteStringLengthBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Memory that the values of one message may take: an element of one byte becomes up to 56.</summary>
    public long MaxDecodedBytes { get; init; } = 64L * 1024 * 1024;
}
