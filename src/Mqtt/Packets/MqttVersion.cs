namespace Gateway.Mqtt.Packets;

/// <summary>Protocol version, by its number in CONNECT. Source: MQTT 5.0 §3.1.2.2, MQTT 3.1.1 §3.1.2.2.</summary>
public enum MqttVersion : byte
{
    V311 = 4,
    V5 = 5,
}
