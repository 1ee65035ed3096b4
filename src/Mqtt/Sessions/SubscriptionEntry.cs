using System.Text;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>One subscription over all connections. Owner: <see cref="SubscriptionBook"/>, under its lock.</summary>
internal sealed class SubscriptionEntry(MqttSubscriptionOptions options, MqttMessageHandler handler)
{
    private int _reason = -1;

    public MqttSubscriptionOptions Options => options;

    public MqttMessageHandler Handler => handler;

    public byte[] Filter { get; } = Encoding.UTF8.GetBytes(options.Filter);

    /// <summary>Subscription Identifier. It follows from the filter, so that messages which the broker stored for an
    /// earlier process carry the same one; two filters that share one are told apart by the filter.</summary>
    public int Identifier => field != 0 ? field : field = IdentifierOf(Filter);

    public SubscriptionState State { get; set; }

    public bool IsLeaving => State is SubscriptionState.Unwanted or SubscriptionState.Leaving;

    /// <summary>Of the packet that waits for its acknowledgement; 0: none.</summary>
    public ushort PacketIdentifier { get; set; }

    /// <summary>Timestamp of that packet.</summary>
    public long SentAt { get; set; }

    /// <summary>Connections that the broker ended while this was asked for.</summary>
    public int Failures { get; set; }

    /// <summary>The last answer; null: none yet. Read without the lock.</summary>
    public MqttReasonCode? Reason =>
        Volatile.Read(ref _reason) is >= 0 and var reason ? (MqttReasonCode)reason : null;

    /// <summary>Ends with the first answer.</summary>
    public TaskCompletionSource<MqttReasonCode> Subscribed { get; } =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Ends with the UNSUBACK, or when the session is gone.</summary>
    public TaskCompletionSource Unsubscribed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);

    public void Answer(MqttReasonCode reason)
    {
        Volatile.Write(ref _reason, (byte)reason);
        Subscribed.TrySetResult(reason);
    }

    /// <summary>FNV-1a, folded into 1 to 268,435,455. Source: MQTT 5.0 §3.8.2.1.2.</summary>
    private static int IdentifierOf(ReadOnlySpan<byte> filter)
    {
        var hash = 2_166_136_261u;
        foreach (var next in filter)
            hash = unchecked((hash ^ next) * 16_777_619u);
        return (int)(hash % FixedHeader.MaxRemainingLength) + 1;
    }
}
