using Gateway.Mqtt.Packets;

namespace Gateway.Mqtt.Sessions;

/// <summary>Topic aliases that the broker has set on one connection: at most our Topic Alias Maximum, each topic at
/// most 65,535 bytes. Threads: the reading loop. Source: MQTT 5.0 §3.3.2.3.4.</summary>
internal sealed class InboundAliases(int maximum)
{
    private readonly byte[]?[] _topics = new byte[maximum + 1][];

    /// <summary>Learns the topic of a packet, or finds it. Errors: TopicAliasInvalid above our maximum, ProtocolError
    /// for an alias that was not set.</summary>
    public MqttFault Resolve(ref PublishPacket packet)
    {
        if (packet.TopicAlias == 0)
            return MqttFault.None;
        if (packet.TopicAlias > maximum)
            return MqttFault.TopicAliasInvalid;
        ref var known = ref _topics[packet.TopicAlias];
        if (packet.Topic.IsEmpty)
        {
            if (known is null)
                return MqttFault.ProtocolError;
            packet.Topic = known;
        }
        else if (known is null || !packet.Topic.SequenceEqual(known))
        {
            known = packet.Topic.ToArray();
        }

        return MqttFault.None;
    }
}
