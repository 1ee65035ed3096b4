using Gateway.Codec.Binary;

namespace Gateway.PubSub.Json;

/// <summary>The most that a received message may have. Above a limit it is not used.</summary>
public sealed record JsonReaderLimits
{
    public static JsonReaderLimits Default { get; } = new();

    public int MaxMessageBytes { get; init; } = 4 * 1024 * 1024;

    public int MaxDataSets { get; init; } = 1_000;

    /// <summary>Of one DataSetMessage.</summary>
    public int MaxFields { get; init; } = 10_000;

    /// <summary>Objects and arrays within each other.</summary>
    public int MaxJsonDepth { get; init; } = 128;

    /// <summary>Of values; its MaxDecodedBytes holds for all values of a message together.</summary>
    public DecodingLimits Values { get; init; } = DecodingLimits.Default;
}
