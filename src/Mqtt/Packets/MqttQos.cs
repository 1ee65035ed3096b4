namespace Gateway.Mqtt.Packets;

/// <summary>Quality of service. This client has no QoS 2. Source: MQTT 5.0 §4.3.</summary>
public enum MqttQos : byte
{
    AtMostOnce = 0,
    AtLeastOnce = 1,
}
