namespace Gateway.Mqtt.Packets;

/// <summary>High half of a packet's first byte. Source: MQTT 5.0 §2.1.2.</summary>
internal enum PacketType : byte
{
    Connect = 1,
    ConnAck = 2,
    Publish = 3,
    PubAck = 4,
    Subscribe = 8,
    SubAck = 9,
    Unsubscribe = 10,
    UnsubAck = 11,
    PingReq = 12,
    PingResp = 13,
    Disconnect = 14,
}
