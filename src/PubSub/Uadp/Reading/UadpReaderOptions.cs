using Gateway.Codec.Binary;
using Gateway.Codec.Structures;

namespace Gateway.PubSub.Uadp.Reading;

/// <summary>Limits of a reader. Sizes are in bytes.</summary>
internal sealed record UadpReaderOptions
{
    /// <summary>A message with less is refused.</summary>
    public MessageSecurityMode SecurityMode { get; init; } = MessageSecurityMode.None;

    /// <summary>Announcements come from a broker that keeps them: an old one is no replay.</summary>
    public bool AcceptsRetained { get; init; }

    public int MaxMessageBytes { get; init; } = UadpWriterOptions.LargestMessageBytes;

    public int MaxFields { get; init; } = ushort.MaxValue;

    /// <summary>Of the values in one DataSetMessage.</summary>
    public DecodingLimits Values { get; init; } = new()
    {
        MaxDepth = 32,
        MaxDecodedBytes = 8 * 1024 * 1024,
        KeepsUnreadableBodies = true,
    };

    /// <summary>Of a payload that comes in chunks.</summary>
    public int MaxChunkedBytes { get; init; } = 1024 * 1024;

    /// <summary>Of all payloads that still miss chunks.</summary>
    public int MaxWaitingBytes { get; init; } = 8 * 1024 * 1024;

    /// <summary>Payloads that still miss chunks.</summary>
    public int MaxWaitingPayloads { get; init; } = 64;

    public int MaxChunks { get; init; } = 4096;

    /// <summary>From the first chunk to the last.</summary>
    public TimeSpan ChunkTimeout { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Publishers and groups whose sequence numbers are known; so many probes are remembered, too.</summary>
    public int MaxReplayRecords { get; init; } = 4096;

    /// <summary>Silence after which a publisher may start anew; twice its keep-alive time. Source: Part 14 §7.2.3.
    /// </summary>
    public TimeSpan ReplayRecordLifetime { get; init; } = ShortestReplayRecordLifetime;

    /// <summary>Of publishers with a short keep-alive time.</summary>
    public static TimeSpan ShortestReplayRecordLifetime { get; } = TimeSpan.FromSeconds(60);

    /// <summary>Payloads of one publisher among those that wait: others keep their room.</summary>
    public int MaxWaitingPayloadsOfPublisher { get; init; } = 16;
}
