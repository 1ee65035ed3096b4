using Gateway.Mqtt.Options;
using Gateway.Mqtt.Packets;
using Gateway.Mqtt.States;

namespace Gateway.Mqtt.Sessions;

/// <summary>The limits of a connection: the broker's word, or ours where it gave none.</summary>
internal static class BrokerLimits
{
    public static MqttBrokerLimits Of(ConnAckPacket broker, MqttClientOptions options) => new()
    {
        MaxPacketSizeBytes = (int)Math.Min(broker.MaximumPacketSize, (uint)options.Limits.MaxPacketSizeBytes),
        ReceiveMaximum = broker.ReceiveMaximum,
        MaximumQos = broker.MaximumQos,
        RetainAvailable = broker.RetainAvailable,
        TopicAliasMaximum = broker.TopicAliasMaximum,
        KeepAlive = broker.ServerKeepAliveSeconds is { } seconds
            ? TimeSpan.FromSeconds(seconds)
            : options.KeepAlive,
        SessionExpiry = broker.SessionExpirySeconds is { } expiry
            ? TimeSpan.FromSeconds(expiry)
            : options.SessionExpiry,
        WildcardSubscriptions = broker.WildcardSubscriptionAvailable,
        SharedSubscriptions = broker.SharedSubscriptionAvailable,
    };
}
