using Gateway.Codec;

namespace Gateway.PubSub;

/// <summary>Bounds of PubSub (R02).</summary>
[CopiedAtStart]
public sealed record PubSubLimits
{
    /// <summary>Fields of one data set.</summary>
    public int MaxPubSubFields { get; init; } = 10_000;

    /// <summary>Nodes that one <c>/**</c> looks at.</summary>
    public int MaxPubSubNodesVisited { get; init; } = 1_000_000;

    /// <summary>Changes of one field that wait for the next publishing interval, and ten times as many events of a data
    /// set; above it the oldest one is lost and counted.</summary>
    public int MaxPubSubQueuedChanges { get; init; } = 100;

    /// <summary>Bytes of one NetworkMessage over a broker.</summary>
    public int MaxPubSubMessageBytes { get; init; } = 256 * 1024;

    /// <summary>Bytes of the nodes that all DataSetReaders make until the gateway ends, those that have gone too: the
    /// address space keeps their names. Metadata that needs more is refused and counted.</summary>
    public long MaxPubSubReaderBytes { get; init; } = 256L * 1024 * 1024;

    /// <summary>Probes of subscribers that a connection looks at in a second; more are a flood, dropped and counted.
    /// </summary>
    public int MaxPubSubProbesPerSecond { get; init; } = 100;

    /// <summary>Answers to probes that leave a connection in a tenth of a second; the rest waits for the next. Data
    /// leaves over the same socket.</summary>
    public int MaxPubSubProbeAnswers { get; init; } = 8;

    /// <summary>Between two answers of the same content, whoever asks however often.</summary>
    public TimeSpan PubSubProbePause { get; init; } = TimeSpan.FromMilliseconds(500);

    /// <summary>The shortest time between two questions to Security Key Services for one SecurityGroup, after an
    /// answer: anybody's message may ask for keys.</summary>
    public TimeSpan PubSubKeyPullPause { get; init; } = TimeSpan.FromSeconds(5);
}
