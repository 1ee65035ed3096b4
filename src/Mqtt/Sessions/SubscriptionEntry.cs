using System.Text;
using Gateway.Mqtt.Messages;
using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>One subscription over all connections. Owner: <see cref="SubscriptionBook"/>, under its lock.</summary>
internal sealed class SubscriptionEntry(int identifier, MqttSubscriptionOptions options, MqttMessageHandler handler)
{
    /// <summary>Subscription Identifier; from 1.</summary>
    public int Identifier => identifier;

    public MqttSubscriptionOptions Options => options;

    public MqttMessageHandler Handler => handler;

    public byte[] Filter { get; } = Encoding.UTF8.GetBytes(options.Filter);

    public SubscriptionState State { get; set; }

    /// <summary>Of the packet that waits for its acknowledgement; 0: none.</summary>
    public ushort PacketIdentifier { get; set; }

    /// <summary>Timestamp of that packet.</summary>
    public long SentAt { get; set; }

    /// <summary>Ends with the first SUBACK.</summary>
    public TaskCompletionSource<MqttReasonCode> Subscribed { get; } =
        new(TaskCreationOptions.RunContinuationsAsynchronously);

    /// <summary>Ends with the UNSUBACK, or when the session is gone.</summary>
    public TaskCompletionSource Unsubscribed { get; } = new(TaskCreationOptions.RunContinuationsAsynchronously);
}
