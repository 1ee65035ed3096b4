using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Options;

/// <summary>Bounds and deadlines of one client. None means unlimited.</summary>
public sealed record MqttLimits
{
    private static readonly TimeSpan LongestDeadline = TimeSpan.FromHours(1);

    /// <summary>For TCP and TLS.</summary>
    public TimeSpan ConnectDeadline { get; init; } = TimeSpan.FromSeconds(10);

    public TimeSpan ConnAckDeadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From PINGREQ to PINGRESP.</summary>
    public TimeSpan PingDeadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>From PUBLISH, SUBSCRIBE and UNSUBSCRIBE to their acknowledgement.</summary>
    public TimeSpan AckDeadline { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>For the broker to take the next 64 KiB or less.</summary>
    public TimeSpan WriteDeadline { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>For the handlers to make room in a full inbox.</summary>
    public TimeSpan InboxDeadline { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>How long a graceful end waits for acknowledgements and for the last bytes.</summary>
    public TimeSpan DrainDeadline { get; init; } = TimeSpan.FromSeconds(5);

    /// <summary>Before the first new attempt; it doubles with each failure, with jitter.</summary>
    public TimeSpan ReconnectDelay { get; init; } = TimeSpan.FromMilliseconds(500);

    public TimeSpan LongestReconnectDelay { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>Before the next attempt where only an operator can help: a wrong password, a rejected certificate.
    /// Long, because brokers lock accounts after some wrong passwords.</summary>
    public TimeSpan OperatorDelay { get; init; } = TimeSpan.FromSeconds(60);

    /// <summary>A connection that lived that long starts with <see cref="ReconnectDelay"/> again.</summary>
    public TimeSpan StableAfter { get; init; } = TimeSpan.FromSeconds(10);

    /// <summary>QoS 1 messages that are kept until their PUBACK, sent or not.</summary>
    public int MaxInFlight { get; init; } = 256;

    /// <summary>Bytes of these messages together, in the callers' memory. One message is always taken.</summary>
    public int MaxInFlightBytes { get; init; } = 16 * 1024 * 1024;

    /// <summary>Publishes that wait for room. Further ones end at once as QueueFull.</summary>
    public int MaxWaitingPublishes { get; init; } = 256;

    /// <summary>Connections that the broker may end while a QoS 1 message is the oldest one under way; then the message
    /// ends as GivenUp. From the second one on it goes alone, so that no other shares the blame.</summary>
    public int MaxResends { get; init; } = 5;

    /// <summary>Bytes of a whole packet, in both directions.</summary>
    public int MaxPacketSizeBytes { get; init; } = 1024 * 1024;

    /// <summary>Bytes that wait for the socket. One packet is always taken.</summary>
    public int MaxSendQueueBytes { get; init; } = 1024 * 1024;

    /// <summary>QoS 1 messages that the broker may send before our PUBACK; 3.1.1 has no such limit.</summary>
    public int ReceiveMaximum { get; init; } = 64;

    /// <summary>Messages that wait for their handlers. Above it QoS 0 is dropped, and QoS 1 stops reading.</summary>
    public int MaxInboxMessages { get; init; } = 1024;

    /// <summary>Bytes of these messages together.</summary>
    public int MaxInboxBytes { get; init; } = 4 * 1024 * 1024;

    /// <summary>Topic aliases in each direction. 0: none.</summary>
    public int MaxTopicAliases { get; init; } = 64;

    public int MaxSubscriptions { get; init; } = 256;

    /// <summary>All errors, each with its full key.</summary>
    public IEnumerable<string> Validate(string path)
    {
        (string Name, TimeSpan Value)[] times =
        [
            (nameof(ConnectDeadline), ConnectDeadline), (nameof(ConnAckDeadline), ConnAckDeadline),
            (nameof(PingDeadline), PingDeadline), (nameof(AckDeadline), AckDeadline),
            (nameof(WriteDeadline), WriteDeadline), (nameof(InboxDeadline), InboxDeadline),
            (nameof(DrainDeadline), DrainDeadline), (nameof(ReconnectDelay), ReconnectDelay),
            (nameof(LongestReconnectDelay), LongestReconnectDelay), (nameof(StableAfter), StableAfter),
            (nameof(OperatorDelay), OperatorDelay),
        ];
        foreach (var (name, value) in times)
        {
            if (value <= TimeSpan.Zero || value > LongestDeadline)
                yield return $"{path}:{name}: {value} is not between 0 and {LongestDeadline}";
        }

        (string Name, int Value, int Least, int Most)[] counts =
        [
            (nameof(MaxInFlight), MaxInFlight, 1, 16_384),
            (nameof(MaxInFlightBytes), MaxInFlightBytes, 1024, 1 << 30),
            (nameof(MaxWaitingPublishes), MaxWaitingPublishes, 1, 65_536),
            (nameof(MaxResends), MaxResends, 1, 1_000_000),
            (nameof(MaxPacketSizeBytes), MaxPacketSizeBytes, 256, FixedHeader.MaxRemainingLength),
            (nameof(MaxSendQueueBytes), MaxSendQueueBytes, 1024, 1 << 29),
            (nameof(ReceiveMaximum), ReceiveMaximum, 1, ushort.MaxValue),
            (nameof(MaxInboxMessages), MaxInboxMessages, 1, 1 << 20),
            (nameof(MaxInboxBytes), MaxInboxBytes, 1024, 1 << 30),
            (nameof(MaxTopicAliases), MaxTopicAliases, 0, 4096),
            (nameof(MaxSubscriptions), MaxSubscriptions, 1, 4096),
        ];
        foreach (var (name, value, least, most) in counts)
        {
            if (value < least || value > most)
                yield return $"{path}:{name}: {value} is not between {least} and {most}";
        }

        if (LongestReconnectDelay < ReconnectDelay)
            yield return $"{path}:{nameof(LongestReconnectDelay)}: shorter than {nameof(ReconnectDelay)}";
    }
}
